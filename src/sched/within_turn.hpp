// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_WITHIN_TURN_HPP
#define WEFT_SRC_SCHED_WITHIN_TURN_HPP

// What a worker does between two long handlers of one turn: it reads the clock, and takes the
// oldest of what it has and of what all have. A look at everything (between_turns.hpp) touches 150
// lines of code and data, which a long handler has driven out of the first-level caches.

#include "neighbours.hpp"
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
        w.continuations.look(now, false);
        if (!goes_on(s, w, now - w.looked) || timer_access<Traits>::any_due(s, w, now) ||
            neighbours<Traits>::may_have_older(s, w, now))
            return false;
        ready_time const told = ready_clock<Traits>::tell_others(s, ready_time_at(now));
        w.turn_began = told;
        w.now.store(told, memory_order_relaxed);
        measuring<Traits>::note_clock(w, now);
        if (!take(s, w, op))
            return false;
        --w.tick_left;
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
        return sharing<Traits>::share(s, w, &op) || w.own_pop.pop(w.owned_ring(), op, s.runner);
    }

    static bool goes_on(shared& s, worker& w, std::chrono::nanoseconds lasted) noexcept
    {
        if (lasted < least_turn)
            return true;
        if (lasted >= most_turn || w.turn.mean() < long_enough)
            return false;
        // Where little is left, nobody should run out of work that is there.
        std::size_t const left = s.injected.size();
        return left >= 2 && left >= 2 * s.most_at_once() &&
               !is_younger(s.injected.oldest(), s.polled.load(memory_order_relaxed));
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_WITHIN_TURN_HPP
