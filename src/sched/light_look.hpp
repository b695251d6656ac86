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
        if (!ring_goes_first(s, w, now))
            return false;
        begin_turn(s, w, now);
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

    /// Whether what the ring holds, and that is more than one, was there before the last look into
    /// the reactor, which was not long ago; and no timer is due, and the turn was no surprise.
    static bool ring_goes_first(shared& s, worker& w, time_point now) noexcept
    {
        ready_time oldest;
        return w.ring.oldest(oldest) && !driver_access<Traits>::was_polled_before(s, oldest) &&
               age(s.polled.load(memory_order_relaxed), ready_time_at(now)) <
                   driver_access<Traits>::longest_poll_period &&
               !w.turn.is_far_longer(w.turn_start - w.tick_left, now - w.looked) &&
               !timer_access<Traits>::any_due(s, w, now);
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

    static void begin_turn(shared& s, worker& w, time_point now) noexcept
    {
        auto const wakes = w.wakes.in_turn();
        w.turn.record(w.turn_start - w.tick_left, now - w.looked - wakes, false, wakes);
        w.begins_at(now);
        ready_time const at = ready_time_at(now);
        (void)ready_clock<Traits>::tell_others(s, at);
        w.turn_began = w.ready_now();
        w.now.store(at, memory_order_relaxed);
        measure(w, now);
        w.begin_turn((std::min)(sampling<Traits>::length_of_turn(w), w.ring.size()));
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
