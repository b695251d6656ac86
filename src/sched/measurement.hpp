// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_MEASUREMENT_HPP
#define WEFT_SRC_SCHED_MEASUREMENT_HPP

// How a worker measures, when measuring.hpp has decided that it does. Out of line: what is not
// called while nothing is timed is not to change what is inline.

#include <weft/options.hpp>
#include <weft/sched/ready_time.hpp>

#include "sampling.hpp"
#include "shared_state.hpp"
#include "tracing.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace weft
{
namespace detail
{

template <typename Traits>
struct measurement
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;
    using time_point = std::chrono::steady_clock::time_point;

    // Within which the clocks of two threads agree.
    static constexpr std::int64_t agreement = 1'000;

    /// Whether handlers are timed; measuring::on() says whether anything is done, timed or
    /// recorded.
    static bool times(worker const& w) noexcept
    {
        return w.measured.mode != timing::off;
    }

    /// The handler that was timed, or whose end is recorded as the beginning of what follows, has
    /// returned. What is recorded goes another way at once, here and in what follows, so that
    /// timing costs what it did without.
    [[gnu::noinline]] static void end(worker& w) noexcept
    {
        if (w.has(worker::recorded))
            end_recorded(w);
        else
            end_timed(w, time(w));
    }

    [[gnu::noinline]] static void turn(shared& s, worker& w, time_point now) noexcept
    {
        if (w.measured.ring || s.measured.switches() != w.measured.switches)
            turn_recorded(s, w, now);
        else if (times(w))
        {
            keep_clock(w, now);
            sampling<Traits>::go_on_with_gaps(s, w);
            (void)sampling<Traits>::turn_begins(w);
        }
    }

    /// A thread has got the worker for a call, or again in the middle of a handler.
    [[gnu::noinline]] static void join(shared& s, worker& w, bool for_call) noexcept
    {
        auto const now = w.clock.now();
        bool const was_recorded = w.measured.ring != nullptr;
        follow_switches(s, w, now);
        if (was_recorded && w.measured.ring)
            tracing<Traits>::join(w);
        if (!times(w))
            return;
        keep_clock(w, now);
        w.measured.inside.begin(w.measured.looked);
        w.now.store(ready_time_at(now), memory_order_relaxed);
        w.measured.called_at = for_call ? w.measured.looked : 0;
        w.measured.sample_at = 0;
        w.measured.want(
            (for_call && sampling<Traits>::times_call(w)) || w.measured.mode == timing::all);
    }

    [[gnu::noinline]] static void leave(worker& w, bool in_handler) noexcept
    {
        if (w.has(worker::timed))
        {
            if (in_handler)
                w.drop(worker::timed);
            else
                end(w);
        }
        if (w.measured.ring)
            tracing<Traits>::note(w, event_kind::leave);
        if (!times(w) || !w.measured.inside.lasts())
            return;
        // Not its last look, however soon after that: whoever asks is told the time until now.
        std::int64_t const now = nanoseconds_at(w.clock.now());
        sampling<Traits>::inside_since(w, now);
        w.measured.inside.end(now);
    }

    /// Whether the worker has run nothing since it last looked at the clock.
    static bool has_just_looked(worker const& w) noexcept
    {
        return w.measured.looked != 0 && w.measured.looked_after == w.count.handlers.value();
    }

    [[gnu::noinline]] static void begin(shared& s, worker& w, entry const& op) noexcept
    {
        if (w.measured.ring)
            begin_recorded(s, w, op);
        else
            begin_timed(s, w, w.measured.fresh ? w.measured.ended : time(w));
    }

    [[gnu::noinline]] static void sleep(worker& w, bool in_reactor) noexcept
    {
        auto& m = w.measured;
        if (m.ring)
        {
            m.running = 0;
            tracing<Traits>::note(w, event_kind::park, in_reactor ? 1 : 0);
        }
        if (!times(w))
            return;
        m.slept_at = has_just_looked(w) ? m.looked : nanoseconds_at(w.clock.now());
        sampling<Traits>::inside_since(w, m.slept_at);
        (in_reactor ? m.in_reactor : m.parked).begin(m.slept_at);
        m.looked = 0;
    }

    [[gnu::noinline]] static void wake(shared& s, worker& w, bool woken) noexcept
    {
        auto& m = w.measured;
        // Who has slept in the reactor has looked at the clock when that returned.
        auto const now =
            m.looked != 0 ? time_point(std::chrono::nanoseconds(m.looked)) : w.clock.now();
        follow_switches(s, w, now);
        if (m.ring)
            tracing<Traits>::note(w, event_kind::unpark, woken ? 1 : 0);
        std::int64_t const at = nanoseconds_at(now);
        m.parked.end(at);
        m.in_reactor.end(at);
        m.awake_since = at;
        if (!times(w))
            return;
        if (m.looked == 0)
            keep_clock(w, now);
        w.now.store(ready_time_at(now), memory_order_relaxed);
        std::int64_t const since = m.woken_at.load(memory_order_relaxed);
        // Who is late may have meant an earlier sleep.
        if (woken && since != 0 && since + agreement >= m.slept_at)
            m.wake_latency.record(
                std::chrono::nanoseconds((std::max)(at - since, std::int64_t{0})), 1);
        m.woken_at.store(0, memory_order_relaxed);
        m.sample_at = 0;
        // Who does not share runs one handler before it looks. Whether that is timed does not
        // depend on what it has run before.
        m.want(m.mode == timing::all || (!w.shares && sampling<Traits>::times_turn(w, 1)));
    }

    /// Somebody wakes the worker.
    [[gnu::noinline]] static void is_woken(shared& s, worker& w, time_point now) noexcept
    {
        w.measured.woken_at.store(nanoseconds_at(now), memory_order_relaxed);
        if ((s.measured.switches() & s.measured.recording) != 0)
            tracing<Traits>::wakes(s, w);
    }

    /// Keeps what the worker has seen on the clock.
    static void keep_clock(worker& w, time_point now) noexcept
    {
        auto& m = w.measured;
        m.looked = nanoseconds_at(now);
        m.looked_after = w.count.handlers.value();
        m.fresh = false;
    }

    /// Does as it has been told last.
    static void follow_switches(shared& s, worker& w, time_point now) noexcept
    {
        if (s.measured.switches() != w.measured.switches)
            change(s, w, now);
    }

    [[gnu::noinline]] static void change(shared& s, worker& w, time_point now) noexcept
    {
        auto& m = w.measured;
        m.switches = s.measured.switches();
        tracing<Traits>::follow(s, w, (m.switches & s.measured.recording) != 0);
        timing const mode = s.measured.mode_in(m.switches);
        if (mode == m.mode)
            return;
        bool const began = m.mode == timing::off;
        m.mode = mode;
        m.want(mode == timing::all);
        m.looked = 0;
        if (mode == timing::off)
            m.inside.end(nanoseconds_at(now));
        else if (began)
        {
            m.timed_at = w.count.handlers.value();
            m.inside.begin(nanoseconds_at(now));
        }
    }

private:
    static std::uint64_t time(worker& w) noexcept
    {
        return static_cast<std::uint64_t>(Traits::clock::of_handlers(w.clock));
    }

    static void end_timed(worker& w, std::uint64_t now) noexcept
    {
        auto& m = w.measured;
        w.drop(worker::timed);
        m.ended = now;
        m.fresh = true;
        m.knows_since = false;
        auto const elapsed = m.ended > m.began ? m.ended - m.began : 0;
        auto const inside = m.count_inside(w.count.handlers.value());
        m.run_time.record(
            std::chrono::nanoseconds(static_cast<std::int64_t>(elapsed / (1 + inside))),
            m.weight + inside);
    }

    [[gnu::noinline]] static void end_recorded(worker& w) noexcept
    {
        auto const now = Traits::clock::cheap();
        if (w.has(worker::timed))
            return end_timed(w, now);
        w.measured.ended = now;
        w.measured.fresh = true;
    }

    static void begin_timed(shared& s, worker& w, std::uint64_t now) noexcept
    {
        auto& m = w.measured;
        m.wanted = m.mode == timing::all ? m.is_timed : 0;
        m.began = now;
        // If all are timed, the clock goes on between two looks. (While events are recorded that is
        // not the one by which they are.)
        if (m.mode == timing::all)
        {
            auto const passed = static_cast<std::int64_t>(m.ring ? time(w) : now);
            w.now.store(
                ready_time_at(time_point(std::chrono::nanoseconds(passed))), memory_order_relaxed);
        }
        m.weigh(w.count.handlers.value() + 1, w.count.lifo_hits.value());
        std::uint64_t const weight = m.weight + std::exchange(m.ran_inside, 0);
        if (!m.knows_since)
            m.queue_delay.record(std::chrono::nanoseconds(0), weight);
        else
            tell_delay(s, w, weight);
        m.knows_since = false;
        w.take_on(worker::timed);
    }

    /// How long the handler that is timed has been queued, which stands for `weight`. Those from
    /// outside that looked at the clock stand for those that did not.
    static void tell_delay(shared& s, worker& w, std::uint64_t weight) noexcept
    {
        auto& m = w.measured;
        ready_time const now = w.ready_now();
        auto delay = age(m.since, now, a_while);
        if ((m.since & is_estimated) != 0)
        {
            m.untold += weight;
            // It may be told as longer than it was, but not because all have slept.
            if (m.awake_since != 0)
                delay = (std::min)(delay, std::chrono::nanoseconds(m.looked - m.awake_since));
        }
        else
        {
            bool const stands = (m.since & is_sampled) != 0 || m.mode == timing::all;
            m.queue_delay.record(delay, weight + (stands ? std::exchange(m.untold, 0) : 0));
        }
        s.measured.standing.fold(delay, now);
    }

    [[gnu::noinline]] static void begin_recorded(shared& s, worker& w, entry const& op) noexcept
    {
        auto& m = w.measured;
        auto const now = m.fresh ? m.ended : Traits::clock::cheap();
        if ((m.wanted & m.is_timed) != 0)
        {
            begin_timed(s, w, now);
            m.want(m.mode == timing::all);
        }
        else
            m.began = now;
        tracing<Traits>::begin(w, op);
    }

    /// Or one before which something has been switched.
    [[gnu::noinline]] static void turn_recorded(shared& s, worker& w, time_point now) noexcept
    {
        follow_switches(s, w, now);
        if (times(w))
        {
            keep_clock(w, now);
            sampling<Traits>::inside_since(w, w.measured.looked);
            w.measured.want(sampling<Traits>::times_next_turn(w));
        }
        if (w.measured.ring)
            tracing<Traits>::depth(s, w);
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_MEASUREMENT_HPP
