// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_PARKER_HPP
#define WEFT_PLATFORM_PARKER_HPP

// Parks and unparks one thread, on a futex, in the reactor or beside it: the one place where a
// worker sleeps.
//
// The word holds a token. unpark() leaves NOTIFIED, whatever was there; park() takes it. A token
// that arrives early makes the next park() return at once, so a token may be stale: after waking,
// the worker learns its role from the set of sleepers (sched/idle.hpp), never from the token.
//
//   EMPTY --park--> PARKED, IN_DRIVER or STANDING_BY --unpark--> NOTIFIED --park returns--> EMPTY
//
// Both sides exchange: a plain store of EMPTY after waking could erase a NOTIFIED that came later
// without acquiring what its sender wrote (the trap T6.5 of Volt's park state).

#include <weft/platform/atomic.hpp>
#include <weft/platform/futex.hpp>
#include <weft/platform/visibility.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

/// What unpark() obliges its caller to do.
enum class unpark_result
{
    done,             ///< the thread runs, or has been woken
    interrupt_driver, ///< the thread waits in the reactor: the caller must interrupt the reactor
    wake_standby      ///< the thread watches the reactor: the caller must end its wait
};

/// Where a thread sleeps.
enum class resting
{
    no,
    parked,
    in_driver
};

class WEFT_DECL parker
{
public:
    /// Sleeps until a token comes. Owner only.
    void park() noexcept
    {
        if (!enter(parked))
            return;
        while (state_.load(memory_order_relaxed) == parked)
            futex_wait(state_, parked);
        leave();
    }

    /// Sleeps until a token comes or the time is reached. Owner only.
    void park_until(deadline until) noexcept;

    /// Announces that the owner goes to sleep in the reactor. If false a token was waiting and has
    /// been taken: the owner does not sleep. Owner only.
    [[nodiscard]] bool enter_driver() noexcept
    {
        return enter(in_driver);
    }

    /// Ends enter_driver() when the reactor has returned, for whatever reason. Owner only.
    void leave_driver() noexcept
    {
        leave();
    }

    /// The same for a sleep beside the reactor (sched/standby.hpp).
    [[nodiscard]] bool enter_standby() noexcept
    {
        return enter(standing_by);
    }

    void leave_standby() noexcept
    {
        leave();
    }

    /// What the owner does, at this moment. Any thread.
    resting rest() const noexcept
    {
        switch (state_.load(memory_order_relaxed))
        {
        case parked:
        case standing_by:
            return resting::parked;
        case in_driver:
            return resting::in_driver;
        default:
            return resting::no;
        }
    }

    /// Leaves a token and wakes the owner if it sleeps on the futex. Any thread.
    [[nodiscard]] unpark_result unpark() noexcept
    {
        // Release publishes what the waker wrote; acquire, because the previous token's sender is
        // thereby ordered before whoever takes this one.
        switch (state_.exchange(notified, memory_order_acq_rel))
        {
        case parked:
            futex_wake(state_, 1);
            return unpark_result::done;
        case in_driver:
            return unpark_result::interrupt_driver;
        case standing_by:
            return unpark_result::wake_standby;
        default:
            return unpark_result::done;
        }
    }

private:
    enum : std::uint32_t
    {
        empty,
        parked,
        in_driver,
        standing_by,
        notified
    };

    bool enter(std::uint32_t how) noexcept
    {
        std::uint32_t expected = empty;
        if (state_.compare_exchange_strong(
                expected, how, memory_order_acq_rel, memory_order_acquire))
            return true;
        leave();
        return false;
    }

    void leave() noexcept
    {
        state_.exchange(empty, memory_order_acq_rel);
    }

    // Written by the owner and by every waker, by read-modify-write only.
    atomic<std::uint32_t> state_{empty};
};

} // namespace detail
} // namespace weft

#endif // WEFT_PLATFORM_PARKER_HPP
