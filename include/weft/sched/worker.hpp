// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_WORKER_HPP
#define WEFT_SCHED_WORKER_HPP

#include <weft/config.hpp>
#include <weft/platform/cache_line.hpp>
#include <weft/platform/parker.hpp>
#include <weft/queue/lifo_slot.hpp>
#include <weft/queue/local_queue.hpp>
#include <weft/reactor/operation.hpp>
#include <weft/reactor/thread_slot.hpp>
#include <weft/sched/counters.hpp>
#include <weft/sched/injection_interval.hpp>

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
        : index(number),
          random(0x9e3779b97f4a7c15u * (number + 1)),
          interval(injection)
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
        return static_cast<std::size_t>(((random >> 32) * limit) >> 32);
    }

    std::size_t const index;

    // Handlers left until the next look at the reactor and at the injection queue.
    unsigned tick_left = 0;
    unsigned injection_left = 0;

    // Handlers run from the LIFO slot since the last one from elsewhere.
    unsigned lifo_run = 0;

    // Work started less work finished since the last flush into work_count.
    std::int64_t work_delta = 0;

    // Counted as searching in idle.
    bool searching = false;

    // Holds the driver's seat.
    bool in_seat = false;

    // Runs operations of the driver's mailbox: handlers must not run inline there, for the thread's
    // memory caches are not this worker's and the reactor is held.
    bool in_mailbox = false;

    // A guard watches this worker's LIFO slot, as far as known.
    bool guarded = false;

    // Woken for work that it has not found yet.
    bool owes_work = false;

    std::uint64_t random;
    injection_interval interval;
    std::chrono::steady_clock::time_point tick_start{};
    unsigned tick_count = 0;

    thread_slot asio;

    // Single writer, any reader.
    alignas(cache_line) counters count;

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
