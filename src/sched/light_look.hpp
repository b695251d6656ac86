// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_LIGHT_LOOK_HPP
#define WEFT_SRC_SCHED_LIGHT_LOOK_HPP

// What the only worker of a context does between two turns while all there is to do is in its ring:
// it reads the clock, and sees that nothing else is due. A look at everything (between_turns.hpp)
// would find no more than that, and touches three times as many lines and pages of code and data,
// which a handler of some microseconds, or the kernel, has driven out of the nearest caches.

#include "driver_access.hpp"
#include "measuring.hpp"
#include "ready_clock.hpp"
#include "sampling.hpp"
#include "timer_access.hpp"

#include <boost/config.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace weft
{
namespace detail
{

template <typename Traits>
struct light_look
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;
    using time_point = std::chrono::steady_clock::time_point;
    using nanoseconds = std::chrono::nanoseconds;

    // So many handlers, and so long, its turns may last where it knows that nothing else is due.
    // Few enough for the next look to be near if they become long, and so many that looks cost
    // little beside them. What they queue is told to have waited since the turn began.
    static constexpr unsigned most_handlers = 16;
    static constexpr nanoseconds longest_turn = 5 * pace::target;

    /// Asked first, and inline: at the end of most turns there is nothing to look at lightly where
    /// calls run a handler each, or one handler makes the next one ready.
    static BOOST_FORCEINLINE bool may_do(worker& w) noexcept
    {
        return w.run_left == 0 && !w.has_left && w.ring.size() > 1;
    }

    /// For a worker that does not share: if its turn is over, and a look at everything would bring
    /// nothing but what its ring holds, begins the next turn, and takes that. False if a look at
    /// everything is due.
    [[gnu::noinline]] static bool take_next(shared& s, worker& w, entry& op) noexcept
    {
        if (!is_alone(s, w))
            return false;
        auto const now = w.clock.now();
        auto const free = time_until_due(s, w, now);
        if (free == nanoseconds(0))
            return false;
        begin_turn(s, w, now, free);
        measuring<Traits>::takes_oldest(w, w.ring);
        --w.run_left;
        w.lifo_run = 0;
        if (w.own_pop.pop(w.owned_ring(), op, s.runner))
            return true;
        // Somebody has come, and has taken it.
        w.turn_start = 0;
        return false;
    }

private:
    /// Whether a turn has ended of a worker that nobody is or has been beside, and what it has is
    /// in its ring.
    static bool is_alone(shared& s, worker& w) noexcept
    {
        return w.tick_left != 0 && w.turn_start != 0 && w.turn_start != w.tick_left &&
               w.duties == 0 && !w.behind_reactor && !w.turn.fixed() && w.lifo.empty() &&
               !w.asio.has_posted() && s.runner.is_single() && s.workers.size() == 1 &&
               s.injected.empty() && !is_told(s, w);
    }

    /// For how long what the ring holds goes first, if it was there before the last look into the
    /// reactor, and the turn was no surprise: until another such look is due, or a timer. 0 if it
    /// does not.
    static nanoseconds time_until_due(shared& s, worker& w, time_point now) noexcept
    {
        constexpr nanoseconds now_due{0};
        constexpr nanoseconds period = driver_access<Traits>::longest_poll_period;
        ready_time oldest;
        if (!w.ring.oldest(oldest) || driver_access<Traits>::was_polled_before(s, oldest) ||
            w.turn.is_far_longer(w.turn_start - w.tick_left, now - w.looked))
            return now_due;
        auto const since = age(s.polled.load(memory_order_relaxed), ready_time_at(now));
        if (since >= period)
            return now_due;
        return (std::min)(period - since, timer_access<Traits>::time_until_due(s, w, now));
    }

    /// Whether the worker is to measure something else than before, or records: a look at
    /// everything sees to that.
    static bool is_told(shared const& s, worker const& w) noexcept
    {
        if constexpr (Traits::measures::enabled)
            return w.measured.ring || s.measured.switches() != w.measured.switches;
        else
            return false;
    }

    static void begin_turn(shared& s, worker& w, time_point now, nanoseconds free) noexcept
    {
        auto const wakes = w.wakes.in_turn();
        w.turn.record(w.turn_start - w.tick_left, now - w.looked - wakes, false, wakes);
        w.begins_at(now);
        ready_time const at = ready_time_at(now);
        (void)ready_clock<Traits>::tell_others(s, at);
        w.turn_began = w.ready_now();
        w.now.store(at, memory_order_relaxed);
        sampling<Traits>::begin_gaps(w);
        measure(w, now);
        w.begin_turn(length_of_turn(w, free));
    }

    /// How many handlers the turn that begins has: as many as the worker's pace says; or more of
    /// those that were queued at its last look into the reactor, which come next however often it
    /// looks, if they are over before anything else is due.
    static unsigned length_of_turn(worker& w, nanoseconds free) noexcept
    {
        unsigned const usual = (std::min)(sampling<Traits>::length_of_turn(w), w.ring.size());
        unsigned const left = left_of_round(w);
        auto const time = (std::min)(free, longest_turn).count();
        auto const each = (std::max)(w.turn.unbiased_mean().count(), time / most_handlers);
        if (each == 0 || left <= usual || !sampling<Traits>::handlers_are_middling(w))
            return usual;
        unsigned const in_time =
            (std::min)(static_cast<unsigned>(time / each), sampling<Traits>::until_sample(w));
        return (std::max)((std::min)(in_time, left), usual);
    }

    /// How many in the ring were there after the worker's last look into the reactor.
    static unsigned left_of_round(worker& w) noexcept
    {
        unsigned const queued = w.ring.size();
        unsigned const since = w.owned_ring().pushed() - w.round_end;
        return since < queued ? queued - since : 0;
    }

    /// The first handler of the turn comes right after the look.
    static void measure(worker& w, time_point now) noexcept
    {
        measuring<Traits>::note_clock(w, now);
        if constexpr (Traits::measures::enabled)
            if (auto& m = w.measured; m.mode != timing::off && sampling<Traits>::turn_begins(w))
            {
                m.ended = static_cast<std::uint64_t>(m.looked);
                m.fresh = true;
            }
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_LIGHT_LOOK_HPP
