// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_SHORT_CONTINUATIONS_HPP
#define WEFT_SRC_SCHED_SHORT_CONTINUATIONS_HPP

// Whether what a handler has started, and what has completed at once, may come before what waits:
// if it is short, as the end of a write that begins the next read. Where it is as long as other
// handlers, as where each step of a conversation does its work, all that waits would be late by one
// handler more.

#include <algorithm>
#include <chrono>

namespace weft
{
namespace detail
{

/// One thread at a time.
class short_continuations
{
public:
    using time_point = std::chrono::steady_clock::time_point;

    // The end of a write with the beginning of the next read takes 2 to 5 us, most of it system
    // calls. A longer one counts as much as `most`, for its thread may have lost the core: some of
    // a hundred do beside clients that have no core of their own.
    static constexpr std::chrono::nanoseconds bound{10'000};
    static constexpr std::chrono::nanoseconds most{20'000};

    // If they are not known to be short, one in so many is tried.
    static constexpr unsigned trial_period = 32;

    bool are_short() const noexcept
    {
        return mean_ < bound;
    }

    /// Whether the next one is expected to be short, or is to be tried.
    bool expected() noexcept
    {
        return are_short() || ++refused_ % trial_period == 0;
    }

    /// One is about to begin.
    void begin(time_point now) noexcept
    {
        began_ = now;
    }

    bool begun() const noexcept
    {
        return began_ != time_point();
    }

    /// At a look elsewhere: one that was about to begin has returned, or `waits` still.
    void look(time_point now, bool waits) noexcept
    {
        if (!begun())
            return;
        if (waits)
            return begin(now);
        mean_ += ((std::min)(std::chrono::nanoseconds(now - began_), most) - mean_) / 32;
        forget();
    }

    /// Nobody will know how long it took.
    void forget() noexcept
    {
        began_ = time_point();
    }

private:
    std::chrono::nanoseconds mean_{0};
    time_point began_{};
    unsigned refused_ = 0;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_SHORT_CONTINUATIONS_HPP
