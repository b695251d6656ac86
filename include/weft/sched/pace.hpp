// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_PACE_HPP
#define WEFT_SCHED_PACE_HPP

// How many handlers a worker runs between two looks elsewhere: at the clock, and then at the
// reactor, at the injection queue and at other workers. What waits there should not wait long,
// whatever handlers cost; and looking should cost next to nothing beside the handlers.
//
// So many handlers as take about 20 us. The number follows a turn that has taken longer at once,
// and grows by doubling only: who starts, or has slept, knows nothing of what it is about to run,
// and many handlers of some milliseconds each, without a look in between, are what must not happen.

#include <weft/platform/narrow.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace weft
{
namespace detail
{

class pace
{
public:
    static constexpr unsigned max = 127;

    /// About the time between two looks, unless one handler takes longer.
    static constexpr std::chrono::nanoseconds target = std::chrono::microseconds(20);

    /// No turn that takes less is far longer than most.
    static constexpr std::chrono::nanoseconds usual = 4 * target;

    /// `fixed` != 0 is what handlers() says always.
    explicit pace(unsigned fixed) noexcept : handlers_(fixed ? fixed : 1), fixed_(fixed != 0)
    {
    }

    /// How many handlers to run until the next look.
    unsigned handlers() const noexcept
    {
        return handlers_;
    }

    /// Whether handlers() never changes.
    bool fixed() const noexcept
    {
        return fixed_;
    }

    /// What a handler takes: a mean over the last few turns, to which long ones count more. Whoever
    /// decides after how many to look is told at once that they have become long.
    std::chrono::nanoseconds mean() const noexcept
    {
        return std::chrono::nanoseconds(static_cast<std::int64_t>(mean_ns_));
    }

    /// The same, but all count alike: for decisions that are costly where handlers are short.
    std::chrono::nanoseconds unbiased_mean() const noexcept
    {
        return std::chrono::nanoseconds(static_cast<std::int64_t>(unbiased_ns_));
    }

    /// The last `count` handlers, which is not 0, took `elapsed` together. `shares`: their worker
    /// shares a queue with the others (src/sched/sharing.hpp), and both means follow slowly. So
    /// much `beside` them has passed as well, for which others have waited: it counts for the
    /// length of turns, and not for the mean in which all count alike.
    void record(unsigned count, std::chrono::nanoseconds elapsed, bool shares = false,
        std::chrono::nanoseconds beside = {}) noexcept
    {
        double const all = static_cast<double>(elapsed.count());
        double const own = count == 1 ? all : all / count;
        double const ns =
            beside.count() == 0 ? own : static_cast<double>((elapsed + beside).count()) / count;
        double const slowly = shares ? (std::min)(count * steady, falling) : falling;
        mean_ns_ += (ns - mean_ns_) * (!shares && ns > mean_ns_ ? rising : slowly);
        unbiased_ns_ += (own - unbiased_ns_) * slowly;
        if (fixed_)
            return;
        constexpr double aim = static_cast<double>(target.count());
        unsigned const most = (std::min)(2 * handlers_, max);
        if (mean_ns_ * most <= aim)
            handlers_ = most;
        else if (mean_ns_ >= aim)
            handlers_ = 1;
        else
            handlers_ = static_cast<unsigned>(aim / mean_ns_);
    }

    /// Whether a turn of `count` handlers that took `elapsed` has been far longer than most.
    bool is_far_longer(unsigned count, std::chrono::nanoseconds elapsed) const noexcept
    {
        return elapsed > usual && static_cast<double>(elapsed.count()) > 8 * unbiased_ns_ * count;
    }

    /// The worker has slept, or a turn was far longer than most: what comes now may be something
    /// else.
    void start_again() noexcept
    {
        if (!fixed_)
            handlers_ = 1;
    }

private:
    // Of what handlers take, one in two or in a hundred may be long: many turns are needed to
    // forget one.
    static constexpr double rising = 0.25;
    static constexpr double falling = 1.0 / 16;
    // Short ones come a hundred in a row: the ends of the writes of a hundred long ones.
    static constexpr double steady = 1.0 / 256;

    double mean_ns_ = 0;
    double unbiased_ns_ = 0;
    unsigned handlers_;
    bool fixed_;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_PACE_HPP
