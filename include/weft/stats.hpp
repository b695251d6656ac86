// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_STATS_HPP
#define WEFT_STATS_HPP

#include <weft/duration_histogram.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft
{

/// What one worker has done since its context was made. Counts never go back, except queue_depth,
/// which is as of the moment of reading.
struct worker_stats
{
    std::uint64_t handlers = 0;          ///< handlers and I/O events run
    std::uint64_t lifo_hits = 0;         ///< of these, taken from the LIFO slot
    std::uint64_t steal_operations = 0;  ///< successful steals from other workers
    std::uint64_t stolen_handlers = 0;   ///< handlers taken by those steals
    std::uint64_t overflows = 0;         ///< times the full ring spilled into the injection queue
    std::uint64_t injection_fetches = 0; ///< times work was taken from the injection queue
    std::uint64_t remote_pushes = 0;     ///< handlers it put into the injection queue one by one
    std::uint64_t parks = 0;             ///< times the worker went to sleep
    std::uint64_t wakes = 0;             ///< times it was woken for work
    std::uint64_t empty_wakes = 0;       ///< of these, followed by another sleep without work
    std::uint64_t stood_aside = 0;       ///< times all got more done without it: it let them
    std::uint64_t budget_yields = 0;     ///< ticks that ended with work left
    std::uint64_t reactor_polls = 0;     ///< looks at the reactor, waiting or not
    std::uint64_t reactor_events = 0;    ///< events and operations found there
    std::uint64_t queue_depth = 0;       ///< handlers in the ring and the LIFO slot now

    // While timing is not off. What goes on at the moment of reading is included.
    std::chrono::nanoseconds inside{0};     ///< time that threads have spent inside run() as it
    std::chrono::nanoseconds parked{0};     ///< of this, asleep outside the reactor
    std::chrono::nanoseconds in_reactor{0}; ///< of this, asleep in the reactor
};

/// One of weft's locks or channels, as of a snapshot.
struct primitive_stats
{
    /// "mutex", "semaphore", "shared_mutex" or "channel".
    std::string_view kind;

    /// What its set_name() was given.
    std::string name;

    /// Where it is in memory: two without a name can be told apart.
    void const* where = nullptr;

    /// Operations that wait now.
    std::size_t waiting = 0;

    /// Of these, at a channel, those that send.
    std::size_t senders = 0;

    /// How long the one of them has waited that has waited longest.
    std::chrono::nanoseconds longest_wait{0};

    /// Operations that had to wait, since it was made.
    std::uint64_t contended = 0;

    /// How long operations have waited until they got what they had asked for, those that were
    /// timed: none with timing::off, every 16th that has to wait if sampled, and all with
    /// timing::all. Of locks and channels whose executor is weft's.
    duration_histogram wait_time;

    /// Values in the channel now.
    std::size_t length = 0;

    /// Permits of the lock that are free now; none while anybody waits.
    std::uint64_t available = 0;
};

/// A snapshot of a context's counters, by io_context::stats() or thread_pool::stats().
///
/// Each counter is read once, without stopping the workers: the counters belong to slightly
/// different moments (P9 of io_context). weft/metrics.hpp has what to make of it.
struct stats
{
    /// By worker. A worker outlives the thread that ran it; the next thread continues its counts.
    std::vector<worker_stats> workers;

    /// The sums over all workers. remote_pushes includes those of threads outside the context.
    worker_stats total;

    /// Handlers in the injection queue now.
    std::size_t injection_depth = 0;

    /// When the snapshot was taken.
    std::chrono::steady_clock::time_point taken{};

    /// Outstanding work now: operations that have been started and guards of executors, as of when
    /// each worker last had nothing to do. A pool that has not been joined counts one for itself.
    std::uint64_t outstanding = 0;

    /// How long handlers ran, those that were timed. Sampled, each that was timed is counted as
    /// often as its worker has run handlers since it last timed one, so that the count is that of
    /// handlers; a share of them is as exact as the sample is large. Those that have called
    /// run_blocking() are left out.
    duration_histogram run_time;

    /// How long handlers were queued before they ran, counted as for run_time, in steps of 1 us. It
    /// begins at the worker's last look at the clock before it queued them: up to about 20 us
    /// early, or 100 where one thread runs the context and as much is queued, or the time for which
    /// the handler that queued them had run by then, if that is more.
    /// What continues a handler, and is run next by the same worker, has not been queued: 0. Of
    /// what is posted from outside, one in 16 is sampled, and counted for those since the last one.
    duration_histogram queue_delay;

    /// How long workers that were woken for work took until they ran. Those that the reactor woke
    /// are not counted: nobody knows since when.
    duration_histogram wake_latency;

    /// Calls of run_blocking() in handlers that have returned, while timing is not off.
    std::uint64_t blocking_calls = 0;

    /// The time that these calls took.
    std::chrono::nanoseconds blocked{0};

    /// Exceptions that were passed to options::on_exception.
    std::uint64_t exceptions = 0;

    /// The locks and channels of this context, in no particular order.
    std::vector<primitive_stats> primitives;
};

} // namespace weft

#endif // WEFT_STATS_HPP
