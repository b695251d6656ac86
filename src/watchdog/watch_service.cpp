// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "watch_service.hpp"

#include "watch_list.hpp"
#include <weft/platform/visibility.hpp>

#include <algorithm>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE boost::asio::execution_context::id watch_service::id;

WEFT_INLINE watch_service::watch_service(boost::asio::execution_context& context)
    : boost::asio::execution_context::service(context)
{
}

WEFT_INLINE watch_service::~watch_service() = default;

WEFT_INLINE void watch_service::add(std::weak_ptr<watch_list> who)
{
    std::lock_guard<std::mutex> const lock(mutex_);
    // Once each, however often it is told to watch.
    lists_.erase(std::remove_if(lists_.begin(), lists_.end(),
                     [&who](std::weak_ptr<watch_list> const& l)
                     { return l.expired() || (!l.owner_before(who) && !who.owner_before(l)); }),
        lists_.end());
    lists_.push_back(std::move(who));
}

/// Before anything of the context goes.
WEFT_INLINE void watch_service::shutdown()
{
    std::vector<std::weak_ptr<watch_list>> lists;
    {
        std::lock_guard<std::mutex> const lock(mutex_);
        lists.swap(lists_);
    }
    for (std::weak_ptr<watch_list> const& l : lists)
        if (std::shared_ptr<watch_list> const list = l.lock())
            list->forget(context());
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
