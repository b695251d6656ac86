// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_DEADLINE_HPP
#define WEFT_PLATFORM_DEADLINE_HPP

#include <chrono>

namespace weft
{
namespace detail
{

/// Until when something waits at most.
using deadline = std::chrono::steady_clock::time_point;

/// The duration in the clock's own unit: none if it is not positive, and the longest that there is
/// if it is longer.
template <typename Rep, typename Period>
deadline::duration duration_of(std::chrono::duration<Rep, Period> const& time) noexcept
{
    // As doubles: a duration of another unit may not fit.
    using seconds = std::chrono::duration<double>;
    if (seconds(time) >= seconds((deadline::duration::max)()) * 0.999)
        return (deadline::duration::max)();
    if (time <= std::chrono::duration<Rep, Period>::zero())
        return deadline::duration::zero();
    return std::chrono::ceil<deadline::duration>(time);
}

/// The point in time that is `time` from now: now if `time` is not positive, and the last point
/// that the clock knows if `time` is longer than it can tell.
template <typename Rep, typename Period>
deadline deadline_after(std::chrono::duration<Rep, Period> const& time) noexcept
{
    auto const now = deadline::clock::now();
    auto const left = duration_of(time);
    return left >= (deadline::max)() - now ? (deadline::max)() : now + left;
}

/// The point in time as a deadline; the first or the last one that the clock knows if it is beyond.
template <typename Duration>
deadline deadline_of(std::chrono::time_point<deadline::clock, Duration> const& time) noexcept
{
    // As doubles: a duration of another unit may not fit.
    using seconds = std::chrono::duration<double>;
    if (seconds(time.time_since_epoch()) >= seconds((deadline::duration::max)()) * 0.999)
        return (deadline::max)();
    if (seconds(time.time_since_epoch()) <= seconds((deadline::duration::min)()) * 0.999)
        return (deadline::min)();
    return std::chrono::ceil<deadline::duration>(time);
}

/// How long it is until `time`: more than the clock can tell, too.
template <typename Clock, typename Duration>
std::chrono::duration<double> time_until(
    std::chrono::time_point<Clock, Duration> const& time) noexcept
{
    // As doubles first: the difference may be no duration.
    using seconds = std::chrono::duration<double>;
    auto const now = Clock::now();
    seconds const left = seconds(time.time_since_epoch()) - seconds(now.time_since_epoch());
    constexpr seconds far(1e8);
    return left < -far || left > far ? left : seconds(time - now);
}

/// The deadline at which another clock, which may be set, comes to `time` if it goes on as now.
template <typename Clock, typename Duration>
deadline deadline_at(std::chrono::time_point<Clock, Duration> const& time) noexcept
{
    return deadline_after(time_until(time));
}

} // namespace detail
} // namespace weft

#endif // WEFT_PLATFORM_DEADLINE_HPP
