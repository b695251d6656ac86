// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_PREEMPTION_HPP
#define WEFT_SRC_SCHED_PREEMPTION_HPP

// For how long other threads have had a worker's core. Where more threads run than there are cores,
// each is preempted every few hundred handlers, for milliseconds: the turn in which that happens
// says nothing about handlers, and as a mean over all of them it would make the shortest long.

#include <weft/sched/pace.hpp>

#include "../platform/this_thread.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace weft
{
namespace detail
{

/// Told of the turns that are far longer than most: of two that follow one another it knows what
/// the thread has run between their ends, and whether it has waited by itself.
class preemption
{
public:
    using time_point = std::chrono::steady_clock::time_point;
    using nanoseconds = std::chrono::nanoseconds;

    /// What was read of the thread is of use for a turn that began no later than so long after.
    static constexpr std::chrono::milliseconds memory{200};

    /// A handler that waits keeps its worker as one that computes. But the thread may as well have
    /// waited for a lock whose holder was preempted: one wait in so many handlers is no news.
    static constexpr std::uint64_t rare = 256;

    /// What a turn counts as at most, beyond what the thread is known to have run in it, if it may
    /// have waited, and such a turn is rare; or if nothing is known of the thread.
    static constexpr nanoseconds doubtful = pace::usual;

    /// The worker has slept, or another thread takes its place.
    void forget() noexcept
    {
        known_ = false;
    }

    /// What handlers took of a turn that took `elapsed`, and has ended `now`: after so many
    /// handlers of the worker in all, when `usage` was that of its thread.
    nanoseconds without(nanoseconds elapsed, time_point now, std::uint64_t handlers,
        thread_usage const& usage) noexcept
    {
        nanoseconds result = elapsed;
        nanoseconds run{0};
        bool const known = known_ && now - elapsed - since_ <= memory;
        if (known)
        {
            nanoseconds const preempted = (now - since_) - (usage.cpu - usage_.cpu);
            run = std::clamp(elapsed - preempted, nanoseconds(0), elapsed);
        }
        if (known && usage.waits == usage_.waits)
            result = run;
        else
        {
            if (handlers - waited_after_ > rare)
                result = (std::max)(run, (std::min)(elapsed, doubtful));
            waited_after_ = handlers;
        }
        known_ = true;
        since_ = now;
        usage_ = usage;
        return result;
    }

private:
    bool known_ = false;
    time_point since_{};
    thread_usage usage_;

    // How many handlers the worker had run when it was last told of a turn in which it may have
    // waited.
    std::uint64_t waited_after_ = ~std::uint64_t{0} - rare;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_PREEMPTION_HPP
