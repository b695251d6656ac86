// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_SEARCH_HPP
#define WEFT_SRC_SCHED_SEARCH_HPP

// Where a worker that has nothing left of its own finds work: in the injection queue, and at the
// other workers.

#include <weft/platform/backoff.hpp>
#include <weft/sched/ready_time.hpp>

#include "../platform/probe.hpp"
#include "run_queue.hpp"
#include "sharing.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

template <typename Traits>
struct work_search
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;
    using node = typename Traits::node;
    using item = typename shared::item;

    // Processor pauses between two searches of a spinning worker: guessed.
    static constexpr unsigned pauses = 32;

    // Work that comes at longer intervals than this is not waited for by searching. Some ten times
    // as long as the search; several times what it takes to wake somebody who wakes somebody in
    // turn (doc/design/decisions/0006). Measured: 50 to 200 us are alike, but where others want the
    // core: a request each 100 us is answered later for the search, one each 50 us is not.
    static constexpr std::chrono::microseconds long_interval{60};

    // Most that one look at the injection queue brings into a ring.
    static constexpr std::size_t injection_batch = 128;

    /// Shows all workers but `w` to `visit`, from a random one on, until it returns true: whether
    /// it did.
    template <typename Visit>
    static bool any_other(shared& s, worker& w, Visit visit)
    {
        std::size_t const count = s.workers.size();
        std::size_t victim = w.random_below(count);
        for (std::size_t i = 0; i != count; ++i, ++victim)
        {
            if (victim == count)
                victim = 0;
            worker& other = s.workers[victim];
            if (&other != &w && visit(other))
                return true;
        }
        return false;
    }

    static bool find_injected(shared& s, worker& w, entry& op) noexcept
    {
        if (s.injected.empty())
            return false;
        if (wakes_for_the_rest(s, w))
            notifier<Traits>::hand_over(s, w);
        // Room for the next look at the reactor stays free.
        std::uint32_t const room = w.owned_ring().free_slots();
        std::size_t const spare =
            room > Traits::driver::max_unlinkable ? room - Traits::driver::max_unlinkable : 0;
        std::size_t const sharers = sharing<Traits>::sharers(s);
        bool first = true;
        measuring<Traits>::takes(w, s.injected.oldest());
        std::size_t const taken = s.injected.pop_batch(
            [&](std::size_t size)
            {
                // Of long handlers few: what has gone into a ring does not wait for whoever is
                // free.
                std::size_t const share = w.shares ? std::size_t{1} : size / sharers + 1;
                return (std::min)({share, injection_batch, spare + 1});
            },
            [&](item const& injected)
            {
                entry const ready = shared::entry_of(injected);
                if (first)
                    op = ready;
                else
                {
                    bool const fits = w.owned_ring().push(ready, injected.stamp);
                    assert(fits);
                    (void)fits;
                }
                first = false;
            });
        if (taken == 0)
            return false;
        w.count.injection_fetches.add(1);
        noting<Traits>::note(w, event_kind::fetch, taken);
        WEFT_PROBE3(fetch, &s, w.index, taken);
        // A sleeper that looked into the ring before and into the queue after may have missed it.
        if (taken > 1)
            notifier<Traits>::notify_one_by_worker(s, w);
        return true;
    }

    /// Whether a worker that searches, or keeps the driver lock, will wake another one for the rest
    /// of the queue of all, once it has taken its part. It does that before it takes any: the
    /// kernel may let the one that is woken run on this core, and what this worker had in its hands
    /// would wait, behind what is younger.
    static bool wakes_for_the_rest(shared& s, worker& w) noexcept
    {
        return w.is_searching_or_driving() && s.injected.size() > 1 &&
               s.sleepers.would_wake(w.has(worker::searching));
    }

    using time_point = std::chrono::steady_clock::time_point;

    static time_point idle_since(worker const& w) noexcept
    {
        return time_point(std::chrono::nanoseconds(w.idle_since.load(memory_order_relaxed)));
    }

    /// For a worker that has nothing left, once for each time: thieves want to know since when, and
    /// what it stole last is to be judged.
    static void note_idle(shared& s, worker& w) noexcept
    {
        std::uint64_t const handlers = w.count.handlers.value();
        bool const known = w.idle_after == handlers;
        if (known && !w.slept)
            return;
        auto const now = w.clock.now();
        // The rate at which work comes is judged by the time from the last moment without work to
        // this one, with what the worker has run in between. The clock is not read right after the
        // sleep: somebody waits for what the worker runs then, and reading the clock takes as long
        // as all else here.
        if (w.slept)
            w.low_rate = now - idle_since(w) > long_interval;
        w.slept = false;
        if (known)
            return;
        w.idle_after = handlers;
        w.idle_since.store(nanoseconds_at(now), memory_order_relaxed);
        if (w.single_steals.owner() == Traits::single_task_steals::nobody)
            return;
        worker const& owner = s.workers[w.single_steals.owner()];
        w.single_steals.ran_out(owner.count.handlers.value(), idle_since(owner));
    }

    /// Counts the worker as a searcher, unless half of all are. Whether it is one.
    static bool become_searcher(shared& s, worker& w) noexcept
    {
        if (w.has(worker::searching))
            return true;
        if (!s.sleepers.try_search())
            return false;
        w.take_on(worker::searching);
        return true;
    }

    static bool look_at_others(shared& s, worker& w, entry& op) noexcept
    {
        if (s.runner.is_single() || s.sleepers.active() < 2)
            return false;
        note_idle(s, w);
        if (!become_searcher(s, w))
            return false;
        // Each look at the ring of a busy worker costs that worker some hundred nanoseconds. A
        // thief whose single-task steals were unprofitable looks in every second round.
        bool const gives_grace = w.single_steals.unprofitable();
        // It searches once where work comes at a low rate: not only for the processor time. A
        // thread that goes to sleep right after a yield, or after turning in circles, is woken more
        // slowly: the kernel lets the one that wakes it run on.
        unsigned const rounds = w.low_rate ? 0 : s.opts.spin_rounds + s.opts.yield_rounds;
        for (unsigned round = 0;; ++round)
        {
            if (gives_grace ? round % 2 == 0 && steal_with_grace(s, w, op, false) : steal(s, w, op))
                return true;
            if (take_open_slots(s, w, op))
                return true;
            if (round == rounds)
                return false;
            if (round < s.opts.spin_rounds)
                cpu_relax(pauses);
            else
                yield_thread();
            if (s.stopped.load(memory_order_relaxed))
                return false;
            if (find_injected(s, w, op))
                return true;
            // It has woken another one, and everything has been taken meanwhile.
            if (!w.has(worker::searching))
                return false;
        }
    }

    static bool steal(shared& s, worker& w, entry& op) noexcept
    {
        return any_other(s, w, [&](worker& other) { return steal_from(s, other, w, op); });
    }

    /// As steal(), for a worker whose single-task steals were unprofitable: it gives the owner of a
    /// ring with one entry a grace of `pauses`, and steals the entry if it is still there then.
    /// `finally`: nothing that was published before the call is left behind, unless its owner runs
    /// it.
    static bool steal_with_grace(shared& s, worker& w, entry& op, bool finally) noexcept
    {
        worker* owner = nullptr;
        std::uint32_t position = 0;
        auto const look = [&](worker& other)
        {
            std::uint32_t const size = other.ring.size();
            if (size == 0)
                return false;
            if (size > 1)
                return steal_from(s, other, w, op);
            // One grace is given for all of them.
            if (owner)
                return finally && steal_from(s, other, w, op);
            // Read after the size: if the entry that made it 1 is gone by then, what is there
            // instead was published after the call.
            owner = &other;
            position = other.stealable_ring().position();
            return false;
        };
        if (any_other(s, w, look))
            return true;
        // With nothing in sight, too: who publishes something in this moment spares itself the wake
        // of this worker.
        cpu_relax(pauses);
        return owner && owner->stealable_ring().position() == position &&
               steal_from(s, *owner, w, op);
    }

    static bool steal_from(shared& s, worker& other, worker& w, entry& op) noexcept
    {
        if (other.ring.empty())
            return false;
        measuring<Traits>::takes_oldest(w, other.ring);
        std::uint32_t const taken = other.stealable_ring().steal(w.owned_ring(), op);
        if (taken == 0)
            return false;
        w.single_steals.took(taken, other.index, other.count.handlers.value(), w.clock.now());
        stolen(s, other, w, taken);
        return true;
    }

    /// Counts what was taken from `other`, and has somebody come for more.
    static void stolen(shared& s, worker& other, worker& w, std::uint32_t taken) noexcept
    {
        w.count.steal_operations.add(1);
        w.count.stolen_handlers.add(taken);
        noting<Traits>::note(w, event_kind::steal, two_counts(taken, other.index));
        WEFT_PROBE4(steal, &s, w.index, other.index, taken);
        // As in find_injected(); and whoever met this thief at work got nothing of what is left.
        // Pairs with the fences in idle: if the owner did not see who went to sleep, its entries
        // are seen here.
        full_fence();
        if (taken > 1 || !other.ring.empty())
            notifier<Traits>::notify_one_by_worker(s, w);
    }

    static bool take_slot_of(worker& other, worker& w, entry& op) noexcept
    {
        node* const slotted = other.lifo.take();
        if (!slotted)
            return false;
        w.count.steal_operations.add(1);
        w.count.stolen_handlers.add(1);
        noting<Traits>::note(w, event_kind::steal, two_counts(1, other.index));
        WEFT_PROBE4(steal, Traits::current()->sched, w.index, other.index, 1);
        measuring<Traits>::takes(w, other.ready_now());
        op = entry(slotted, 0);
        return true;
    }

    /// Part of every search where slots are open: what is in them has been published.
    static bool take_open_slots(shared& s, worker& w, entry& op) noexcept
    {
        return s.slots_are_open() && take_slots(s, w, op, true);
    }

    static bool take_slots(shared& s, worker& w, entry& op, bool everybody) noexcept
    {
        std::size_t const count = s.workers.size();
        bool took = false;
        bool several = false;
        for (std::size_t i = 0; i != count; ++i)
        {
            worker& other = s.workers[i];
            if (&other == &w)
                continue;
            std::uint64_t const sample = other.count.handlers.value() + 1;
            bool const stuck = everybody || sample == other.monitor_sample.get();
            if (!everybody)
                other.monitor_sample.set(sample);
            if (!stuck)
                continue;
            entry slotted;
            if (take_slot_of(other, w, slotted))
            {
                if (took)
                    run_queue<Traits>::place(s, w, slotted, w.ready_now());
                else
                    op = slotted;
                several = took;
                took = true;
            }
        }
        // As in find_injected().
        if (several)
            notifier<Traits>::notify_one_by_worker(s, w);
        return took;
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_SEARCH_HPP
