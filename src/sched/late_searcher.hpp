// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_LATE_SEARCHER_HPP
#define WEFT_SRC_SCHED_LATE_SEARCHER_HPP

// A worker that has been woken and does not come.

#include <weft/platform/atomic.hpp>
#include <weft/sched/ready_time.hpp>

#include <chrono>
#include <cstdint>

namespace weft
{
namespace detail
{

/// Who has been woken counts as a searcher, and stands for all who sleep: while it searches, who
/// publishes work wakes nobody. But it may wait for a core, behind a handler that goes on for
/// milliseconds, where another one of those who sleep would have one at once. Hints; any thread.
class late_searcher
{
public:
    // A few times what it takes to wake somebody. Guessed.
    static constexpr std::chrono::microseconds patience{50};

    /// Somebody is woken.
    void woken(ready_time now) noexcept
    {
        since_.store(now, memory_order_relaxed);
    }

    /// For who has published work while one who was woken has not come. `taken` counts what has
    /// been taken from there, `looked` is when a worker last looked at the clock, `now()` looks at
    /// it. True once in so long: nobody has taken anything.
    template <typename Now>
    bool is_late(std::uint64_t taken, ready_time looked, Now now) noexcept
    {
        if (taken != taken_.load(memory_order_relaxed))
        {
            // Somebody runs, or did so then.
            taken_.store(taken, memory_order_relaxed);
            since_.store(looked, memory_order_relaxed);
            return false;
        }
        ready_time const at = now();
        if (age(since_.load(memory_order_relaxed), at) < patience)
            return false;
        since_.store(at, memory_order_relaxed);
        return true;
    }

private:
    atomic<ready_time> since_{0};
    atomic<std::uint64_t> taken_{0};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_LATE_SEARCHER_HPP
