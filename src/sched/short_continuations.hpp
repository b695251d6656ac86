// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_SHORT_CONTINUATIONS_HPP
#define WEFT_SRC_SCHED_SHORT_CONTINUATIONS_HPP

// Whether what a handler has started, and what has completed at once, may come before what waits:
// if it is short, as the end of a write that begins the next read. Where it is as long as other
// handlers, as where each step of a conversation does its work, all that waits would be late by one
// handler more. Each kind of handler counts for itself: where a client's next request is there
// already, the end of a write is short, and the end of the read that it begins does all the work.
// Nor is it to come at once where the read that it begins finds nothing then, and would have found
// the next request behind what waits; nor, beside long handlers, where it finds that request in
// either case, which then has a place before all that comes until the end would have had its turn.

#include "continuation_kinds.hpp"
#include "gains_of_waiting.hpp"

#include <cassert>
#include <chrono>
#include <cstdint>
#include <utility>

namespace weft
{
namespace detail
{

/// When one that is expected to be short is to wait behind what is ready.
enum class waits
{
    not_at_all,
    if_it_gains, ///< it finds something then, and would not at once
    if_it_finds  ///< or would find it at once as well
};

/// One thread at a time.
class short_continuations
{
public:
    using time_point = std::chrono::steady_clock::time_point;

    // If they are not known to be short, one in so many is tried. And of those that come at once
    // one in so many is made to wait, and one in so many of those that wait or come at once is
    // watched.
    static constexpr unsigned trial_period = 32;

    /// Whether the next one, which `function` tells from other kinds, is to come next: if it is
    /// expected to be short and is not to wait for what `when` says, or as a trial. Those that wait
    /// are not tried: one that comes at once, and whose read fails, is ahead of all others from
    /// then on.
    bool expected(std::uint64_t function, waits when, gains_of_waiting& gains) noexcept
    {
        is_sample_ = false;
        next_ = &kinds_.comes(function, gains);
        if (!next_->is_short())
            return ++next_->refused % trial_period == 0;
        if (when != waits::not_at_all)
        {
            next_->waits = when == waits::if_it_finds ? gains.finds_waiting(next_->place)
                                                      : gains.are_expected(next_->place);
            if (next_->waits)
                return false;
        }
        unsigned const number = ++next_->asked % trial_period;
        is_sample_ = number == trial_period / 2;
        return when == waits::not_at_all || number != 0;
    }

    /// The one for which expected() was called last is about to begin.
    void begin(time_point now, gains_of_waiting& gains) noexcept
    {
        assert(next_);
        end_waited(gains);
        runs_ = next_;
        began_ = now;
        found_ = false;
    }

    /// A handler is about to begin that does not come at once: perhaps one of those that have
    /// waited.
    void begin_waited(std::uint64_t function) noexcept
    {
        if (begun())
            return;
        auto* const known = kinds_.find(function);
        waited_ = known && is_sample_of_waiting(*known);
        if (!waited_)
            return;
        runs_ = known;
        found_ = false;
    }

    /// The handler that runs has started something, and that has completed at once.
    void finds() noexcept
    {
        found_ = true;
    }

    bool begun() const noexcept
    {
        return began_ != time_point();
    }

    /// Whether the kind of the last one is known to be short.
    bool is_short() const noexcept
    {
        return runs_->is_short();
    }

    /// At a look elsewhere: one that was about to begin has returned, or `waits` still.
    void look(time_point now, bool waits, gains_of_waiting& gains) noexcept
    {
        if (!begun())
        {
            end_waited(gains);
            return;
        }
        if (waits)
        {
            began_ = now;
            return;
        }
        kinds_.took(*runs_, now - began_);
        if (is_sample_)
            gains.note(runs_->place, false, found_);
        forget();
    }

    /// Nobody will know how long it took.
    void forget() noexcept
    {
        began_ = time_point();
        waited_ = false;
    }

private:
    using kind = continuation_kinds::kind;

    /// All that have been made to wait, or one in so many where all wait.
    static bool is_sample_of_waiting(kind& k) noexcept
    {
        return k.is_short() && (!k.waits || ++k.waited_alike % trial_period == 0);
    }

    void end_waited(gains_of_waiting& gains) noexcept
    {
        if (std::exchange(waited_, false))
            gains.note(runs_->place, true, found_);
    }

    continuation_kinds kinds_;
    kind* next_ = nullptr;

    // Of the one that runs: its kind; since when, if it comes at once, or whether it has waited,
    // and is watched; and whether it has found anything.
    kind* runs_ = nullptr;
    time_point began_{};
    bool waited_ = false;
    bool is_sample_ = false;
    bool found_ = false;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_SHORT_CONTINUATIONS_HPP
