// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Where a worker that has nothing left of its own finds work: in the injection queue, and at the
// other workers.

#include <weft/sched/scheduler.hpp>

#include <weft/platform/backoff.hpp>

#include <algorithm>
#include <cassert>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

namespace
{

// Processor pauses between two searches of a spinning worker: guessed.
constexpr unsigned pauses = 32;

// Work that comes at longer intervals than this is not waited for by searching. Some ten times as
// long as the search; several times what it takes to wake somebody who wakes somebody in turn
// (doc/design/decisions/0006). Measured: 50 to 200 us are alike.
constexpr std::chrono::microseconds long_interval{100};

// Most that one look at the injection queue brings into a ring.
constexpr std::size_t injection_batch = 128;

/// Shows all workers but `w` to `visit`, from a random one on, until it returns true: whether it
/// did.
template <typename Visit>
bool any_other(worker_table& workers, worker& w, Visit visit)
{
    std::size_t const count = workers.size();
    std::size_t victim = w.random_below(count);
    for (std::size_t i = 0; i != count; ++i, ++victim)
    {
        if (victim == count)
            victim = 0;
        worker& other = workers[victim];
        if (&other != &w && visit(other))
            return true;
    }
    return false;
}

} // namespace

bool scheduler::find_injected(worker& w, ready_operation& op) noexcept
{
    if (inject_.empty())
        return false;
    // Room for the next look at the reactor stays free.
    std::uint32_t const room = w.owned_ring().free_slots();
    std::size_t const spare = room > driver::max_unlinkable ? room - driver::max_unlinkable : 0;
    std::size_t const sharers = std::max<std::size_t>(1, idle_.active());
    bool first = true;
    std::size_t const taken = inject_.pop_batch(
        [&](std::size_t size)
        {
            // Of long handlers one: what has gone into a ring does not wait for whoever is free.
            std::size_t const share = size / sharers + 1;
            std::size_t const lasting = w.shares ? 1 : injection_batch;
            return (std::min)({share, lasting, spare + 1});
        },
        [&](common_queue::item const& injected)
        {
            ready_operation const entry = entry_of(injected);
            if (first)
                op = entry;
            else
            {
                bool const fits = w.owned_ring().push(entry, injected.stamp);
                assert(fits);
                (void)fits;
            }
            first = false;
        });
    if (taken == 0)
        return false;
    w.count.injection_fetches.add(1);
    // A sleeper that looked into the ring before and into the queue after may have missed it.
    if (taken > 1)
        published_by_worker();
    return true;
}

/// For a worker that has nothing left, once for each time: thieves want to know since when, and
/// what it stole last is to be judged.
void scheduler::note_idle(worker& w) noexcept
{
    std::uint64_t const handlers = w.count.handlers.value();
    bool const known = w.idle_after == handlers;
    if (known && !w.slept)
        return;
    auto const now = lone_steals::time_point::clock::now();
    // From one idleness to the next look for work, what was run in between included: right after a
    // sleep somebody waits for what is run, and looking at the clock takes as long as all else
    // here. Who was woken for what others have in their rings looks before it runs anything.
    if (w.slept)
        w.rare_work = now - w.idle_since.load(memory_order_relaxed) > long_interval;
    w.slept = false;
    if (known)
        return;
    w.idle_after = handlers;
    w.idle_since.store(now, memory_order_relaxed);
    if (w.lone.owner() == lone_steals::nobody)
        return;
    worker const& owner = workers_[w.lone.owner()];
    w.lone.ran_out(owner.count.handlers.value(), owner.idle_since.load(memory_order_relaxed));
}

