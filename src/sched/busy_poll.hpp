// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_BUSY_POLL_HPP
#define WEFT_SRC_SCHED_BUSY_POLL_HPP

// Whether a worker that has nothing left keeps looking for a while before it sleeps. A sleep takes
// several microseconds on its own core and on that of whoever ends it; where what comes next comes
// within such a time, looking for it costs no more, and answers sooner. Where it comes later,
// looking is in vain, and so it is where whoever would send it waits for this core.
//
// Source: the halt polling of KVM (Documentation/virt/kvm/halt-polling.rst in Linux), which follows
// the lengths of the last sleeps too; and competitive spinning, as in Karlin, Li, Manasse, Owicki,
// "Empirical studies of competitive spinning for a shared-memory multiprocessor", 1991.

#include <algorithm>
#include <chrono>

namespace weft
{
namespace detail
{

/// One thread at a time.
class busy_poll
{
public:
    using time_point = std::chrono::steady_clock::time_point;

    // What a sleep costs its own core and that of whoever ends it, and what comes late by it. So
    // long it polls at most, and so much it has gained if it need not sleep.
    static constexpr std::chrono::nanoseconds longest{8'000};

    // For a clock that stands still: no look takes less than 10 ns.
    static constexpr unsigned most_looks = 1024;

    static constexpr std::chrono::nanoseconds one_look{1'000};

    // A sleep that is over so soon would have been no longer than `longest` without itself.
    static constexpr std::chrono::nanoseconds short_sleep{20'000};

    static constexpr std::chrono::nanoseconds most_credit = 4 * longest;

    // Short sleeps, less those that are not, before it is tried.
    static constexpr int least_needed = 4;
    static constexpr int most_needed = 1024;

    // What one that is not short takes away.
    static constexpr int loss = 4;

    bool pays() const noexcept
    {
        return credit_.count() > 0;
    }

    /// Something came after `time`.
    void found(std::chrono::nanoseconds time) noexcept
    {
        credit_ = (std::min)(credit_ + longest - time, most_credit);
        if (credit_ == most_credit)
            needed_ = least_needed;
    }

    /// Nothing did that it need have polled for.
    void missed(std::chrono::nanoseconds time) noexcept
    {
        credit_ -= (std::max)(time, one_look);
        if (pays())
            return;
        short_sleeps_ = 0;
        needed_ = (std::min)(2 * needed_, most_needed);
    }

    /// The worker has had nothing left since `now`, and sleeps without having looked any longer.
    void sleeps(time_point now) noexcept
    {
        since_ = now;
    }

    /// It has slept.
    void wakes(time_point now) noexcept
    {
        if (since_ == time_point())
            return;
        bool const was_short = now - since_ <= short_sleep;
        since_ = time_point();
        short_sleeps_ = was_short ? short_sleeps_ + 1 : (std::max)(short_sleeps_ - loss, 0);
        if (short_sleeps_ < needed_)
            return;
        short_sleeps_ = 0;
        credit_ = longest;
    }

private:
    // Time that it may spend in vain.
    std::chrono::nanoseconds credit_{0};
    int short_sleeps_ = 0;
    int needed_ = least_needed;
    time_point since_{};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_BUSY_POLL_HPP
