// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_TRACE_WAIT_NAMES_HPP
#define WEFT_SRC_TRACE_WAIT_NAMES_HPP

// What the locks and channels of a context are called, by numbers that are in events. A name stays
// until the context is destroyed, for the lock may be gone when somebody reads.

#include <weft/platform/atomic.hpp>
#include <weft/platform/mutex.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft
{
namespace detail
{

class wait_names
{
public:
    struct entry
    {
        std::string text;
        unsigned number;
        entry* older;
    };

    wait_names() noexcept;
    ~wait_names();

    wait_names(wait_names const&) = delete;
    wait_names& operator=(wait_names const&) = delete;

    /// The number of a name; 0: there is no room for it. Any thread.
    unsigned number_of(std::string const& name) noexcept;

    /// All of them, from first_name on. Any thread. Throws std::bad_alloc.
    std::vector<std::string> all() const;

    /// For who writes them out when it is too late for locks.
    entry const* newest() const noexcept
    {
        return newest_.load(memory_order_acquire);
    }

private:
    mutable mutex mutex_;

    // Guarded by mutex_. The texts are the entries'.
    std::map<std::string_view, unsigned> numbers_;

    // Owns the entries. Published by release.
    atomic<entry*> newest_{nullptr};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_TRACE_WAIT_NAMES_HPP
