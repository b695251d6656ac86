// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_MAKE_CANCELLATION_LINK_HPP
#define WEFT_SYNC_MAKE_CANCELLATION_LINK_HPP

#include <weft/platform/recycler.hpp>
#include <weft/sync/cancellation_link.hpp>

#include <new>

namespace weft
{
namespace detail
{

/// Makes a link between a cancellation slot and an operation that is about to wait, in memory that
/// is recycled. Throws std::bad_alloc.
inline cancellation_link* make_cancellation_link()
{
    return ::new (recycler_allocate(sizeof(cancellation_link))) cancellation_link(
        [](cancellation_link* link) noexcept
        {
            link->~cancellation_link();
            recycler_deallocate(link, sizeof(cancellation_link));
        });
}

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_MAKE_CANCELLATION_LINK_HPP
