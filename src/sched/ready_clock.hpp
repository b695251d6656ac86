// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_READY_CLOCK_HPP
#define WEFT_SRC_SCHED_READY_CLOCK_HPP

// Since when what is queued is ready. Where handlers are short it is the time at which the worker
// last looked at the clock. Where they are long that was before the handler: what it queues would
// then go before all that others have queued while it ran, and so it looks at the clock again.

#include <weft/platform/atomic.hpp>
#include <weft/sched/ready_time.hpp>

#include "shared_state.hpp"

#include <chrono>

namespace weft
{
namespace detail
{

template <typename Traits>
struct ready_clock
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;

    // The common clock need not be more exact than this, and is not written more often. What a
    // handler queues within a step goes before what came from outside since the step began: with 16
    // us, beside handlers of 20 us, the latter was late by half a handler more.
    static constexpr std::chrono::microseconds step{4};

    /// Since when what the worker queues is ready, if it became so in the running handler.
    static ready_time now(shared& s, worker& w) noexcept
    {
        return w.shares ? exactly_now(s, w) : w.ready_now();
    }

    /// Since when what comes from outside is ready, if nobody looks at the clock for it.
    static ready_time now_outside(shared const& s) noexcept
    {
        return just_after(s.now.load(memory_order_relaxed));
    }

    /// Those that do not look at the clock themselves are told what it says. Returns what they know
    /// now: that, or a little less.
    static ready_time tell_others(shared& s, ready_time at) noexcept
    {
        ready_time told = s.now.load(memory_order_relaxed);
        if (age(told, at) < step)
            return told;
        // Not back, after a time off the core: then another one has told them more.
        return s.now.compare_exchange_strong(told, at, memory_order_relaxed, memory_order_relaxed)
                   ? at
                   : told;
    }

    /// As above, after a time in which the worker did not look: they know all that it has seen.
    /// What seems to be ahead by more than some milliseconds is from before a sleep of 18 minutes.
    static void advance_to(shared& s, ready_time at) noexcept
    {
        constexpr ready_time some_milliseconds = 1u << 14;
        ready_time told = s.now.load(memory_order_relaxed);
        while (age(told, at, some_milliseconds) != std::chrono::nanoseconds(0) &&
               !s.now.compare_exchange_weak(told, at, memory_order_relaxed, memory_order_relaxed))
        {
        }
    }

private:
    // What the others know, so that what comes from outside from then on is younger, however long
    // nobody looks at the clock. And not w.now: how long the worker has been in its handler is seen
    // there.
    [[gnu::noinline]] static ready_time exactly_now(shared& s, worker& w) noexcept
    {
        return tell_others(s, ready_time_at(w.clock.now()));
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_READY_CLOCK_HPP
