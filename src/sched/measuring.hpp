// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_MEASURING_HPP
#define WEFT_SRC_SCHED_MEASURING_HPP

// When a worker measures what. Nothing of it is on the way of a handler that is not timed: a worker
// learns what it is to do when it looks at the clock anyway, after a turn, a sleep or its join, and
// the handler whose end it waits for is a duty, which ends the short way to the next one.
//
// Sampled, the first handler of a turn is timed: of each turn where many handlers are one, or where
// one is so long that a reading of the clock is nothing beside it, and of one turn in four in
// between, such as the short ones after a sleep. What was timed stands for all that the worker has
// run since it last timed one: counts are those of handlers.
//
// How long an operation has been queued follows from the ready time that it has in any case. What
// comes from outside, and calls that run a few handlers, look at the clock now and then only
// (sampling.hpp).
//
// Events are recorded in the same places, by a worker that has been told so in the same way; while
// it records, the end of each handler is a duty.

#include <weft/options.hpp>
#include <weft/sched/ready_time.hpp>

#include "measurement.hpp"
#include "noting.hpp"
#include "ready_clock.hpp"
#include "tracing.hpp"

#include <chrono>
#include <cstdint>

namespace weft
{
namespace detail
{

template <typename Traits>
struct measuring
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;
    using time_point = std::chrono::steady_clock::time_point;

    static constexpr bool enabled = Traits::measures::enabled;

    static bool on(worker const& w) noexcept
    {
        if constexpr (enabled)
            return w.measured.switches != 0;
        else
            return false;
    }

    static bool on(shared const& s) noexcept
    {
        if constexpr (enabled)
            return s.measured.switches() != 0;
        else
            return false;
    }

    /// The worker has looked at the clock, at the end of a turn.
    static void turn_ended(shared& s, worker& w, time_point now) noexcept
    {
        if constexpr (enabled)
            if (on(s) || on(w))
                measurement<Traits>::turn(s, w, now);
    }

    /// The worker has looked at the clock for another reason.
    static void note_clock(worker& w, time_point now) noexcept
    {
        if constexpr (enabled)
            if (w.measured.mode != timing::off)
                measurement<Traits>::keep_clock(w, now);
    }

    /// A thread has got the worker, for a call or again in the middle of a handler.
    static void joined(shared& s, worker& w, bool for_call) noexcept
    {
        if constexpr (enabled)
            if ((on(s) || on(w)) && !(for_call && sampling<Traits>::misses_call(s, w)))
                measurement<Traits>::join(s, w, for_call);
    }

    /// The thread gives the worker away, at the end of a handler or in the middle of one.
    static void leaves(worker& w, bool in_handler) noexcept
    {
        if constexpr (enabled)
            if (w.has(worker::timed) || w.measured.ring || w.measured.inside.lasts())
                measurement<Traits>::leave(w, in_handler);
    }

    /// Another run() begins inside the handler, whose own time can no longer be told.
    static void interrupted(worker& w) noexcept
    {
        if constexpr (enabled)
        {
            w.drop(worker::timed);
            noting<Traits>::note(w, event_kind::nest_begin);
        }
    }

    /// The handler that was watched has returned.
    static void handler_ended(worker& w) noexcept
    {
        if constexpr (enabled)
            measurement<Traits>::end(w);
    }

    /// Whether the worker times what it runs next.
    static bool times_next(worker const& w) noexcept
    {
        if constexpr (enabled)
            return w.measured.wanted != 0;
        else
            return false;
    }

    /// The worker is about to run what it has taken.
    static void handler_begins(shared& s, worker& w, entry const& op) noexcept
    {
        if constexpr (enabled)
            if (w.measured.wanted != 0)
                measurement<Traits>::begin(s, w, op);
    }

    /// Time passes while the worker looks for work.
    static void searches(worker& w) noexcept
    {
        if constexpr (enabled)
        {
            w.measured.fresh = false;
            if (w.has(worker::recorded))
                tracing<Traits>::idle(w);
        }
    }

    /// The worker takes what became ready then.
    static void takes(worker& w, ready_time since) noexcept
    {
        if constexpr (enabled)
            if ((w.measured.wanted & w.measured.is_timed) != 0)
            {
                w.measured.since = since;
                w.measured.knows_since = true;
            }
    }

    /// The worker takes what continues its last handler. If it shares it may do so without a look
    /// at the clock; then this one is timed if that one was, for the two are unlike each other.
    static void takes_continuation(worker& w) noexcept
    {
        if constexpr (enabled)
        {
            w.measured.knows_since = false;
            if (w.shares && w.measured.fresh && measurement<Traits>::times(w))
            {
                w.measured.wanted |= w.measured.is_timed;
                w.measured.continues = true;
            }
        }
    }

    /// The worker takes the oldest in a ring, unless somebody is faster.
    template <typename Ring>
    static void takes_oldest(worker& w, Ring const& ring) noexcept
    {
        if constexpr (enabled)
            if ((w.measured.wanted & w.measured.is_timed) != 0)
                w.measured.knows_since = ring.oldest(w.measured.since);
    }

    /// The worker goes to sleep, in the reactor or beside it. What it has done since it last looked
    /// at the clock, if it ran nothing, was in vain.
    static void sleeps(worker& w, bool in_reactor) noexcept
    {
        if constexpr (enabled)
            if (on(w))
                measurement<Traits>::sleep(w, in_reactor);
    }

    /// The worker has slept, and somebody woke it if `woken`.
    static void wakes(shared& s, worker& w, bool woken) noexcept
    {
        if constexpr (enabled)
            if (on(s) || on(w))
                measurement<Traits>::wake(s, w, woken);
    }

    /// Somebody is about to wake the worker.
    static void is_woken(shared& s, worker& w, time_point now) noexcept
    {
        if constexpr (enabled)
            if (on(s))
                measurement<Traits>::is_woken(s, w, now);
    }

    /// A thread gives its worker away to block: since when.
    static std::int64_t blocks(shared& s) noexcept
    {
        if constexpr (enabled)
            return s.measured.mode() != timing::off ? nanoseconds_at(Traits::clock::now()) : 0;
        else
            return 0;
    }

    static void has_blocked(shared& s, std::int64_t since) noexcept
    {
        if constexpr (enabled)
            if (since != 0)
            {
                s.measured.blocking_calls.fetch_add(1, memory_order_relaxed);
                s.measured.blocked.fetch_add(
                    nanoseconds_at(Traits::clock::now()) - since, memory_order_relaxed);
            }
    }

    static void reports_exception(shared& s) noexcept
    {
        if constexpr (enabled)
            s.measured.exceptions.fetch_add(1, memory_order_relaxed);
    }

    /// Since when an operation is ready that comes from outside, after `pushes` others.
    static ready_time ready_outside(shared& s, std::uint64_t pushes) noexcept
    {
        if constexpr (enabled)
            if (on(s))
                return sampling<Traits>::ready_outside(s, pushes);
        return ready_clock<Traits>::now_outside(s);
    }

    /// The same, by the only thread of the process, which is not inside: it will have worker `w`.
    static ready_time ready_outside(shared& s, std::uint64_t pushes, worker const& w) noexcept
    {
        if constexpr (enabled)
            if (on(s))
                return sampling<Traits>::ready_outside(s, pushes,
                    w.measured.calls_are_quick ? sampling<Traits>::few : sampling<Traits>::some);
        return ready_clock<Traits>::now_outside(s);
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_MEASURING_HPP
