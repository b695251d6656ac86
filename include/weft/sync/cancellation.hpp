// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_CANCELLATION_HPP
#define WEFT_SYNC_CANCELLATION_HPP

// How a cancellation slot or a timer takes a waiter out, on any thread, while others release and
// while the primitive is destroyed.
//
// Who looks for a waiter in its primitive needs the primitive to stay, and it does by two rules.
// First, whoever takes waiters out severs them all (waits until nobody looks for them) before any
// of them is resumed, for that one may destroy the primitive. Second, whoever looks visits the
// yielding_waiters of the primitive meanwhile: its destructor waits for that, and would otherwise
// not know of somebody who has taken the last waiter out and is not done yet.

#include <weft/sync/cancellation_link.hpp>
#include <weft/sync/served_list.hpp>
#include <weft/sync/time_limit.hpp>
#include <weft/sync/waiter.hpp>
#include <weft/sync/yielding_waiters.hpp>

#include <utility>

namespace weft
{
namespace detail
{

inline void waiter::sever() noexcept
{
    if (cancellation_link* const link = std::exchange(link_, nullptr))
    {
        link->sever();
        link->release();
    }
    if (time_limit* const limit = std::exchange(limit_, nullptr))
        limit->ended();
}

inline bool waiter::cancel(cancellation_link& link, waiter& w, served_list& served) noexcept
{
    return link.try_pin() && w.fulfil_request(link, served);
}

inline bool waiter::started(cancellation_link* link, waiter* w, served_list& served) noexcept
{
    if (!link)
        return false;
    bool const mine = link->started() && w->fulfil_request(*link, served);
    link->release();
    return mine;
}

inline bool waiter::look_and_take_out(served_list& served) noexcept
{
    yielding_->visit();
    bool const mine = take_out_(*this, served);
    served.for_each([](waiter& w, acquisition) { w.sever(); });
    yielding_->returned();
    return mine;
}

/// Takes the waiter out as the slot has asked for. The caller has it pinned.
inline bool waiter::fulfil_request(cancellation_link& link, served_list& served) noexcept
{
    do
    {
        // It learns that it was taken when its turn comes.
        if (yields())
            yielding_->take(*this);
        else if (look_and_take_out(served))
        {
            link.sever_pinned();
            return true;
        }
    } while (!link.unpin());
    return false;
}

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_CANCELLATION_HPP
