// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_TIME_OF_WAKES_HPP
#define WEFT_SRC_SCHED_TIME_OF_WAKES_HPP

// What a worker waits while it wakes others.

#include <chrono>
#include <utility>

namespace weft
{
namespace detail
{

/// What of a turn went by while its worker woke others. No handler is long for that: the call into
/// the kernel takes some microseconds, or some tens in a virtual machine; and where no core is free
/// the one that is woken gets the waker's as often as not, and keeps it for a handler or all there
/// are. One thread at a time.
class time_of_wakes
{
public:
    using nanoseconds = std::chrono::nanoseconds;

    void add(nanoseconds time) noexcept
    {
        in_turn_ += time;
    }

    nanoseconds in_turn() const noexcept
    {
        return in_turn_;
    }

    /// Since the worker last looked at the clock, which it may do within a turn.
    nanoseconds since_look() const noexcept
    {
        return in_turn_ - before_look_;
    }

    void look() noexcept
    {
        before_look_ = in_turn_;
    }

    void end_turn() noexcept
    {
        in_turn_ = before_look_ = nanoseconds(0);
    }

    /// The turn was over at the last look. Returns what went by in it.
    nanoseconds end_turn_at_look() noexcept
    {
        in_turn_ -= before_look_;
        return std::exchange(before_look_, nanoseconds(0));
    }

private:
    nanoseconds in_turn_{0};
    nanoseconds before_look_{0};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_TIME_OF_WAKES_HPP
