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

    // About as long as a sleep takes from one side's last instruction to the next one's first.
    static constexpr std::chrono::nanoseconds longest{10'000};

    // For a clock that stands still: no look takes less than a sixth of a microsecond.
    static constexpr unsigned most_looks = 64;

    // A sleep that is over so soon would have been no longer than `longest` without itself.
    static constexpr std::chrono::nanoseconds short_sleep{20'000};

    // What is in vain once costs as much as is gained a few times.
    static constexpr int loss = 4;
    static constexpr int first_credit = loss;
    static constexpr int most_credit = 4 * loss;

    // Short sleeps, less those that are not, before it is tried.
    static constexpr int least_needed = 4;
    static constexpr int most_needed = 1024;

    bool pays() const noexcept
    {
        return credit_ > 0;
    }

    /// Something came meanwhile.
    void found() noexcept
    {
        credit_ = (std::min)(credit_ + 1, most_credit);
        if (credit_ == most_credit)
            needed_ = least_needed;
    }

    /// Nothing did.
    void missed() noexcept
    {
        credit_ -= loss;
        if (pays())
            return;
        credit_ = 0;
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
        credit_ = first_credit;
    }

private:
    int credit_ = 0;
    int short_sleeps_ = 0;
    int needed_ = least_needed;
    time_point since_{};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_BUSY_POLL_HPP
