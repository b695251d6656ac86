// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_READY_TIME_HPP
#define WEFT_SCHED_READY_TIME_HPP

#include <chrono>
#include <cstdint>

namespace weft
{
namespace detail
{

/// When an entry of a queue became ready, in units of 1.024 us: as the clock stood when the worker
/// that queued it, or any worker for who is outside, last looked at it. Modulo 2^32.
using ready_time = std::uint32_t;

inline ready_time ready_time_at(std::chrono::steady_clock::time_point now) noexcept
{
    using std::chrono::nanoseconds;
    auto const ns = std::chrono::duration_cast<nanoseconds>(now.time_since_epoch()).count();
    return static_cast<ready_time>(static_cast<std::uint64_t>(ns) >> 10);
}

/// How long ago `since` was, as seen `now`: up to an hour and more. What others have said a moment
/// later than `now` was just now; what would lie further ahead was longer ago than can be told.
inline std::chrono::nanoseconds age(ready_time since, ready_time now) noexcept
{
    constexpr ready_time moment = 1u << 20;
    if (since - now <= moment)
        return std::chrono::nanoseconds(0);
    return std::chrono::nanoseconds(std::int64_t{now - since} * 1024);
}

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_READY_TIME_HPP
