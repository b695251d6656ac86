// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_MEASURES_HPP
#define WEFT_SRC_SCHED_MEASURES_HPP

// What a worker measures, and keeps for whoever reads it: durations in histograms, the time that it
// has spent in a state, and events. When it looks at which clock is said in measuring.hpp.

#include <weft/duration_histogram.hpp>
#include <weft/options.hpp>
#include <weft/platform/atomic.hpp>
#include <weft/sched/counters.hpp>
#include <weft/sched/ready_time.hpp>

#include "../trace/recorder.hpp"

#include <algorithm>
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
/// thread reads it. Times are in nanoseconds, by clocks that agree within 1 us
/// (platform/extrapolated_clock.hpp): by so much a reading may be more than the next one.
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

    /// So much more has been missed.
    void add(std::int64_t time) noexcept
    {
        word_.store(word_.load(memory_order_relaxed) + 2 * time, memory_order_relaxed);
    }

    bool lasts() const noexcept
    {
        return word_.load(memory_order_relaxed) % 2 != 0;
    }

    /// `now()` says the time. It is asked while the state is known to last: with a time from before
    /// or from after, a reader that was kept from running meanwhile would see less than the last
    /// one did, or more than the next one will.
    template <typename Now>
    std::chrono::nanoseconds read(Now now) const noexcept
    {
        for (;;)
        {
            std::int64_t const word = word_.load(memory_order_acquire);
            if (word % 2 == 0)
                return std::chrono::nanoseconds(word / 2);
            std::int64_t const at = now();
            if (word_.load(memory_order_acquire) != word)
                continue;
            std::int64_t const time = (word - 1) / 2 + at;
            return std::chrono::nanoseconds(time > 0 ? time : 0);
        }
    }

private:
    // The time so far, less the beginning if it lasts now, twice; odd: it lasts. One word, so that
    // a reader cannot see half of a change.
    atomic<std::int64_t> word_{0};
};

/// The least that anything has waited in the queues of late (CoDel's measure: where even that is
/// long, there is a standing queue). All workers fold into one word what they see: last:24 |
/// current:24 | window:16, in units of 1.024 us.
class standing_delay
{
public:
    // 0.1 s, in units of ready_time.
    static constexpr ready_time window = 390'625;

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
        explicit of_context(timing how) noexcept : switches_(static_cast<unsigned>(how))
        {
        }

        ~of_context()
        {
            record(false);
        }

        of_context(of_context const&) = delete;
        of_context& operator=(of_context const&) = delete;

        /// All that is switched on; 0: nothing.
        unsigned switches() const noexcept
        {
            return switches_.load(memory_order_relaxed);
        }

        static timing mode_in(unsigned switches) noexcept
        {
            return static_cast<timing>(static_cast<int>(switches & ~recording));
        }

        timing mode() const noexcept
        {
            return mode_in(switches());
        }

        void mode(timing how) noexcept
        {
            unsigned before = switches();
            while (!switches_.compare_exchange_weak(before,
                (before & recording) | static_cast<unsigned>(how), memory_order_relaxed,
                memory_order_relaxed))
            {
            }
        }

        /// Whether events are recorded from now on.
        void record(bool on) noexcept
        {
            bool const before = ((on ? switches_.fetch_or(recording, memory_order_relaxed)
                                     : switches_.fetch_and(~recording, memory_order_relaxed)) &
                                    recording) != 0;
            if (on && !before)
                recorder::began();
            if (!on && before)
                recorder::ended();
        }

        // A timing and this bit are what is switched on.
        static constexpr unsigned recording = 4;

        recorder events;
        standing_delay standing;
        atomic<std::uint64_t> blocking_calls{0};
        atomic<std::int64_t> blocked{0};
        atomic<std::uint64_t> exceptions{0};

    private:
        atomic<unsigned> switches_;
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

    // What was switched on at its last look, and the timing of that.
    unsigned switches = 0;
    timing mode = timing::off;

    // Where events go; null: they are not recorded.
    event_ring* ring = nullptr;

    // What is to be done with the next handler that it takes.
    enum : unsigned char
    {
        is_timed = 1,
        is_recorded = 2
    };
    unsigned char wanted = 0;

    void want(bool timed) noexcept
    {
        wanted = static_cast<unsigned char>((timed ? is_timed : 0) | (ring ? is_recorded : 0));
    }

    // What the handler that it runs is called in events; 0: it runs none.
    std::uint64_t running = 0;

    // `ended` is the time still.
    bool fresh = false;

    // The handler that it has taken continues the last one, which was timed.
    bool continues = false;

    // Since when the operation that it has taken was ready, if that is known.
    bool knows_since = false;
    ready_time since = 0;

    // When the handler that is timed began and the last one ended, by the worker's clock, or by
    // the cheap clock while it records; how many the former stands for.
    std::uint64_t began = 0;
    std::uint64_t ended = 0;
    std::uint64_t weight = 0;

    // Handlers that the last one that was timed has run in turn: the delay of the next one stands
    // for theirs as well.
    std::uint64_t ran_inside = 0;

    // How many handlers those from outside have stood for that did not tell since when they had
    // been ready: what the next one that does stands for as well.
    std::uint64_t untold = 0;

    // Up to which of its handlers those stand that it has timed; count.handlers with the last one,
    // and count.lifo_hits when the last one was timed that stood for such as well.
    std::uint64_t timed_at = 0;
    std::uint64_t last_timed = 0;
    std::uint64_t continued_at = 0;

    // How many more are timed before it is taken for certain that no continuation will be.
    static constexpr unsigned most_alone = 64;
    unsigned may_be_alone = 0;

    /// What is timed now, the worker's so many-th handler, stands for those that none stands for;
    /// but for so many continuations, of all, as have come since one was timed, if those are: they
    /// are unlike the others.
    void weigh(std::uint64_t handler, std::uint64_t continuations) noexcept
    {
        may_be_alone = continues ? most_alone : may_be_alone - (may_be_alone != 0);
        std::uint64_t const all = handler - timed_at;
        std::uint64_t left = 0;
        if (!continues && may_be_alone != 0)
            left = (std::min)(continuations - continued_at, all - 1);
        else
            continued_at = continuations;
        weight = all - left;
        timed_at += weight;
        last_timed = handler;
        continues = false;
    }

    /// What was timed has returned; how many handlers it has run in turn, as a strand does, of so
    /// many that the worker has run.
    std::uint64_t count_inside(std::uint64_t handlers) noexcept
    {
        ran_inside = handlers > last_timed ? handlers - last_timed : 0;
        timed_at += ran_inside;
        return ran_inside;
    }

    // The steady clock at its last look, and count.handlers then.
    std::int64_t looked = 0;
    std::uint64_t looked_after = 0;

    // count.handlers before which no handler is timed, where it looks so seldom that this must be
    // left to chance; 0: it does not (sampling.hpp).
    std::uint64_t sample_at = 0;

    // When it last went to sleep, and when it last woke: nothing was queued by then.
    std::int64_t slept_at = 0;
    std::int64_t awake_since = 0;

    // When the call of run(), poll() or their like began that stands for others up to its first
    // look at the clock, 0 from there on; for how many, and how many more do not look before that.
    std::int64_t called_at = 0;
    unsigned calls_missed = 0;
    unsigned calls_to_miss = 0;

    // When the last of them began; and whether they come in quick succession.
    std::int64_t last_called_at = 0;
    bool calls_are_quick = false;
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
