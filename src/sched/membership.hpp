// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_MEMBERSHIP_HPP
#define WEFT_SRC_SCHED_MEMBERSHIP_HPP

// How a thread gets a worker and is counted in, how it leaves, and what becomes of its worker while
// it blocks. Whoever leaves keeps nothing that others wait for.

#include <weft/platform/single_threaded.hpp>

#include "basic_run_level.hpp"
#include "ending.hpp"
#include "run_queue.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace weft
{
namespace detail
{

template <typename Traits>
struct membership
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using run_level = basic_run_level<Traits>;

    static void join(shared& s, run_level& f, joins_as kind)
    {
        worker& w = kind == joins_as::passing ? s.workers.acquire(s.sleepers)
                                              : s.workers.acquire_reserved();
        count_in(s, w);
        measuring<Traits>::joined(s, w, true);
        f.w = &w;
        f.entry.emplace(s.driver->inner(), w.asio);
    }

    /// Counts a thread in that has got worker `w`.
    static void count_in(shared& s, worker& w) noexcept
    {
        if (process_is_single_threaded() && s.runner.is_single())
        {
            s.sleepers.join();
            w.monitored = false;
        }
        else
            count_in_among_others(s, w);
        w.now.store(s.now.load(memory_order_relaxed), memory_order_relaxed);
    }

    static void count_in_among_others(shared& s, worker& w) noexcept
    {
        bool tell = false;
        idle::awakening const now =
            s.sleepers.join([&](std::uint32_t others) { tell = s.runner.thread_joins(others); });
        if (tell)
        {
            s.runner.tell_runner(
                [&s]
                {
                    std::size_t const count = s.workers.size();
                    for (std::size_t i = 0; i != count; ++i)
                        s.workers[i].own_pop.await_end();
                });
            // What that one has pushed it will not publish; this thread does, for a third one that
            // has joined meanwhile and may have gone to sleep: this thread may not look at all (it
            // may come back from run_blocking() into its handler).
            notifier<Traits>::notify_one(s);
        }
        else
            s.runner.await_telling();
        w.monitored = now.monitor_armed;
    }

    static void leave(shared& s, run_level& f, joins_as kind) noexcept
    {
        worker& w = *f.worker_here();
        measuring<Traits>::leaves(w, false);
        empty_hands(s, w);
        w.woken_after = worker::not_woken;
        if (w.continuations.begun())
            w.continuations.look(w.clock.now(), false, s.gains_of_waiting);
        // One handler at a time, by one call after the other, is a turn each, or a part of one. As
        // begin_anew(): continuations have been forgotten.
        w.begin_cautiously(w.run_left != 0 ? 1 : 0);
        w.preempted.forget();
        w.has_left = true;
        f.entry.reset();
        f.w = nullptr;
        s.workers.release(w, kind == joins_as::recurring);
        count_out(s);
    }

    /// For a worker that leaves: it keeps nothing that others wait for.
    static void empty_hands(shared& s, worker& w) noexcept
    {
        if (w.asio.has_posted())
            run_queue<Traits>::collect_posted(s, w);
        if (!w.lifo.empty())
        {
            run_queue<Traits>::flush_slot(s, w);
            // It does not come right after its handler any more: who comes next looks first.
            w.tick_left += std::exchange(w.run_left, 0);
            w.continuations.forget();
        }
        notifier<Traits>::give_up_search(s, w);
        ending<Traits>::flush_work(s, w);
    }

    /// Under the lock of the sleepers.
    static void one_less(shared& s, std::uint32_t left) noexcept
    {
        s.runner.thread_leaves(left);
        notifier<Traits>::call_back(s);
    }

    static void count_out(shared& s) noexcept
    {
        auto const done = [&s]
        {
            return ending<Traits>::no_work_left(s);
        };
        bool finished;
        if (process_is_single_threaded())
        {
            s.sleepers.leave();
            finished = done();
        }
        else
            finished = s.sleepers.leave([&s](std::uint32_t left) { one_less(s, left); }, done);
        if (finished)
            ending<Traits>::stop(s);
    }

    /// For the owner's destructor on a thread that is inside.
    static void orphan_this_thread(shared& s) noexcept
    {
        for (detail::run_level* any = Traits::current(); any; any = any->outer)
        {
            if (any->sched != &s)
                continue;
            auto& f = static_cast<run_level&>(*any);
            if (f.w)
            {
                measuring<Traits>::leaves(*f.worker_here(), true);
                empty_hands(s, *f.worker_here());
                count_out(s);
            }
            else
                // Inside run_blocking(), and counted out already.
                f.w = &s.workers.acquire_reserved();
            // Asio must not find the context's scheduler on this thread any more.
            f.entry->hide();
            f.worker_here()->take_on(worker::orphaned);
            noting<Traits>::orphaned(*f.worker_here());
            f.kept = s.workers.surrender(*f.worker_here());
            f.sched = nullptr;
        }
    }

    static void hand_off(shared& s, run_level& f) noexcept
    {
        worker& w = *f.worker_here();
        s.blocked.fetch_add(1, memory_order_relaxed);
        measuring<Traits>::leaves(w, true);
        f.blocks_since = measuring<Traits>::blocks(s);
        f.running = noting<Traits>::running(w);
        // The handler that blocks is outstanding work, and nobody's queue says so.
        ++w.work_delta;
        run_queue<Traits>::collect_posted(s, w);
        run_queue<Traits>::flush_slot(s, w);
        ending<Traits>::flush_work(s, w);
        f.has_granted = w.has_granted();
        f.entry->hide();
        f.w = nullptr;
        s.workers.release(w, true);
        (void)s.sleepers.leave(
            [&s](std::uint32_t left) { one_less(s, left); }, [] { return false; });
        // What was in the queues is now for others, who may all be asleep.
        notifier<Traits>::notify_one(s);
        if (s.spare_owner)
            s.spare_owner->worker_blocks();
    }

    static void take_back(shared& s, run_level& f) noexcept
    {
        if (s.spare_owner)
            s.spare_owner->worker_returns();
        measuring<Traits>::has_blocked(s, f.blocks_since);
        worker& w = s.workers.acquire_reserved();
        count_in(s, w);
        measuring<Traits>::joined(s, w, false);
        noting<Traits>::resumes(w, f.running);
        f.w = &w;
        f.entry->show(s.driver->inner(), w.asio);
        --w.work_delta;
        s.blocked.fetch_sub(1, memory_order_relaxed);
        // The worker may be another one, and what it knows about that of another handler.
        w.forget_pushed();
        w.has_granted(f.has_granted);
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_MEMBERSHIP_HPP
