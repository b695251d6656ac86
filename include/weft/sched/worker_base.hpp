// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_WORKER_BASE_HPP
#define WEFT_SCHED_WORKER_BASE_HPP

// The part of a worker that headers know: how many handlers it runs until it looks elsewhere, and
// the work that they have started. What completes at once spends from the one, and what waits
// counts in the other, without a call into the library.

#include <weft/sched/pace.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

/// Fields are the worker's thread's alone.
struct worker_base
{
    explicit worker_base(unsigned interval) noexcept : turn(interval)
    {
    }

    worker_base(worker_base const&) = delete;
    worker_base& operator=(worker_base const&) = delete;

    // Handlers left of this turn, at whose end the worker looks elsewhere; and of the tick, at
    // whose end it looks into the reactor, beyond them.
    unsigned run_left = 0;
    unsigned tick_left = 0;

    // Early completions that the handlers of this turn may still use beyond it, if it is short.
    static constexpr unsigned most_early = 32;
    unsigned early_left = most_early;

    // What both were together when the turn began; 0 if it tells nothing about handlers, because
    // the worker has searched or slept in it. How long turns are.
    unsigned turn_start = 0;
    pace turn;

    // Work started less work finished since the last flush into work_count.
    std::int64_t work_delta = 0;

    /// Begins a turn of so many handlers, or of what is left of the tick.
    void begin_turn(unsigned handlers) noexcept
    {
        turn_start = tick_left;
        early_left = most_early;
        go_on(handlers);
    }

    /// The turn goes on for so many handlers, or for what is left of the tick.
    void go_on(unsigned handlers) noexcept
    {
        run_left = handlers < tick_left ? handlers : tick_left;
        tick_left -= run_left;
    }

    /// The turn ends after so many handlers.
    void end_turn_after(unsigned handlers) noexcept
    {
        tick_left += run_left;
        go_on(handlers);
    }

    /// The worker has slept, or its thread leaves: what comes next may be something else. It looks
    /// after `handlers` at most: at once, or after one that does not wait for the clock.
    void begin_cautiously(unsigned handlers) noexcept
    {
        turn.start_again();
        early_left = most_early;
        turn_start = 0;
        if (run_left != handlers)
            end_turn_after(handlers);
    }

    /// Counts an operation that completes at once as a handler. False if the worker is due to look
    /// elsewhere first.
    bool spend() noexcept
    {
        if (run_left != 0)
            --run_left;
        else if (early_left != 0 && tick_left != 0 && !turn.fixed())
        {
            // The turn is short because handlers are long: what a long one does may be short.
            --early_left;
            --tick_left;
        }
        else
            return false;
        return true;
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_WORKER_BASE_HPP
