// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_CANCELLABLE_WAITER_HPP
#define WEFT_SYNC_CANCELLABLE_WAITER_HPP

// A waiter that a cancellation slot or a timer may take out, on any thread, while others release
// and while the primitive is destroyed.
//
// Who looks for a waiter in its primitive needs the primitive to stay, and it does by two rules.
// First, whoever takes waiters out severs them all (waits until nobody looks for them) before any
// of them is resumed, for that one may destroy the primitive. Second, whoever looks visits the
// yielders of the primitive meanwhile: its destructor waits for that, and would otherwise not know
// of somebody who has taken the last waiter out and is not done yet.

#include <weft/sync/cancellation_link.hpp>
#include <weft/sync/time_limit.hpp>
#include <weft/sync/waiter.hpp>
#include <weft/sync/yielders.hpp>

#include <utility>

namespace weft
{
namespace detail
{

class cancellable_waiter : public yielder
{
public:
    /// By whoever takes the waiter out, or has not put it in. Nobody looks for it from then on.
    void sever() noexcept
    {
        if (cancellation_link* const link = std::exchange(link_, nullptr))
        {
            link->sever();
            link->release();
        }
        if (time_limit* const limit = std::exchange(limit_, nullptr))
            limit->ended();
    }

    /// For the slot, which has a share of `link`. True if it has taken the waiter out, which is the
    /// caller's then. Waiters that are served thereby are put into `served`, severed, for the
    /// caller to resume.
    [[nodiscard]] static bool cancel(
        cancellation_link& link, cancellable_waiter& w, served_list& served) noexcept
    {
        return link.try_pin() && w.fulfil_request(link, served);
    }

    /// The same for whoever has put the waiter in, which may be gone: if there was a signal
    /// meanwhile. `link` is the waiter's, as it was before, and may be null.
    [[nodiscard]] static bool started(
        cancellation_link* link, cancellable_waiter* w, served_list& served) noexcept
    {
        if (!link)
            return false;
        bool const mine = link->started() && w->fulfil_request(*link, served);
        link->release();
        return mine;
    }

protected:
    /// Takes the waiter out of the state it waits in, as semaphore_state::cancel().
    using take_out_type = bool (*)(cancellable_waiter&, served_list& served) noexcept;

    // `limit`: null for one that waits without.
    cancellable_waiter(yielders& yielding, take_out_type take_out, time_limit* limit) noexcept
        : yielders_(yielding), take_out_(take_out), limit_(limit)
    {
    }

    ~cancellable_waiter() = default;

    /// Takes the waiter out for who looks for it. Whether it was there; it is not severed.
    [[nodiscard]] bool look_and_take_out(served_list& served) noexcept
    {
        yielders_.visit();
        bool const mine = take_out_(*this, served);
        served.for_each(
            [](waiter& w, acquisition) { static_cast<cancellable_waiter&>(w).sever(); });
        yielders_.returned();
        return mine;
    }

    // The primitive's, and gone with it. It ends all waits before.
    yielders& yielders_;

    // While there is a slot that may cancel it.
    cancellation_link* link_ = nullptr;

private:
    // The waiter is pinned by the caller.
    bool fulfil_request(cancellation_link& link, served_list& served) noexcept
    {
        do
        {
            // It learns that it was taken when its turn comes.
            if (yields())
                yielders_.take(*this);
            else if (look_and_take_out(served))
            {
                link.sever_pinned();
                return true;
            }
        } while (!link.unpin());
        return false;
    }

    take_out_type const take_out_;

    // Until the wait has ended.
    time_limit* limit_;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_CANCELLABLE_WAITER_HPP
