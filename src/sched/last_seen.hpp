// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_LAST_SEEN_HPP
#define WEFT_SRC_SCHED_LAST_SEEN_HPP

// Something that all workers are to take for the same, and that some of them cannot see for
// themselves.

#include <weft/platform/atomic.hpp>
#include <weft/sched/ready_time.hpp>

#include <chrono>
#include <cstdint>
#include <limits>

namespace weft
{
namespace detail
{

/// When a worker last saw something. Any thread.
class last_seen
{
public:
    using time_point = std::chrono::steady_clock::time_point;

    // For so long it stands for what is now.
    static constexpr std::chrono::nanoseconds lately = std::chrono::milliseconds(20);

    /// A worker has seen it at its look at the clock. Not written at each look, for all read it.
    void note(time_point now) noexcept
    {
        if (age(now) >= lately / 16)
            seen_.store(nanoseconds_at(now), memory_order_relaxed);
    }

    bool is_lately(time_point now) const noexcept
    {
        return age(now) < lately;
    }

private:
    std::chrono::nanoseconds age(time_point now) const noexcept
    {
        return std::chrono::nanoseconds(nanoseconds_at(now) - seen_.load(memory_order_relaxed));
    }

    // Long ago.
    atomic<std::int64_t> seen_{(std::numeric_limits<std::int64_t>::min)() / 2};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_LAST_SEEN_HPP
