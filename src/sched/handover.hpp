// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_HANDOVER_HPP
#define WEFT_SRC_SCHED_HANDOVER_HPP

// Who watches the reactor while its driver runs handlers (standby.hpp).

#include <weft/platform/atomic.hpp>
#include <weft/queue/timer_heap.hpp>
#include <weft/sched/pace.hpp>

#include "shared_state.hpp"

#include <chrono>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{

template <typename Traits>
struct handover
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using watch =
        std::remove_reference_t<decltype(std::declval<typename Traits::driver&>().watch())>;

    // Beside handlers of so much in the mean it costs little to wake somebody for the reactor. Who
    // sleeps there runs on the sender's core when something comes, which is free soon: the kernel
    // knows that a sender is about to sleep. Who watches is put on the core where it ran last,
    // which may be the one that runs the long handler.
    static constexpr std::chrono::nanoseconds long_beside_wake = pace::target;

    /// For a worker that has the driver lock and leaves the reactor, with so many operations at
    /// most in its ring and posted by Asio to the worker, one of which it runs next. If events are
    /// rare, handlers are not long, there is a standby, and all others sleep, has it watch, and
    /// gives the driver lock up. False if not.
    static bool leave_to_standby(shared& s, worker& w, std::size_t most) noexcept
    {
        if constexpr (watch::is_available)
        {
            if (!has_all(s, w, most))
                return false;
            s.standby.is_of_use();
            return s.standby.is_there() && begin_watch(s, w);
        }
        else
            return false;
    }

    /// For a worker that has the driver lock, has looked into the reactor, and gives it up
    /// otherwise: nobody watches any more. A look has told Asio's threads that they need not
    /// interrupt.
    static void call_off(shared& s) noexcept
    {
        if constexpr (watch::is_available)
            s.standby.end();
    }

    /// For a worker that has the driver lock and is to sleep with it.
    static void take_back(shared& s) noexcept
    {
        if constexpr (watch::is_available)
        {
            s.standby.end();
            s.driver->watch().disarm();
        }
    }

    /// For a worker that is counted as asleep and has not got the driver lock: sleeps until it is
    /// unparked, or the reactor is left to it. True if it was the standby, slept as that, and has
    /// the driver lock now. `slept` says whether it has slept.
    static bool stand_by(shared& s, worker& w, bool& slept) noexcept
    {
        slept = false;
        if constexpr (watch::is_available)
        {
            watch& reactor = s.driver->watch();
            if (!reactor.has_reactor() || !s.standby.enter())
                return false;
            if (reactor.open())
            {
                slept = true;
                s.standby.is_ready();
                if (w.sleep.enter_standby())
                {
                    reactor.wait();
                    w.sleep.leave_standby();
                }
            }
            if (!s.standby.leave() || !s.driver_lock.try_take())
                return false;
            w.take_on(worker::holds_driver);
            end_timers_sleep(s);
            return true;
        }
        return false;
    }

    static void wake_standby(shared& s) noexcept
    {
        if constexpr (watch::is_available)
            s.driver->watch().wake();
    }

    /// After leave_to_standby(): whether somebody watches still.
    static bool is_watched(shared& s) noexcept
    {
        // Pairs with standby::leave().
        full_fence();
        return s.standby.is_watching();
    }

private:
    /// Whether all that is left is in the worker's hands, and nobody else is awake, so that nobody
    /// but the worker may need a monitor.
    static bool has_all(shared& s, worker& w, std::size_t most) noexcept
    {
        std::size_t const own = w.ring.size() + (w.asio.has_posted() ? 1 : 0);
        return own <= most && w.slept_for >= watch::least_sleep &&
               w.turn.mean() < long_beside_wake && w.lifo.empty() && s.injected.empty() &&
               s.sleepers.parked() + 1 >= s.sleepers.active();
    }

    [[gnu::noinline]] static bool begin_watch(shared& s, worker& w) noexcept
    {
        if (!s.standby.begin())
            return false;
        if (!begin_timers_sleep(s) || !s.driver->begin_watch())
        {
            s.standby.end();
            end_timers_sleep(s);
            return false;
        }
        // Whoever has watched its slot may be the standby now.
        w.monitored = false;
        w.drop(worker::holds_driver);
        s.driver_lock.release();
        return true;
    }

    /// As if who watches slept with the driver lock.
    static bool begin_timers_sleep(shared& s) noexcept
    {
        if constexpr (!std::is_same<typename Traits::timers, no_timers>::value)
        {
            timer_ticks const until = s.timers.begin_sleep(never);
            try
            {
                return until == never || s.driver->wake_at(until);
            }
            catch (...)
            {
                return false;
            }
        }
        return true;
    }

    static void end_timers_sleep(shared& s) noexcept
    {
        if constexpr (!std::is_same<typename Traits::timers, no_timers>::value)
            s.timers.end_sleep();
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_HANDOVER_HPP
