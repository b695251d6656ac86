// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_STANDING_ASIDE_HPP
#define WEFT_SRC_SCHED_STANDING_ASIDE_HPP

// Two workers whose handlers are short and touch the same data get less done than one: each has to
// fetch what it touches from the other's core. A worker finds out whether it is in the way, by
// counting (trial.hpp); then it stands aside, and lets the others run what there is.

#include "search.hpp"
#include "sharing.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

template <typename Traits>
struct standing_aside
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;

    /// For a worker whose turn is over. True if it has stood aside.
    static bool try_after_turn(shared& s, worker& w) noexcept
    {
        return is_due(s, w, w.looked) && go_on(s, w);
    }

    /// For a worker that has nothing left, and would look for work at others. True if it has stood
    /// aside, or is about to learn whether it should.
    static bool try_when_idle(shared& s, worker& w) noexcept
    {
        if (s.runner.is_single() || s.sleepers.active() < 2)
            return false;
        work_search<Traits>::note_idle(s, w);
        if (!is_due(s, w, work_search<Traits>::idle_since(w)))
            return false;
        (void)go_on(s, w);
        return true;
    }

private:
    static bool is_due(shared& s, worker& w, typename Traits::trial::time_point now) noexcept
    {
        return w.aside.is_due(now, w.turn) && !w.has(worker::holds_driver) &&
               (w.aside.begun() ? others_run(s, w) : s.sleepers.active() > 1);
    }

    /// Counts what all get done with the worker, at the first call, and at the next one what they
    /// get done without: what it has goes to all, and it sleeps for a moment, counted as somebody
    /// who searches, so that nobody is woken in its place; again and again while that is more. Work
    /// is late by as long as such a sleep, if the others are kept from it meanwhile. Who goes to
    /// sleep or leaves calls it back. True if the worker has stood aside.
    [[gnu::noinline]] static bool go_on(shared& s, worker& w) noexcept
    {
        auto const now = w.clock.now();
        if (!w.aside.begun())
            w.aside.begin(now, done_by_all(s));
        else if (!w.aside.together(now, done_by_all(s)) ||
                 !work_search<Traits>::become_searcher(s, w))
            w.aside.postpone(now);
        else
        {
            run_queue<Traits>::collect_posted(s, w);
            run_queue<Traits>::flush_slot(s, w);
            if (sharing<Traits>::give_all(s, w))
            {
                stand(s, w);
                return true;
            }
            // There is no memory for it.
            notifier<Traits>::end_search(s, w);
            w.aside.postpone(now);
        }
        return false;
    }

    /// Whether others are inside than the worker and those that sleep or search.
    static bool others_run(shared& s, worker& w) noexcept
    {
        std::uint32_t const self = w.has(worker::searching) ? 0 : 1;
        return s.sleepers.parked() + s.sleepers.searching() + self < s.sleepers.active();
    }

    static tally done_by_all(shared& s) noexcept
    {
        tally sum{0, s.full_sleeps.value()};
        std::size_t const count = s.workers.size();
        for (std::size_t i = 0; i != count; ++i)
            sum.handlers += s.workers[i].count.handlers.value();
        return sum;
    }

    static void stand(shared& s, worker& w) noexcept
    {
        w.count.stood_aside.add(1);
        measuring<Traits>::sleeps(w, false);
        auto now = w.clock.now();
        for (bool again = true; again;)
        {
            sleep(s, w);
            now = w.clock.now();
            again = w.aside.without(now, done_by_all(s)) && others_run(s, w) &&
                    !s.stopped.load(memory_order_relaxed);
        }
        w.aside.end(now);
        // As after any other sleep.
        w.now.store(s.now.load(memory_order_relaxed), memory_order_relaxed);
        measuring<Traits>::wakes(s, w, false);
        w.begin_anew(w.shares ? 0 : 1);
    }

    static void sleep(shared& s, worker& w) noexcept
    {
        s.aside.fetch_add(1, memory_order_relaxed);
        w.stands_aside.store(true, memory_order_relaxed);
        // Who sleeps or leaves from now on calls this worker back; who has done so before is seen
        // here.
        full_fence();
        if (others_run(s, w) && !s.stopped.load(memory_order_relaxed))
            Traits::clock::park_until(w.sleep, Traits::clock::limit(trial::period, nullptr));
        w.stands_aside.store(false, memory_order_relaxed);
        s.aside.fetch_sub(1, memory_order_relaxed);
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_STANDING_ASIDE_HPP
