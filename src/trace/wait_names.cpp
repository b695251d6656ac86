// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "wait_names.hpp"

#include <weft/platform/visibility.hpp>

#include "event.hpp"

#include <memory>
#include <mutex>
#include <utility>

namespace weft
{
namespace detail
{

WEFT_INLINE wait_names::wait_names() noexcept = default;

WEFT_INLINE wait_names::~wait_names()
{
    for (entry* e = newest_.load(memory_order_relaxed); e;)
        delete std::exchange(e, e->older);
}

WEFT_INLINE unsigned wait_names::number_of(std::string const& name) noexcept
{
    std::lock_guard<mutex> const lock(mutex_);
    auto const known = numbers_.find(name);
    if (known != numbers_.end())
        return known->second;
    unsigned const number = first_name + static_cast<unsigned>(numbers_.size());
    if (number > last_name)
        return 0;
    try
    {
        auto made = std::make_unique<entry>();
        made->text = name;
        made->number = number;
        made->older = newest_.load(memory_order_relaxed);
        numbers_.emplace(made->text, number);
        newest_.store(made.release(), memory_order_release);
        return number;
    }
    catch (...)
    {
        return 0;
    }
}

WEFT_INLINE std::vector<std::string> wait_names::all() const
{
    std::lock_guard<mutex> const lock(mutex_);
    std::vector<std::string> names(numbers_.size());
    for (auto const& [name, number] : numbers_)
        names[number - first_name] = name;
    return names;
}

} // namespace detail
} // namespace weft
