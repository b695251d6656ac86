// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_MEASURING_HPP
#define WEFT_SRC_SCHED_MEASURING_HPP

// When a worker measures what. Nothing of it is on the way of a handler that is not timed: a worker
// learns what it is to do when it looks at the clock anyway, after a turn, a sleep or its join, and
// the handler whose end it waits for is a duty, which ends the short way to the next one.
//
// Sampled, the first handler of each turn is timed, and that of one wake in four. A turn is about
// 20 us or one handler, so that where handlers are long each of them is timed. What was timed
// stands for all that the worker has run since it last timed one: counts are those of handlers.
//
// How long an operation has been queued follows from the ready time that it has in any case.

#include <weft/options.hpp>
#include <weft/sched/ready_time.hpp>

#include "sched/shared_state.hpp"

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
    using time_point = std::chrono::steady_clock::time_point;

    static constexpr bool enabled = Traits::measures::enabled;

    // One wake in so many is followed by a handler that is timed.
    static constexpr std::uint64_t wakes_per_sample = 4;

    static std::int64_t nanoseconds_at(time_point t) noexcept
    {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(t.time_since_epoch()).count();
    }

    static bool on(worker const& w) noexcept
    {
        if constexpr (enabled)
            return w.measured.mode != timing::off;
        else
            return false;
    }

    static bool on(shared const& s) noexcept
    {
        if constexpr (enabled)
            return s.measured.mode() != timing::off;
        else
            return false;
    }

    /// The worker has looked at the clock, at the end of a turn.
    static void turn_ended(shared& s, worker& w, time_point now) noexcept
    {
        if constexpr (enabled)
            if (on(s) || on(w))
                measure_turn(s, w, now);
    }

    /// The worker has looked at the clock for another reason.
    static void note_clock(worker& w, time_point now) noexcept
    {
        if constexpr (enabled)
            if (on(w))
                keep_clock(w, now);
    }

    /// A thread has got the worker.
    static void joined(shared& s, worker& w) noexcept
    {
        if constexpr (enabled)
            if (on(s) || on(w))
                measure_join(s, w);
    }

    /// The thread gives the worker away, at the end of a handler or in the middle of one.
    static void leaves(worker& w, bool in_handler) noexcept
    {
        if constexpr (enabled)
            if (on(w) || w.has(worker::timed))
                measure_leave(w, in_handler);
    }

    /// Another run() begins inside the handler, whose own time can no longer be told.
    static void interrupted(worker& w) noexcept
    {
        if constexpr (enabled)
            w.drop(worker::timed);
    }

    /// The handler that was timed has returned.
    [[gnu::noinline]] static void handler_ended(worker& w) noexcept
    {
        if constexpr (enabled)
        {
            auto& m = w.measured;
            w.drop(worker::timed);
            m.ended = Traits::clock::cheap();
            m.fresh = true;
            m.knows_since = false;
            auto const elapsed = m.ended > m.began ? m.ended - m.began : 0;
            m.run_time.record(
                std::chrono::nanoseconds(static_cast<std::int64_t>(elapsed)), m.weight);
        }
    }

    /// The worker is about to run what it has taken.
    static void handler_begins(shared& s, worker& w) noexcept
    {
        if constexpr (enabled)
            if (w.measured.wanted)
                measure_begin(s, w);
    }

    /// Time passes while the worker looks for work.
    static void searches(worker& w) noexcept
    {
        if constexpr (enabled)
            w.measured.fresh = false;
    }

    /// The worker takes what became ready then.
    static void takes(worker& w, ready_time since) noexcept
    {
        if constexpr (enabled)
            if (w.measured.wanted)
            {
                w.measured.since = since;
                w.measured.knows_since = true;
            }
    }

    /// The worker takes what continues its last handler.
    static void takes_continuation(worker& w) noexcept
    {
        if constexpr (enabled)
            w.measured.knows_since = false;
    }

    /// The worker takes the oldest in a ring, unless somebody is faster.
    template <typename Ring>
    static void takes_oldest(worker& w, Ring const& ring) noexcept
    {
        if constexpr (enabled)
            if (w.measured.wanted)
                w.measured.knows_since = ring.oldest(w.measured.since);
    }

    /// The worker goes to sleep, in the reactor or beside it. What it has done since it last looked
    /// at the clock, if it ran nothing, was in vain.
    static void sleeps(shared& s, worker& w, bool in_reactor) noexcept
    {
        if constexpr (enabled)
            if (on(w))
                measure_sleep(s, w, in_reactor);
    }

    /// The worker has slept, and somebody woke it if `woken`.
    static void wakes(shared& s, worker& w, bool woken) noexcept
    {
        if constexpr (enabled)
            if (on(s) || on(w))
                measure_wake(s, w, woken);
    }

    /// Somebody is about to wake the worker.
    static void is_woken(shared& s, worker& w) noexcept
    {
        if constexpr (enabled)
            if (on(s))
                w.measured.woken_at.store(
                    nanoseconds_at(Traits::clock::now()), memory_order_relaxed);
    }

    /// A thread gives its worker away to block: since when.
    static std::int64_t blocks(shared& s) noexcept
    {
        return on(s) ? nanoseconds_at(Traits::clock::now()) : 0;
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

    /// Since when an operation is ready that comes from outside: while all sleep nobody looks at
    /// the clock.
    static ready_time ready_outside(shared& s) noexcept
    {
        return on(s) ? ready_time_at(Traits::clock::now()) : s.now.load(memory_order_relaxed);
    }

private:
    // Out of line: what is not called while nothing is timed is not to change what is inline.

    [[gnu::noinline]] static void measure_turn(shared& s, worker& w, time_point now) noexcept
    {
        follow_mode(s, w, now);
        if (on(w))
        {
            keep_clock(w, now);
            w.measured.wanted = true;
        }
    }

    [[gnu::noinline]] static void measure_join(shared& s, worker& w) noexcept
    {
        auto const now = Traits::clock::now();
        follow_mode(s, w, now);
        if (!on(w))
            return;
        keep_clock(w, now);
        w.measured.inside.begin(w.measured.looked);
        w.now.store(ready_time_at(now), memory_order_relaxed);
        w.measured.wanted = w.measured.mode == timing::all;
    }

    [[gnu::noinline]] static void measure_leave(worker& w, bool in_handler) noexcept
    {
        if (w.has(worker::timed))
        {
            if (in_handler)
                w.drop(worker::timed);
            else
                handler_ended(w);
        }
        if (on(w))
            w.measured.inside.end(nanoseconds_at(Traits::clock::now()));
    }

    [[gnu::noinline]] static void measure_begin(shared& s, worker& w) noexcept
    {
        auto& m = w.measured;
        m.wanted = m.mode == timing::all;
        m.began = m.fresh ? m.ended : Traits::clock::cheap();
        // If all are timed, the clock goes on between two looks.
        if (m.mode == timing::all)
        {
            auto const since_look = static_cast<std::int64_t>(m.began - m.looked_cheap);
            w.now.store(ready_time_at(time_point(std::chrono::nanoseconds(m.looked + since_look))),
                memory_order_relaxed);
        }
        std::uint64_t const handlers = w.count.handlers.value() + 1;
        m.weight = handlers - m.timed_at;
        m.timed_at = handlers;
        ready_time const now = w.ready_now();
        auto const delay = m.knows_since ? age(m.since, now) : std::chrono::nanoseconds(0);
        m.queue_delay.record(delay, m.weight);
        if (m.knows_since)
            s.measured.standing.fold(delay, now);
        m.knows_since = false;
        w.take_on(worker::timed);
    }

    [[gnu::noinline]] static void measure_sleep(shared& s, worker& w, bool in_reactor) noexcept
    {
        auto& m = w.measured;
        s.measured.standing.clear();
        m.slept_at = m.looked_after == w.count.handlers.value()
                         ? m.looked
                         : nanoseconds_at(Traits::clock::now());
        (in_reactor ? m.in_reactor : m.parked).begin(m.slept_at);
        m.looked = 0;
    }

    [[gnu::noinline]] static void measure_wake(shared& s, worker& w, bool woken) noexcept
    {
        auto& m = w.measured;
        // Who has slept in the reactor has looked at the clock when that returned.
        auto const now =
            m.looked != 0 ? time_point(std::chrono::nanoseconds(m.looked)) : Traits::clock::now();
        follow_mode(s, w, now);
        std::int64_t const at = nanoseconds_at(now);
        m.parked.end(at);
        m.in_reactor.end(at);
        if (!on(w))
            return;
        if (m.looked == 0)
            keep_clock(w, now);
        w.now.store(ready_time_at(now), memory_order_relaxed);
        std::int64_t const since = m.woken_at.load(memory_order_relaxed);
        // Who is late may have meant an earlier sleep.
        if (woken && since != 0 && since >= m.slept_at)
            m.wake_latency.record(std::chrono::nanoseconds(at - since), 1);
        m.woken_at.store(0, memory_order_relaxed);
        if (w.count.parks.value() % wakes_per_sample == 0)
            m.wanted = true;
    }

    /// Keeps what the worker has seen on the clock.
    static void keep_clock(worker& w, time_point now) noexcept
    {
        auto& m = w.measured;
        m.looked = nanoseconds_at(now);
        m.looked_after = w.count.handlers.value();
        m.fresh = false;
        if (m.mode == timing::all)
            m.looked_cheap = Traits::clock::cheap();
    }

    /// Does as it has been told last.
    static void follow_mode(shared& s, worker& w, time_point now) noexcept
    {
        auto& m = w.measured;
        timing const mode = s.measured.mode();
        if (mode == m.mode)
            return;
        bool const began = m.mode == timing::off;
        m.mode = mode;
        m.wanted = mode == timing::all;
        m.looked = 0;
        if (mode == timing::off)
            m.inside.end(nanoseconds_at(now));
        else if (began)
        {
            m.timed_at = w.count.handlers.value();
            m.inside.begin(nanoseconds_at(now));
        }
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_MEASURING_HPP
