// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_TRIAL_HPP
#define WEFT_SRC_SCHED_TRIAL_HPP

// Whether all workers get more done with one of them or without it. Where handlers are short and
// touch the same data (both ends of a channel, those who want one lock) two cores may get less done
// than one: each finds every cache line that it needs with the other. Nobody can tell from one
// handler; but how many all of them run in a time, with and without this worker, can be counted.

#include <weft/sched/pace.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace weft
{
namespace detail
{

/// What all workers have done so far.
struct tally
{
    std::uint64_t handlers = 0;

    // How often they all slept at once.
    std::uint64_t full_sleeps = 0;
};

/// What a worker has learned from standing aside.
class trial
{
public:
    using time_point = std::chrono::steady_clock::time_point;
    using nanoseconds = std::chrono::nanoseconds;

    // Guessed: long enough to count some hundred short handlers, and what a handler may be late by.
    static constexpr std::chrono::microseconds period{50};
    static constexpr std::chrono::milliseconds shortest_interval{1};
    static constexpr std::chrono::milliseconds longest_interval{1000};
    static constexpr unsigned most_rounds = 64;

    // Fewer in the first step tell nothing: another worker has long ones. But operations that
    // complete at once are not counted; a bound of 20 leaves out those of a semaphore. The step
    // lasts longer if the worker sleeps in it, as it does where all but one wait for a lock;
    // measured: with a bound of 8 periods it never stands aside there.
    static constexpr unsigned least_handlers = 5;
    static constexpr unsigned most_periods = 64;

    // Longer handlers do not fight: to fetch what another core has written takes a fraction of
    // this, and a system call several times as long.
    static constexpr std::chrono::nanoseconds long_enough{1000};

    /// Whether the next step of a trial is to come now, for a worker with such turns.
    bool is_due(time_point now, pace const& turn) const noexcept
    {
        auto const mean = turn.unbiased_mean();
        return now >= due_ && mean < long_enough && mean.count() != 0 && !turn.fixed();
    }

    bool begun() const noexcept
    {
        return begun_;
    }

    void begin(time_point now, tally done) noexcept
    {
        begun_ = true;
        due_ = now + 2 * period;
        start(now, done);
    }

    /// What all have done with this worker. False if that tells nothing, because there was nothing
    /// to do meanwhile: how much is done depends then on how much comes; or because it was little.
    bool together(time_point now, tally done) noexcept
    {
        auto const elapsed = now - since_;
        auto const least = least_handlers * elapsed / (2 * period);
        bool const busy = done.full_sleeps == done_.full_sleeps &&
                          elapsed <= most_periods * period &&
                          done.handlers - done_.handlers >= static_cast<std::uint64_t>(least);
        with_ = rate(now, done);
        round_ = 0;
        start(now, done);
        return busy;
    }

    /// The worker has stood aside since the last call. True if it is to do so again: not if that
    /// was not for long, because others have called it back.
    bool without(time_point now, tally done) noexcept
    {
        bool const in_full = now - since_ >= period / 2;
        // Measured: a first bound of 1.0 costs timers up to 30 %, and gains nothing.
        bool const more = rate(now, done) >= (round_ == 0 ? 1.15 : 0.9) * with_;
        start(now, done);
        return in_full && more && ++round_ != rounds_;
    }

    /// The worker stands aside no longer.
    void end(time_point now) noexcept
    {
        if (round_ == 0)
        {
            rounds_ = (std::max)(rounds_ / 4, 1u);
            return postpone(now);
        }
        begun_ = false;
        interval_ = shortest_interval;
        if (round_ == rounds_)
            rounds_ = (std::min)(4 * rounds_, most_rounds);
        due_ = now;
    }

    /// The worker is of use, or there is nothing to be learned: it tries again after a while, twice
    /// as long as the last one.
    void postpone(time_point now) noexcept
    {
        begun_ = false;
        due_ = now + interval_;
        interval_ = (std::min)(2 * interval_, nanoseconds(longest_interval));
    }

private:
    void start(time_point now, tally done) noexcept
    {
        since_ = now;
        done_ = done;
    }

    double rate(time_point now, tally done) const noexcept
    {
        return static_cast<double>(done.handlers - done_.handlers) /
               static_cast<double>((now - since_).count() + 1);
    }

    bool begun_ = false;
    time_point due_{};

    // What is compared begins here.
    time_point since_{};
    tally done_;
    double with_ = 0;

    // How often the worker has stood aside, and how often at most.
    unsigned round_ = 0;
    unsigned rounds_ = 1;
    nanoseconds interval_ = shortest_interval;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_TRIAL_HPP
