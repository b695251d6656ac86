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

/// When an entry of a queue became ready: as the clock stood when the worker that queued it, or any
/// worker for who is outside, last looked at it. Modulo 2^32 units of 256 ns, which is 18 minutes;
/// the last two bits are no part of the time, which therefore goes in steps of 1.024 us, but say
/// how the time is known to whoever measures how long entries have been queued.
using ready_time = std::uint32_t;

/// Where only one post or call in so many looks at the clock.
constexpr ready_time is_sampled = 1;   ///< by a post from outside that did
constexpr ready_time is_estimated = 2; ///< by one that did not: it became ready then or later
constexpr ready_time how_known = 3;    ///< the bits of both; none: by a worker that did

/// What comes from outside became ready after what the last look at the common clock has seen: it
/// does not go before what a worker queued then.
constexpr ready_time just_after(ready_time looked) noexcept
{
    return looked + how_known + 1;
}

/// For what is to go before what became ready at the same time.
constexpr ready_time just_before(ready_time ready) noexcept
{
    return ready - (how_known + 1);
}

/// For where a time is kept in an atomic, or in a number that is compared with one.
inline std::int64_t nanoseconds_at(std::chrono::steady_clock::time_point time) noexcept
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

inline ready_time ready_time_at(std::chrono::steady_clock::time_point now) noexcept
{
    return static_cast<ready_time>(static_cast<std::uint64_t>(nanoseconds_at(now)) >> 8) &
           ~how_known;
}

/// For who has just looked at the clock: others may have done so a moment later. A second.
constexpr ready_time a_moment = 1u << 22;

/// For who looked some time ago, and has been kept from running since. A minute.
constexpr ready_time a_while = 1u << 28;

/// How long ago `since` was, as seen `now`: up to 18 minutes. What others have said later than
/// `now`, but by `ahead` at the most, was just now; what would lie further ahead was longer ago
/// than can be told.
inline std::chrono::nanoseconds age(
    ready_time since, ready_time now, ready_time ahead = a_moment) noexcept
{
    ready_time const passed = (now & ~how_known) - (since & ~how_known);
    if (passed == 0 || -passed <= ahead)
        return std::chrono::nanoseconds(0);
    return std::chrono::nanoseconds(std::int64_t{passed} * 256);
}

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_READY_TIME_HPP
