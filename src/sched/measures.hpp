// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_MEASURES_HPP
#define WEFT_SRC_SCHED_MEASURES_HPP

// What a worker measures, and keeps for whoever reads it: durations in histograms, and the time
// that it has spent in a state. When it looks at which clock is said in measuring.hpp.

#include <weft/duration_histogram.hpp>
#include <weft/options.hpp>
#include <weft/platform/atomic.hpp>
#include <weft/sched/counters.hpp>
#include <weft/sched/ready_time.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

/// A duration_histogram that one thread writes and any thread reads.
class recorded_histogram
{
public:
    void record(std::chrono::nanoseconds time, std::uint64_t count) noexcept
    {
        counts_[duration_histogram::bucket_of(time)].add(count);
        if (time.count() > 0)
            total_.add(static_cast<std::uint64_t>(time.count()) * count);
    }

    duration_histogram read() const noexcept
    {
        std::array<std::uint64_t, duration_histogram::buckets> counts;
        for (std::size_t i = 0; i != counts.size(); ++i)
            counts[i] = counts_[i].value();
        return duration_histogram::of(
            counts, std::chrono::nanoseconds(static_cast<std::int64_t>(total_.value())));
    }

private:
    counter counts_[duration_histogram::buckets];
    counter total_;
};

/// How long something has lasted altogether, and whether it does now. One thread writes it, any
/// thread reads it. Times are in nanoseconds, by one clock.
class time_in_state
{
public:
    /// Unless it lasts already.
    void begin(std::int64_t now) noexcept
    {
        std::int64_t const word = word_.load(memory_order_relaxed);
        if (word % 2 == 0)
            word_.store(word - 2 * now + 1, memory_order_relaxed);
    }

    /// If it lasts.
    void end(std::int64_t now) noexcept
    {
        std::int64_t const word = word_.load(memory_order_relaxed);
        if (word % 2 != 0)
            word_.store(word - 1 + 2 * now, memory_order_relaxed);
    }

    std::chrono::nanoseconds read(std::int64_t now) const noexcept
    {
        std::int64_t const word = word_.load(memory_order_relaxed);
        std::int64_t const time = word % 2 != 0 ? (word - 1) / 2 + now : word / 2;
        return std::chrono::nanoseconds(time > 0 ? time : 0);
    }

private:
    // The time so far, less the beginning if it lasts now, twice; odd: it lasts. One word, so that
    // a reader cannot see half of a change.
    atomic<std::int64_t> word_{0};
};

/// The least that anything has waited in the queues of late (CoDel's measure: where even that is
/// long, there is a standing queue). All workers fold into one word what they see: last:24 |
/// current:24 | window:16, in units of ready_time.
class standing_delay
{
public:
    // About 0.1 s.
    static constexpr ready_time window = 97'656;

    /// Something has waited for so long, as of `now`.
    void fold(std::chrono::nanoseconds delay, ready_time now) noexcept
    {
        auto const units = static_cast<std::uint64_t>(delay.count()) / 1024;
        std::uint64_t const least = units < most ? units : most;
        std::uint64_t const number = now / window & 0xffff;
        std::uint64_t word = word_.load(memory_order_relaxed);
        for (;;)
        {
            std::uint64_t const current = word >> 16 & most;
            bool const same = (word & 0xffff) == number;
            if (same && least >= current)
                return;
            std::uint64_t const last = same ? word >> 40 : current;
            if (word_.compare_exchange_weak(word, last << 40 | least << 16 | number,
                    memory_order_relaxed, memory_order_relaxed))
                return;
        }
    }

    /// A worker has nothing to do: nothing stands.
    void clear() noexcept
    {
        if (word_.load(memory_order_relaxed) != 0)
            word_.store(0, memory_order_relaxed);
    }

    /// Of the last complete window.
    std::chrono::nanoseconds last() const noexcept
    {
        return std::chrono::nanoseconds(
            static_cast<std::int64_t>(word_.load(memory_order_relaxed) >> 40) * 1024);
    }

private:
    static constexpr std::uint64_t most = 0xffffff;

    atomic<std::uint64_t> word_{0};
};

/// Of a worker. Fields are the owner's, unless something else is said.
struct worker_measures
{
    static constexpr bool enabled = true;

    /// Of a context; any thread.
    struct of_context
    {
        explicit of_context(timing how) noexcept : mode_(static_cast<unsigned>(how))
        {
        }

        timing mode() const noexcept
        {
            return static_cast<timing>(mode_.load(memory_order_relaxed));
        }

        void mode(timing how) noexcept
        {
            mode_.store(static_cast<unsigned>(how), memory_order_relaxed);
        }

        standing_delay standing;
        atomic<std::uint64_t> blocking_calls{0};
        atomic<std::int64_t> blocked{0};
        atomic<std::uint64_t> exceptions{0};

    private:
        atomic<unsigned> mode_;
    };

    // Single writer, any reader.
    recorded_histogram run_time;
    recorded_histogram queue_delay;
    recorded_histogram wake_latency;
    time_in_state inside;
    time_in_state parked;
    time_in_state in_reactor;

    // The steady clock when somebody woke the worker, who writes it before.
    atomic<std::int64_t> woken_at{0};

    // As of its last look.
    timing mode = timing::off;

    // The next handler that it takes is timed.
    bool wanted = false;

    // `ended` is the time still.
    bool fresh = false;

    // Since when the operation that it has taken was ready, if that is known.
    bool knows_since = false;
    ready_time since = 0;

    // When the handler that is timed began and the last one ended, by the cheap clock; how many
    // the former stands for.
    std::uint64_t began = 0;
    std::uint64_t ended = 0;
    std::uint64_t weight = 0;

    // count.handlers when it last timed one.
    std::uint64_t timed_at = 0;

    // The steady clock at its last look, that of the cheap clock if all are timed, and
    // count.handlers then.
    std::int64_t looked = 0;
    std::uint64_t looked_cheap = 0;
    std::uint64_t looked_after = 0;

    // When it last went to sleep.
    std::int64_t slept_at = 0;
};

/// Where nothing is measured.
struct no_measures
{
    static constexpr bool enabled = false;

    struct of_context
    {
        explicit of_context(timing) noexcept
        {
        }
    };
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_MEASURES_HPP
