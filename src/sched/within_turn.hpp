// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_WITHIN_TURN_HPP
#define WEFT_SRC_SCHED_WITHIN_TURN_HPP

// What a worker does between two long handlers of one turn: it reads the clock, and takes the
// oldest of what it has and of what all have. A look at everything (between_turns.hpp) touches 150
// lines of code and data, which a long handler has driven out of the first-level caches.

#include "driver_access.hpp"
#include "neighbours.hpp"
#include "sampling.hpp"
#include "search.hpp"
#include "sharing.hpp"
#include "timer_access.hpp"

#include <boost/config.hpp>

#include <chrono>
#include <cstddef>

namespace weft
{
namespace detail
{

template <typename Traits>
struct within_turn
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;
    using time_point = std::chrono::steady_clock::time_point;

    // A turn of a worker that shares goes on until it has lasted so long: a look at everything
    // costs as much as a handler that does little, as the end of a write.
    static constexpr std::chrono::nanoseconds least_turn = pace::target * 3 / 4;

    // And up to so long while what comes next was ready before the last look into the reactor: what
    // is there has come later. Asio looks there once in such a round, however long that is. Not if
    // handlers are shorter in the mean: measured, a server of 10 us a request then does 5 % less.
    static constexpr std::chrono::nanoseconds most_turn = pace::target * 20;
    static constexpr std::chrono::nanoseconds long_enough = pace::target / 2;

    /// For a worker that shares: takes what it runs next, if that belongs to its turn. False if a
    /// look at everything is due, or there is nothing else.
    [[gnu::noinline]] static bool take_next(shared& s, worker& w, entry& op) noexcept
    {
        if (w.run_left != 0 || w.tick_left == 0 || w.turn_start == 0 || w.behind_reactor ||
            !w.lifo.empty() || w.is_searching_or_driving())
            return false;
        auto const now = w.clock.now();
        w.continuations.look(now, false, s.gains_of_waiting);
        if (set_apart(w, now) || !goes_on(s, w, now - w.looked) ||
            timer_access<Traits>::any_due(s, w, now) ||
            neighbours<Traits>::may_have_older(s, w, now))
            return false;
        ready_time const told = ready_clock<Traits>::tell_others(s, ready_time_at(now));
        w.turn_began = told;
        w.now.store(told, memory_order_relaxed);
        w.wakes.look();
        measuring<Traits>::note_clock(w, now);
        sampling<Traits>::turn_goes_on(w);
        if (!take(s, w, op))
            return false;
        --w.tick_left;
        w.early_left = worker::most_early;
        w.lifo_run = 0;
        return true;
    }

private:
    static BOOST_FORCEINLINE bool take(shared& s, worker& w, entry& op) noexcept
    {
        if (!w.ring.empty())
            return take_with_ring(s, w, op);
        if (!w.asio.has_posted())
            return work_search<Traits>::find_injected(s, w, op);
        return sharing<Traits>::share_completed(s, w, op) || take_with_ring(s, w, op);
    }

    [[gnu::noinline]] static bool take_with_ring(shared& s, worker& w, entry& op) noexcept
    {
        if (sharing<Traits>::share(s, w, &op))
            return true;
        measuring<Traits>::takes_oldest(w, w.ring);
        return w.own_pop.pop(w.owned_ring(), op, s.runner);
    }

    /// If the handler that has returned took far longer than most it is a turn of its own, and what
    /// came before it another one: its thread may have lost its core meanwhile, which is asked of
    /// turns only (between_turns::record_turn()). True then.
    static bool set_apart(worker& w, time_point now) noexcept
    {
        std::chrono::nanoseconds const last = age(w.ready_now(), ready_time_at(now));
        if (!w.turn.is_far_longer(1, last - w.wakes.since_look()))
            return false;
        unsigned const handlers = w.turn_start - w.tick_left;
        if (handlers > 1 && last < now - w.looked)
        {
            auto const wakes = w.wakes.end_turn_at_look();
            w.turn.record(handlers - 1, now - w.looked - last - wakes, w.shares, wakes);
            w.looked = now - last;
            w.turn_start = w.tick_left + 1;
        }
        return true;
    }

    static bool goes_on(shared& s, worker& w, std::chrono::nanoseconds lasted) noexcept
    {
        if (lasted < least_turn)
            return true;
        // Nor if somebody sleeps beside it: the worker that was woken may wait for a core
        // (between_turns::wake_in_place_of_searchers()).
        if (lasted >= most_turn || w.turn.mean() < long_enough || s.sleepers.parked() != 0)
            return false;
        // Where little is left, nobody should run out of work that is there.
        return s.injected.size() >= 2 * s.most_at_once() &&
               !driver_access<Traits>::was_polled_before(s, s.injected.oldest());
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_WITHIN_TURN_HPP
