// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_WORKER_HPP
#define WEFT_SCHED_WORKER_HPP

#include <weft/config.hpp>
#include <weft/platform/atomic.hpp>
#include <weft/platform/cache_line.hpp>
#include <weft/platform/narrow.hpp>
#include <weft/platform/parker.hpp>
#include <weft/queue/lifo_slot.hpp>
#include <weft/queue/local_queue.hpp>
#include <weft/reactor/operation.hpp>
#include <weft/reactor/thread_slot.hpp>
#include <weft/sched/counters.hpp>
#include <weft/sched/injection_interval.hpp>
#include <weft/sched/lone_steals.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

using ring_queue = local_queue<ready_operation>;

/// What a thread has while it is inside run(): its queues, its counts, its place to sleep. A worker
/// belongs to one thread at a time, and keeps what is in its queues when that thread leaves: others
/// steal it, or the next thread continues.
///
/// Fields are plain: the owner's alone, unless something else is said.
struct worker
{
    worker(std::size_t number, unsigned injection) noexcept
        : index(number), random(0x9e3779b97f4a7c15u * (number + 1)), interval(injection)
    {
    }

    worker(worker const&) = delete;
    worker& operator=(worker const&) = delete;

    ring_queue::owner owned_ring() noexcept
    {
        return ring_queue::owner(ring);
    }

    ring_queue::thief stealable_ring() noexcept
    {
        return ring_queue::thief(ring);
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

    std::size_t const index;

    // Handlers left until the worker has to look elsewhere: at the injection queue, or at the
    // reactor, for which tick_left counts what is left beyond that.
    unsigned run_left = 0;
    unsigned tick_left = 0;

    // Handlers left until the next look at another worker, which one, and its count.handlers then.
    unsigned relief_left = 0;
    std::size_t relief_candidate = 0;
    std::uint64_t relief_sample = 0;
    bool relieved = false;

    // Handlers run from the LIFO slot since the last one from elsewhere.
    unsigned lifo_run = 0;

    // count.handlers when a handler last granted what another one waited for.
    std::uint64_t granted_in = ~std::uint64_t{0};

    // What the worker must see to before it runs a handler.
    enum duty : unsigned
    {
        searching = 1, // is counted as searching in idle
        in_seat = 2,   // holds the driver's seat
        stand_in = 4,  // leaves when scheduler::substitute::retire() says so
        orphaned = 8   // leaves at once: the scheduler is gone
    };
    unsigned duties = 0;

    bool has(duty d) const noexcept
    {
        return (duties & d) != 0;
    }

    void take_on(duty d) noexcept
    {
        duties |= d;
    }

    void drop(duty d) noexcept
    {
        duties &= ~static_cast<unsigned>(d);
    }

    // Work started less work finished since the last flush into work_count.
    std::int64_t work_delta = 0;

    // A guard watches this worker's LIFO slot, as far as known.
    bool guarded = false;

    // Woken for work that it has not found yet.
    bool owes_work = false;

    // It has slept since it last ran out of work. More work was not near then.
    bool slept = false;
    bool rare_work = false;

    std::uint64_t random;
    injection_interval interval;
    lone_steals lone;
    std::chrono::steady_clock::time_point tick_start{};
    unsigned tick_count = 0;

    thread_slot asio;

    // Single writer, any reader.
    alignas(cache_line) counters count;

    // Since when the worker had nothing left, the last time; after how many handlers that was.
    atomic<lone_steals::time_point> idle_since{lone_steals::time_point{}};
    std::uint64_t idle_after = 0;

    // Any thread unparks.
    alignas(cache_line) parker sleep;

    // Owner and guard.
    alignas(cache_line) lifo_slot<operation> lifo;

    // count.handlers + 1 at the guard's last look. Whoever holds the seat.
    std::uint64_t guard_sample = 0;

    // Owner and thieves.
    ring_queue ring;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_WORKER_HPP
