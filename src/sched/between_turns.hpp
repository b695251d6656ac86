// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_BETWEEN_TURNS_HPP
#define WEFT_SRC_SCHED_BETWEEN_TURNS_HPP

// What a busy worker does between two turns: it looks at the clock, and at everything that may have
// waited longer than its own work. Local where handlers are short, global where they are long: the
// longer they are, the closer the order of all is to first come, first served
// (doc/design/decisions/0009, doc/design/simulation.md).

#include "driver_access.hpp"
#include "ending.hpp"
#include "neighbours.hpp"
#include "ready_clock.hpp"
#include "sampling.hpp"
#include "search.hpp"
#include "sharing.hpp"

#include <boost/config.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace weft
{
namespace detail
{

template <typename Traits>
struct between_turns
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;
    using time_point = std::chrono::steady_clock::time_point;

    // A handler that takes so long is a turn of its own. Beside it a reading of the clock costs
    // nothing, and a look into the reactor little.
    static constexpr std::chrono::nanoseconds turn_of_its_own = pace::target / 2;

    // Beside handlers of so much a round ends where it should. With shorter ones, which are queued
    // in the turn right after a look, it lasts up to twice as long, for a look costs more than
    // they.
    static constexpr std::chrono::nanoseconds exact_round = pace::target / 5;

    // How many ticks of a worker end without a look after a full one, if the round is not over.
    // With 128 events, and an end of a write for each, it lasts two.
    static constexpr unsigned most_ticks = 3;

    // What a worker runs after a sleep, and all that it has begun, is short if it takes less: an
    // event's handler and the end of its write.
    static constexpr std::chrono::nanoseconds short_turn = pace::target / 2;

    // Beside so much a look costs little.
    static constexpr std::chrono::nanoseconds turn_of_calls = pace::target / 4;

    /// Calls in quick succession that run one handler each are one turn together: the first handler
    /// comes without a look, until the clock says that it is due. If there is one worker; others
    /// may have queued what is older.
    [[gnu::noinline]] static bool begins_call_in_turn(shared& s, worker& w) noexcept
    {
        if (s.workers.size() != 1 || w.turn.fixed() || w.tick_left == 0 ||
            measuring<Traits>::times_next(w) || w.clock.now() - w.looked >= turn_of_calls)
            return false;
        w.has_left = false;
        w.begin_turn(1);
        return true;
    }

    /// Interrupts the work in the worker's own queues, when a turn is over. True if it found
    /// something that goes first: what has waited longer than what is in these queues.
    static bool look_elsewhere(shared& s, worker& w, entry& op)
    {
        // Nothing goes before the continuation of the handler that has just run, while that has its
        // turn. The next look comes right after it.
        bool const continues = !w.lifo.empty() && w.lifo_run < s.opts.lifo_limit && !w.turn.fixed();
        auto const now = w.clock.now();
        w.continuations.look(now, continues, s.gains_of_waiting);
        bool const holds = w.shares && w.asio.has_posted();
        end_turn(s, w, now);
        bool goes_first = BOOST_UNLIKELY(w.shares)
                              ? take_due_to_share(s, w, continues ? nullptr : &op)
                              : timer_access<Traits>::take_due(s, w, continues ? nullptr : &op);
        tick_if_due(s, w, goes_first ? &op : nullptr);
        w.has_left = false;
        if (holds)
            stop_holding(s, w);
        w.begin_turn(continues || w.shares ? 1u : sampling<Traits>::length_of_turn(w));
        if (s.more_is_ready.load(memory_order_relaxed))
            end_with_ring(w);

        if (continues)
        {
            if (w.shares)
                (void)sharing<Traits>::share(s, w, nullptr);
            return false;
        }

        std::chrono::nanoseconds oldest{0};
        ready_time since;
        bool const has_own = w.ring.oldest(since);
        if (has_own)
            oldest = age(since, w.ready_now());
        bool const injected = may_take_injected(s, w, has_own, oldest);
        // Also as a single runner: a thread that has left, or blocks, may have left something
        // behind.
        goes_first = goes_first ||
                     (s.workers.size() != 1 && neighbours<Traits>::take_older(s, w, oldest, op));
        if (w.shares && share(s, w, goes_first ? nullptr : &op))
            goes_first = true;
        w.took_injected = !goes_first && injected && work_search<Traits>::find_injected(s, w, op);
        goes_first = goes_first || w.took_injected;
        wake_in_place_of_searchers(s, w);
        if (!goes_first)
            return false;
        --w.run_left;
        w.lifo_run = 0;
        return true;
    }

    /// timer_access::take_due() for a worker that shares. Whoever is woken for what it shares may
    /// get this core: nothing is in its hands then.
    [[gnu::noinline]] static bool take_due_to_share(shared& s, worker& w, entry* first) noexcept
    {
        bool const will_wake = first && s.sleepers.would_wake();
        return timer_access<Traits>::take_due(s, w, will_wake ? nullptr : first, will_wake);
    }

    /// sharing::share(); if something older goes first, and what was due is all that is in the
    /// ring, that is published.
    [[gnu::noinline]] static bool share(shared& s, worker& w, entry* first) noexcept
    {
        if (sharing<Traits>::share(s, w, first))
            return true;
        if (!first && !w.ring.empty())
            notifier<Traits>::notify_one_by_worker(s, w);
        return false;
    }

    /// Whether it is to ask the queue of all, though it may have something in its ring, which has
    /// waited for `oldest`; how long the older of the two has, then. A single runner has one order
    /// of all: the turn of that queue comes with the empty ring.
    [[gnu::always_inline]] static bool may_take_injected(
        shared& s, worker& w, bool has_own, std::chrono::nanoseconds& oldest) noexcept
    {
        if (s.injected.empty() || s.runner.is_single())
            return false;
        auto const waited = age(s.injected.oldest(), w.ready_now());
        if (has_own && !asks_by_interval(w) && waited <= oldest)
            return false;
        oldest = (std::max)(oldest, waited);
        return true;
    }

    /// The turn ends with what is queued: events wait in the reactor for it to be run.
    [[gnu::noinline]] static void end_with_ring(worker& w) noexcept
    {
        unsigned const queued = (std::max)(w.ring.size(), 1u);
        if (queued < w.run_left)
            w.end_turn_after(queued);
    }

    /// Whether the worker asks the queue of all, though what is there is no older than its own:
    /// after so many handlers, if the user says so. If he says one, not in a row, or what is in the
    /// ring would never be run.
    static bool asks_by_interval(worker& w) noexcept
    {
        return w.turn.fixed() && !(w.took_injected && w.turn.handlers() == 1);
    }

    /// The look is over behind which what Asio has posted was to go. A worker that shares keeps it
    /// until sharing::share().
    static void stop_holding(shared& s, worker& w) noexcept
    {
        w.behind_reactor = false;
        if (!w.shares)
            run_queue<Traits>::collect_posted(s, w);
    }

    [[gnu::always_inline]] static void end_turn(shared& s, worker& w, time_point now) noexcept
    {
        // Early completions count as handlers.
        if (w.turn_start != 0 && w.turn_start != w.tick_left)
            record_turn(w, w.turn_start - w.tick_left, now);
        else if (w.slept && w.turn_start == 0)
            w.first_turn = now - w.looked < short_turn ? 2 : 1;
        w.begins_at(now);
        bool const has_shared = w.shares;
        ready_time const at = ready_time_at(now);
        ready_time const told = ready_clock<Traits>::tell_others(s, at);
        w.turn_began = has_shared ? told : w.ready_now();
        w.shares = sharing<Traits>::handlers_are_long(s, w);
        // What its handlers queue is not to be older than what a look has brought before.
        w.now.store(w.shares ? told : at, memory_order_relaxed);
        measuring<Traits>::turn_ended(s, w, now);
        if (w.shares && !has_shared && !s.injected.empty())
            (void)sharing<Traits>::give_all(s, w);
    }

    static void record_turn(worker& w, unsigned handlers, time_point now) noexcept
    {
        std::chrono::nanoseconds elapsed = now - w.looked - w.wakes.in_turn();
        bool const far_longer = w.turn.is_far_longer(handlers, elapsed);
        thread_usage usage;
        // What its thread has not run may be what it has waited for while it woke somebody.
        if (far_longer && Traits::clock::read_usage(usage))
            elapsed = (std::min)(
                elapsed, w.preempted.without(now - w.looked, now, w.count.handlers.value(), usage));
        w.turn.record(handlers, elapsed, w.shares, w.wakes.in_turn());
        // Whatever it was: if handlers have become long, there must not be many in the next turn.
        if (far_longer)
            w.turn.start_again();
    }

    /// A searcher stands for all who sleep: nobody is woken while one searches. But it may have
    /// been woken, and wait for a core; meanwhile what it would find waits too, and another core
    /// may have nothing to do. So if there has been work for others for a while, one more is woken.
    static void wake_in_place_of_searchers(shared& s, worker& w) noexcept
    {
        if (s.sleepers.parked() == 0 || w.ring.size() + s.injected.size() < 2 ||
            s.aside.load(memory_order_relaxed) != 0)
        {
            w.neglected = 0;
            return;
        }
        if (w.neglected == 0)
            w.neglected = w.ready_now() | 1;
        else if (age(w.neglected, w.ready_now()) >= late_searcher::patience)
        {
            w.neglected = 0;
            notifier<Traits>::wake_another_timed(s, w);
        }
    }

    /// Ends a tick if it is time to. `taken`, if not null, is what the worker runs next; if there
    /// is no reactor to be had, it goes into the worker's queues.
    static void tick_if_due(shared& s, worker& w, entry const* taken)
    {
        if (!reactor_is_due(s, w))
        {
            if (w.tick_left == 0)
            {
                w.tick_left = s.opts.tick_budget;
                ++w.ticks_in_round;
            }
            return;
        }
        try
        {
            tick(s, w);
        }
        catch (...)
        {
            if (taken)
                run_queue<Traits>::place(s, w, *taken, w.ready_now());
            throw;
        }
    }

    /// Ends a tick: looks into the reactor.
    static void tick(shared& s, worker& w)
    {
        if (!w.ring.empty() || !w.lifo.empty())
            w.count.budget_yields.add(1);
        w.tick_left = s.opts.tick_budget;
        w.ticks_in_round = 0;
        s.polled.store(w.ready_now(), memory_order_relaxed);
        ending<Traits>::settle_inner_work(s, w);
        bool const for_posted = w.behind_reactor;
        std::size_t const found = driver_access<Traits>::poll_driver(s, w);
        w.round_end = w.owned_ring().pushed();
        // What the next handler queues belongs to the next round, and what was found does not.
        if (!w.shares && may_last(w, exact_round))
            w.now.store(just_after(w.ready_now()), memory_order_relaxed);
        if (found != 0)
        {
            w.soon = w.least_soon;
            return;
        }
        s.vain_looks.add();
        // Less often, if clients always have their next request there already.
        if (for_posted)
            w.soon = (std::min)(2 * w.soon, w.most_soon);
    }

    /// How long ago the last look into the reactor must have been for one more because of what a
    /// continuation has found ready. What the reactor knows is late by that; where all wait for
    /// long, a part of what they wait is little, and each look costs a microsecond.
    static std::chrono::nanoseconds soon_enough(shared& s, worker& w) noexcept
    {
        if (s.injected.empty())
            return w.soon;
        return (std::max)(w.soon, age(s.injected.oldest(), w.ready_now()) / 16);
    }

    /// Whether its handlers may last so long: of those that single calls run nobody knows.
    static bool may_last(worker const& w, std::chrono::nanoseconds time) noexcept
    {
        return w.has_left || w.turn.mean() >= time;
    }

    /// Whether a worker with other work should look into the reactor: once in a round, when it has
    /// run what was queued at the last look, but neither too often nor too seldom. Not before that
    /// if that look brought as much as one can: the more events it took, the longer what is posted
    /// meanwhile, and a timer, would wait behind them. But a round does not end in time where
    /// others post more than is run.
    static bool reactor_is_due(shared& s, worker& w) noexcept
    {
        auto const since = driver_access<Traits>::since_polled(s, w.ready_now());
        auto const shortest = driver_access<Traits>::shortest_poll_period(s);
        ready_time const last = s.polled.load(memory_order_relaxed);
        bool const was_full =
            w.ticks_in_round < most_ticks && s.more_is_ready.load(memory_order_relaxed);
        // Behind what the reactor has known for longer (run_queue::collect_at_end()).
        if (!was_full && (w.tick_left == 0 ||
                             (w.behind_reactor && age(last, w.ready_now()) >= soon_enough(s, w))))
            return true;
        if (since < shortest &&
            (!may_last(w, turn_of_its_own) || age(last, w.ready_now()) < turn_of_its_own))
            return false;
        if (!was_full && since >= driver_access<Traits>::longest_poll_period)
            return true;
        ready_time own;
        auto const later = [&s](ready_time stamp)
        {
            return driver_access<Traits>::was_polled_before(s, stamp);
        };
        // Or when little is left: nobody should run out of work that is there.
        std::size_t const left = w.ring.size() + s.injected.size() + (w.asio.has_posted() ? 1 : 0);
        return left < 2 || (since >= shortest && left < 2 * s.most_at_once()) ||
               ((s.injected.empty() || later(s.injected.oldest())) &&
                   (!w.ring.oldest(own) || later(own)));
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_BETWEEN_TURNS_HPP
