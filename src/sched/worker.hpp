// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_WORKER_HPP
#define WEFT_SRC_SCHED_WORKER_HPP

// What a thread has while it is inside run(): its queues, its counts, its place to sleep.

#include <weft/platform/atomic.hpp>
#include <weft/platform/cache_line.hpp>
#include <weft/platform/narrow.hpp>
#include <weft/platform/parker.hpp>
#include <weft/queue/lifo_slot.hpp>
#include <weft/queue/local_queue.hpp>
#include <weft/sched/biased_pop.hpp>
#include <weft/sched/counters.hpp>
#include <weft/sched/ready_time.hpp>
#include <weft/sched/worker_base.hpp>

#include "preemption.hpp"
#include "short_continuations.hpp"
#include "thread_holder.hpp"
#include "time_of_wakes.hpp"
#include "trial.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace weft
{
namespace detail
{

/// What a thread has while it is inside run(): its queues, its counts, its place to sleep. A worker
/// belongs to one thread at a time, and keeps what is in its queues when that thread leaves: others
/// steal it, or the next thread continues.
///
/// Fields are plain: the owner's alone, unless something else is said.
template <typename Traits>
struct basic_worker : worker_base
{
    using queue = local_queue<typename Traits::entry, Traits::ring_capacity>;

    basic_worker(std::size_t number, unsigned interval) noexcept
        : worker_base(interval), index(number), random(0x9e3779b97f4a7c15u * (number + 1))
    {
        monitor_sample.set(0);
    }

    typename queue::owner owned_ring() noexcept
    {
        return typename queue::owner(ring);
    }

    typename queue::thief stealable_ring() noexcept
    {
        return typename queue::thief(ring);
    }

    /// A number below `limit`, which is not 0.
    std::size_t random_below(std::size_t limit) noexcept
    {
        // Marsaglia's xorshift64; Lemire's range reduction.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        return narrow<std::size_t>(((random >> 32) * limit) >> 32);
    }

    /// What this worker queues now has become ready now.
    ready_time ready_now() const noexcept
    {
        return now.load(memory_order_relaxed);
    }

    // What makes handlers long: at 10 us of work a request, one queue for all answers as soon as
    // Asio's does (doc/design/simulation.md).
    static constexpr std::chrono::microseconds long_handler{6};

    // What makes them long where more events are ready than the rings hold. All of it passes the
    // queue of all there, in any case; and a batch that comes back from there is behind what is in
    // the ring.
    static constexpr std::chrono::microseconds long_beside_many{2};
    static constexpr std::size_t many = queue::capacity / 2;

    bool handlers_are_long() const noexcept
    {
        return turn.mean() >= long_handler;
    }

    /// Another thread comes, or the same one after a sleep: what it has been running says nothing.
    /// It looks after `handlers` at most.
    void begin_anew(unsigned handlers) noexcept
    {
        begin_cautiously(handlers);
        preempted.forget();
        continuations.forget();
    }

    std::size_t const index;

    // What others have had of its core.
    preemption preempted;

    // Whether all get more done without it; and whether they are finding out. Any thread.
    typename Traits::trial aside;
    atomic<bool> stands_aside{false};

    // The clock at which the worker looks.
    typename Traits::worker_clock clock;

    // When this turn began, and what of it is no time of its handlers.
    std::chrono::steady_clock::time_point looked{};
    time_of_wakes wakes;

    /// A turn begins with this look at the clock, or so do its handlers.
    void begins_at(std::chrono::steady_clock::time_point look) noexcept
    {
        looked = look;
        wakes.end_turn();
    }

    // How many handlers it runs after a sleep before it looks.
    unsigned first_turn = 1;

    // What was queued since the look before the last one became ready then, or later.
    ready_time turn_began = 0;

    // Its handlers are long: what is in its ring goes to the queue of all at each look, and what
    // one of them queues has a time of its own (ready_clock.hpp).
    bool shares = false;

    // ring.pushed() when it last looked for work: what is pushed later, a handler has queued.
    std::uint32_t pushed_before = 0;

    /// Whether the handler that it runs may have queued something in the ring.
    bool may_have_pushed() noexcept
    {
        return owned_ring().pushed() != pushed_before;
    }

    /// Nobody knows whether it has.
    void forget_pushed() noexcept
    {
        pushed_before = owned_ring().pushed() - 1;
    }

    // How long those last that Asio has completed at once.
    short_continuations continuations;

    // A call has ended since its last look elsewhere.
    bool has_left = false;

    // Its last look elsewhere has taken what it runs from the queue of all.
    bool took_injected = false;

    // ring.pushed() after its last look into the reactor: what is pushed later belongs to the next
    // round.
    std::uint32_t round_end = 0;

    // How many ticks have ended without a look into the reactor since its last one.
    unsigned ticks_in_round = 0;

    // What Asio has posted goes behind what a look into the reactor brings, if there is one now.
    bool behind_reactor = false;

    // How long ago the last look into the reactor must have been for one more because of what such
    // a one has found ready.
    static constexpr std::chrono::nanoseconds least_soon = std::chrono::microseconds(30);
    static constexpr std::chrono::nanoseconds most_soon = 16 * least_soon;
    std::chrono::nanoseconds soon = least_soon;

    // How many of its looks into the reactor in a row, with nothing else left, have found nothing.
    unsigned idle_looks_in_vain = 0;

    // Whether it keeps looking before it sleeps, if it is alone.
    typename Traits::busy_poll polls;

    // Since when there has been work for others at each look, while some of them slept; 0: not.
    ready_time neglected = 0;

    // At which worker it looks next, and when it last looked at one.
    std::size_t neighbour = 0;
    std::chrono::steady_clock::time_point looked_at_neighbour{};

    // Whose timers it looks at next.
    std::size_t timers_looked_at = 0;

    // How often in a row it has put events off (busy_descriptor.hpp), and count.handlers then.
    unsigned put_off = 0;
    std::uint64_t put_off_after = ~std::uint64_t{0};

    // Handlers run from the LIFO slot since the last one from elsewhere.
    unsigned lifo_run = 0;

    // count.handlers when a handler last granted what another one waited for.
    std::uint64_t granted_in = ~std::uint64_t{0};

    /// Whether the handler that this worker runs has granted anything.
    bool has_granted() const noexcept
    {
        return granted_in == count.handlers.value();
    }

    void has_granted(bool granted) noexcept
    {
        granted_in = granted ? count.handlers.value() : ~std::uint64_t{0};
    }

    // count.handlers when an operation that had completed at once last took the LIFO slot.
    std::uint64_t completed_in = ~std::uint64_t{0};

    // What the worker must see to before it runs a handler.
    enum duty : unsigned
    {
        searching = 1,    // is counted as searching in idle
        holds_driver = 2, // has the driver lock
        spare = 4,        // leaves when spare_owner::retire() says so
        orphaned = 8,     // leaves at once: the scheduler is gone
        timed = 16,       // looks at the clock: the handler that it runs is timed
        recorded = 32     // records what it does
    };
    unsigned duties = 0;

    bool has(duty d) const noexcept
    {
        return (duties & d) != 0;
    }

    /// Whether somebody wants to know when the handler that it runs ends.
    bool is_watched() const noexcept
    {
        return (duties & (timed | recorded)) != 0;
    }

    /// Whether others sleep because of it.
    bool is_searching_or_driving() const noexcept
    {
        return (duties & (searching | holds_driver)) != 0;
    }

    void take_on(duty d) noexcept
    {
        duties |= d;
    }

    void drop(duty d) noexcept
    {
        duties &= ~static_cast<unsigned>(d);
    }

    // A monitor watches this worker's LIFO slot, as far as known.
    bool monitored = false;

    // count.handlers when it was woken for work, until it sleeps again.
    static constexpr std::uint64_t not_woken = ~std::uint64_t{0};
    std::uint64_t woken_after = not_woken;

    /// For a worker that is about to sleep: whether it was woken, and has run nothing since.
    bool woken_in_vain() noexcept
    {
        return std::exchange(woken_after, not_woken) == count.handlers.value();
    }

    // It has slept since it last ran out of work.
    bool slept = false;

    // How long it last slept until the reactor had something: from its last look at the clock.
    std::chrono::nanoseconds slept_for{0};

    // When it last slept, the work that woke it came so long after the work before that searching
    // in circles for more would cost more than another sleep.
    bool low_rate = false;

    std::uint64_t random;
    typename Traits::single_task_steals single_steals;

    typename Traits::thread_slot asio;

    // Single writer, any reader.
    alignas(cache_line) counters count;

    // The clock at the worker's last look at it: what it queues becomes ready then. Single writer,
    // any reader.
    atomic<ready_time> now{0};

    // How the owner takes from the ring; whoever joins a context with one thread waits for it.
    biased_pop own_pop;

    // Since when, in nanoseconds, the worker had nothing left, the last time; after how many
    // handlers that was.
    atomic<std::int64_t> idle_since{0};
    std::uint64_t idle_after = 0;

    // Any thread unparks.
    alignas(cache_line) parker sleep;

    // Owner and monitor.
    alignas(cache_line) lifo_slot<typename Traits::node> lifo;

    // count.handlers + 1 at the monitor's last look. Whoever holds the driver lock.
    cell<std::uint64_t> monitor_sample;

    // Owner and thieves.
    queue ring;

    typename Traits::measures measured;

    // Guarded by the lock of the table.
    thread_holder holder;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_WORKER_HPP