bool scheduler::search(worker& w, ready_operation& op) noexcept
{
    if (runner_.is_single() || idle_.active() < 2)
        return false;
    note_idle(w);
    if (!w.has(worker::searching))
    {
        if (!idle_.try_search())
            return false;
        w.take_on(worker::searching);
    }
    // Each look at the ring of a busy worker costs that worker some hundred nanoseconds: half as
    // many are enough for who has learned that it is of little use.
    bool const patient = w.lone.in_vain();
    // And none where work is rare: not only for the processor time. A thread that goes to sleep
    // right after a yield, or after turning in circles, is woken more slowly: the kernel lets the
    // one that wakes it run on.
    unsigned const rounds = w.rare_work ? 0 : options_.spin_rounds + options_.yield_rounds;
    for (unsigned round = 0;; ++round)
    {
        if (patient ? round % 2 == 0 && steal_patiently(w, op, false) : steal(w, op))
            return true;
        if (take_open_slots(w, op))
            return true;
        if (round == rounds)
            return false;
        if (round < options_.spin_rounds)
            cpu_relax(pauses);
        else
            yield_thread();
        if (stopped_.load(memory_order_relaxed))
            return false;
        if (find_injected(w, op))
            return true;
    }
}

bool scheduler::steal(worker& w, ready_operation& op) noexcept
{
    return any_other(workers_, w, [&](worker& other) { return steal_from(other, w, op); });
}

/// As steal(), for a worker to which the only entries of others have been of little use: leaves
/// such an entry to its owner if that takes it within a moment. `finally`: nothing that was
/// published before the call is left behind, unless its owner runs it.
bool scheduler::steal_patiently(worker& w, ready_operation& op, bool finally) noexcept
{
    worker* owner = nullptr;
    std::uint32_t position = 0;
    auto const look = [&](worker& other)
    {
        std::uint32_t const size = other.ring.size();
        if (size == 0)
            return false;
        if (size > 1)
            return steal_from(other, w, op);
        // There is one moment for all of them.
        if (owner)
            return finally && steal_from(other, w, op);
        // Read after the size: if the entry that made it 1 is gone by then, what is there instead
        // was published after the call.
        owner = &other;
        position = other.stealable_ring().position();
        return false;
    };
    if (any_other(workers_, w, look))
        return true;
    // With nothing in sight, too: who publishes something in this moment spares itself the wake of
    // this worker.
    cpu_relax(pauses);
    return owner && owner->stealable_ring().position() == position && steal_from(*owner, w, op);
}

bool scheduler::steal_from(worker& other, worker& w, ready_operation& op) noexcept
{
    if (other.ring.empty())
        return false;
    std::uint32_t const taken = other.stealable_ring().steal(w.owned_ring(), op);
    if (taken == 0)
        return false;
    w.lone.took(
        taken, other.index, other.count.handlers.value(), lone_steals::time_point::clock::now());
    stolen(other, w, taken);
    return true;
}

/// Counts what was taken from `other`, and has somebody come for more.
void scheduler::stolen(worker& other, worker& w, std::uint32_t taken) noexcept
{
    w.count.steal_operations.add(1);
    w.count.stolen_handlers.add(taken);
    // As in find_injected(); and whoever met this thief at work got nothing of what is left. Pairs
    // with the fences in idle: if the owner did not see who went to sleep, its entries are seen
    // here.
    full_fence();
    if (taken > 1 || !other.ring.empty())
        published_by_worker();
}

bool scheduler::take_slot_of(worker& other, worker& w, ready_operation& op) noexcept
{
    operation* const slotted = other.lifo.take();
    if (!slotted)
        return false;
    w.count.steal_operations.add(1);
    w.count.stolen_handlers.add(1);
    op = ready_operation(slotted, 0);
    return true;
}

/// Part of every search where slots are open: what is in them has been published.
bool scheduler::take_open_slots(worker& w, ready_operation& op) noexcept
{
    return slots_are_open() && take_slots(w, op, true);
}

bool scheduler::take_slots(worker& w, ready_operation& op, bool everybody) noexcept
{
    std::size_t const count = workers_.size();
    bool took = false;
    bool several = false;
    for (std::size_t i = 0; i != count; ++i)
    {
        worker& other = workers_[i];
        if (&other == &w)
            continue;
        std::uint64_t const sample = other.count.handlers.value() + 1;
        bool const stuck = everybody || sample == other.guard_sample;
        if (!everybody)
            other.guard_sample = sample;
        if (!stuck)
            continue;
        ready_operation slotted;
        if (take_slot_of(other, w, slotted))
        {
            if (took)
                place(w, slotted);
            else
                op = slotted;
            several = took;
            took = true;
        }
    }
    // As in find_injected().
    if (several)
        published_by_worker();
    return took;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
