// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_SHORT_CONTINUATIONS_HPP
#define WEFT_SRC_SCHED_SHORT_CONTINUATIONS_HPP

// Whether what a handler has started, and what has completed at once, may come before what waits:
// if it is short, as the end of a write that begins the next read. Where it is as long as other
// handlers, as where each step of a conversation does its work, all that waits would be late by one
// handler more. Each kind of handler counts for itself: where a client's next request is there
// already, the end of a write is short, and the end of the read that it begins does all the work.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

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

    // Nothing comes before so many handlers that wait, if those take longer than this in the mean.
    // When the end of a write has had its turn behind them, the client's next request has come in
    // most cases, and the read finds it at once: no read in vain, and no look into the reactor for
    // what it has found. Behind a few it has not, and who queues it wakes another worker.
    static constexpr std::chrono::nanoseconds most_beside{20'000};
    static constexpr std::size_t most_before = 8;

    // If they are not known to be short, one in so many is tried.
    static constexpr unsigned trial_period = 32;

    // So many kinds are told apart. One more takes the place of the one that has not come for
    // longest, and is at first expected to take as long as all do in the mean.
    static constexpr std::size_t most_kinds = 16;

    /// For one worker. Beside others that have its core too it takes handlers for longer than they
    /// are; so they are very long only if nobody who shares has seen them short lately. Where two
    /// workers did not agree, one request in four passed the queue twice, and the others once.
    static constexpr bool are_very_long(std::chrono::nanoseconds mean) noexcept
    {
        return mean > most_beside;
    }

    /// Whether the next one, which `function` tells from other kinds, is expected to be short, or
    /// is to be tried.
    bool expected(std::uint64_t function) noexcept
    {
        next_ = place_of(function);
        kind& k = kinds_[next_];
        k.last_came = ++came_;
        return k.is_short() || ++k.refused % trial_period == 0;
    }

    /// The one for which expected() was called last is about to begin.
    void begin(time_point now) noexcept
    {
        runs_ = next_;
        began_ = now;
    }

    bool begun() const noexcept
    {
        return began_ != time_point();
    }

    /// Whether its kind is known to be short.
    bool is_short() const noexcept
    {
        return kinds_[runs_].is_short();
    }

    /// At a look elsewhere: one that was about to begin has returned, or `waits` still.
    void look(time_point now, bool waits) noexcept
    {
        if (!begun())
            return;
        if (waits)
        {
            began_ = now;
            return;
        }
        auto const took = (std::min)(std::chrono::nanoseconds(now - began_), most);
        for (auto* mean : {&kinds_[runs_].mean, &mean_of_all_})
            *mean += (took - *mean) / 32;
        forget();
    }

    /// Nobody will know how long it took.
    void forget() noexcept
    {
        began_ = time_point();
    }

private:
    struct kind
    {
        std::uint64_t function = 0;
        std::chrono::nanoseconds mean{0};
        unsigned refused = 0;
        std::uint32_t last_came = 0;

        bool is_short() const noexcept
        {
            return mean < bound;
        }
    };

    std::size_t place_of(std::uint64_t function) noexcept
    {
        for (std::size_t i = 0; i != most_kinds; ++i)
            if (kinds_[i].function == function)
                return i;
        return replace(function);
    }

    [[gnu::noinline]] std::size_t replace(std::uint64_t function) noexcept
    {
        std::size_t oldest = 0;
        for (std::size_t i = 1; i != most_kinds; ++i)
            if (came_ - kinds_[i].last_came > came_ - kinds_[oldest].last_came)
                oldest = i;
        kinds_[oldest] = {function, mean_of_all_, 0, came_};
        return oldest;
    }

    time_point began_{};
    std::size_t next_ = 0;
    std::size_t runs_ = 0;
    std::uint32_t came_ = 0;
    std::chrono::nanoseconds mean_of_all_{0};
    kind kinds_[most_kinds];
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_SHORT_CONTINUATIONS_HPP
