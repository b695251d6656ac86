// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_NOTIFIER_HPP
#define WEFT_SRC_SCHED_NOTIFIER_HPP

// Who wakes whom: what a thread does that has published work, or that ends its search. All that is
// published goes through here (but for what is exchanged: idle.hpp, lemma 5), and nobody else
// unparks a worker.

#include <weft/platform/atomic.hpp>
#include <weft/sched/pace.hpp>
#include <weft/sched/ready_time.hpp>

#include "../platform/probe.hpp"
#include "handover.hpp"
#include "measuring.hpp"

#include <boost/config.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

template <typename Traits>
struct notifier
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;

    // Posts that wait and come so fast that not each of them can look at the clock.
    static constexpr std::size_t many = 16;

    /// Not inline: who submits has a reason to call this once in many times.
    [[gnu::noinline]] static void notify_one(shared& s) noexcept
    {
        if (s.sleepers.prepare_notify())
            wake_one(s);
    }

    /// After prepare_notify().
    static void wake_one(shared& s) noexcept
    {
        wake(s, s.sleepers.commit_notify(idle::searchers::count, s.crowded_cpu()));
    }

    /// In place of somebody who was woken, and may wait for a core: wherever that one was put.
    static void wake_another(shared& s) noexcept
    {
        wake(s, s.sleepers.commit_notify(idle::searchers::do_not_count));
    }

    // Behind handlers of so much in the mean nobody is to wait for a core while another one may be
    // free.
    static constexpr std::chrono::nanoseconds long_to_wait = pace::target;

    /// Where a worker goes to sleep, if it may be woken rather than others because of that. Where
    /// its thread can run nowhere else it would wait for that core though others are free.
    static std::uint32_t sleeps_on(shared const& s, worker const& w) noexcept
    {
        return s.opts.pin || w.turn.unbiased_mean() >= long_to_wait ? sleeper_set::any_cpu
                                                                    : s.crowded_cpu();
    }

    /// For a worker. Nothing is to do while nobody else is inside; and whoever joins after the work
    /// was put where it is looks for it (join() has the fence that is missing here).
    static BOOST_FORCEINLINE void notify_one_by_worker(shared& s, worker& w) noexcept
    {
        compiler_fence();
        if (!s.runner.is_unseen())
            notify_one_timed(s, w);
    }

    // The same by a worker: what it takes is no part of the time that its handlers take.

    [[gnu::noinline]] static void notify_one_timed(shared& s, worker& w) noexcept
    {
        if (s.sleepers.prepare_notify())
            timed(w, [&s] { wake_one(s); });
    }

    static void wake_another_timed(shared& s, worker& w) noexcept
    {
        timed(w, [&s] { wake_another(s); });
    }

    template <typename Wake>
    static void timed(worker& w, Wake wake) noexcept
    {
        auto const began = w.clock.now();
        wake();
        w.wakes.add(w.clock.now() - began);
    }

    static void wake(shared& s, std::size_t index) noexcept
    {
        if (index == idle::none)
            return;
        auto const now = Traits::clock::now();
        s.late_searcher.woken(ready_time_at(now));
        measuring<Traits>::is_woken(s, s.workers[index], now);
        WEFT_PROBE2(wake, &s, index);
        unpark(s, s.workers[index]);
    }

    /// For who has published something in the queue of all, and would wake somebody if nobody
    /// searched: whether the one who searches has been woken, and does not come.
    static BOOST_FORCEINLINE bool searcher_is_late(shared& s) noexcept
    {
        std::size_t const size = s.injected.size();
        // Of many one in so many asks: it has the lock of the queue.
        return (size < many || size % (4 * many) == 0) && s.sleepers.coming() != 0 &&
               s.sleepers.parked() != 0 && s.aside.load(memory_order_relaxed) == 0 &&
               nobody_has_come(s);
    }

    /// Sees to it that the slot of the caller is watched (idle::arm_monitor()). The standby is no
    /// monitor: it becomes one as whoever else is woken takes the driver lock.
    [[gnu::noinline]] static void arm_monitor(shared& s) noexcept
    {
        std::size_t const index = s.sleepers.arm_monitor();
        if (index == idle::none && s.standby.is_watching())
            notify_one(s);
        else
            wake(s, index);
    }

    /// For whoever goes to sleep or leaves, and has been counted as that: wakes those that stand
    /// aside (standing_aside.hpp), since one less runs what there is.
    static void call_back(shared& s) noexcept
    {
        // Pairs with the fence of standing_aside::sleep().
        full_fence();
        if (s.aside.load(memory_order_relaxed) == 0)
            return;
        std::size_t const count = s.workers.size();
        for (std::size_t i = 0; i != count; ++i)
            if (s.workers[i].stands_aside.exchange(false, memory_order_relaxed))
                // It may have woken by itself meanwhile, and sleep in the reactor by now.
                unpark(s, s.workers[i]);
    }

    static void unpark(shared& s, worker& w) noexcept
    {
        switch (w.sleep.unpark())
        {
        case unpark_result::done:
            break;
        case unpark_result::interrupt_driver:
            s.driver->interrupt();
            break;
        case unpark_result::wake_standby:
            handover<Traits>::wake_standby(s);
            break;
        }
    }

    /// For a worker that is about to run something: it is no searcher any more and does not keep
    /// the driver lock, and if that leaves something for others to do, one of them is woken first.
    static BOOST_FORCEINLINE void end_search(shared& s, worker& w) noexcept
    {
        if (w.has(worker::searching) || w.has(worker::holds_driver))
            hand_over(s, w);
    }

    [[gnu::noinline]] static void hand_over(shared& s, worker& w) noexcept
    {
        bool for_others = false;
        if (w.has(worker::searching))
        {
            w.drop(worker::searching);
            // The last searcher's duty: while it was counted, others who published woke nobody.
            // Only if there is something, or a single wake would set off a chain.
            for_others = s.sleepers.stop_searching() && work_in_sight(s);
        }
        if (w.has(worker::holds_driver))
            release_driver(s, w, 0, for_others);
        else if (for_others)
            notify_one_timed(s, w);
    }

    /// For a worker that looks no further, without having found anything.
    static void give_up_search(shared& s, worker& w) noexcept
    {
        bool const unfinished = w.has(worker::searching);
        end_search(s, w);
        // A wake that led to nothing here was meant for somebody who looks.
        if (unfinished)
            notify_one(s);
    }

    [[gnu::noinline]] static bool nobody_has_come(shared& s) noexcept
    {
        // As many are gone, less those that were pushed several at a time.
        std::uint64_t const taken = s.injected.pushes() - s.injected.size();
        return s.late_searcher.is_late(taken, s.now.load(memory_order_relaxed),
            [] { return ready_time_at(Traits::clock::now()); });
    }

    /// Whether anything is queued, or the driver lock free: it may just have been left.
    static bool work_in_sight(shared& s) noexcept
    {
        // Pairs with the fence of idle::prepare_notify(): what was published by somebody who saw
        // this thread searching is seen here.
        full_fence();
        if (!s.injected.empty() || !(s.driver_lock.taken() || s.standby.is_watching()))
            return true;
        bool const slots = s.slots_are_open();
        std::size_t const count = s.workers.size();
        for (std::size_t i = 0; i != count; ++i)
            if (!s.workers[i].ring.empty() || (slots && !s.workers[i].lifo.empty()))
                return true;
        return false;
    }

    /// Gives the driver lock up, for somebody who sleeps to take; or to the standby, unless there
    /// is something `for_others`, or more than so many operations are the worker's own: it wakes
    /// nobody then.
    static void release_driver(
        shared& s, worker& w, std::size_t most, bool for_others = false) noexcept
    {
        if (!for_others && handover<Traits>::leave_to_standby(s, w, most))
        {
            if (!handover<Traits>::is_watched(s))
                notify_one(s);
            return;
        }
        handover<Traits>::call_off(s);
        w.drop(worker::holds_driver);
        s.driver_lock.release();
        notify_one_by_worker(s, w);
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_NOTIFIER_HPP
