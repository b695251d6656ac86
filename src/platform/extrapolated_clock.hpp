// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_PLATFORM_EXTRAPOLATED_CLOCK_HPP
#define WEFT_SRC_PLATFORM_EXTRAPOLATED_CLOCK_HPP

// The steady clock for who asks it several times in the course of each handler: to read it takes
// 25 to 60 ns, the processor's counter a third of that.

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace weft
{
namespace detail
{

/// The steady clock, `Clocks::now()`, as read at most 1 ms ago, and what `Clocks::cheap()`
/// (cheap_clock) has counted since: within 1 us of what the steady clock says now. It is that
/// itself while `Clocks::counts()` is false, for then that is what `cheap()` says. Does not go
/// back. One thread at a time.
template <typename Clocks>
class extrapolated_clock
{
public:
    using time_point = std::chrono::steady_clock::time_point;

    // Nanoseconds between two readings, beside which these cost nothing. The counter's error of
    // 0.01 % is 100 then.
    static constexpr std::uint64_t longest = 1'000'000;

    time_point now() noexcept
    {
        std::uint64_t const count = Clocks::cheap();
        if (!Clocks::counts())
            return time_point(nanoseconds(count));
        // Also where the counter has gone back, or far ahead.
        std::uint64_t const passed = count - counted_;
        if (passed >= longest)
            return read();
        return last_ = (std::max)(last_, read_ + nanoseconds(passed));
    }

private:
    // Where two readings of the counter are further apart, nobody knows when the steady clock was
    // read between them: the thread may have lost its core. After so many tries it is kept for this
    // once.
    static constexpr std::uint64_t furthest = 1'000;
    static constexpr unsigned most_tries = 4;

    static std::chrono::nanoseconds nanoseconds(std::uint64_t count) noexcept
    {
        return std::chrono::nanoseconds(static_cast<std::int64_t>(count));
    }

    [[gnu::noinline]] time_point read() noexcept
    {
        std::uint64_t before = Clocks::cheap();
        read_ = Clocks::now();
        counted_ = Clocks::cheap();
        for (unsigned tries = 1; counted_ - before > furthest; ++tries)
        {
            if (tries == most_tries)
            {
                counted_ -= longest;
                break;
            }
            before = counted_;
            read_ = Clocks::now();
            counted_ = Clocks::cheap();
        }
        return last_ = (std::max)(last_, read_);
    }

    // What the steady clock said when the counter was there: at first, where it never is.
    time_point read_{};
    std::uint64_t counted_ = std::uint64_t{1} << 63;
    time_point last_{};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_PLATFORM_EXTRAPOLATED_CLOCK_HPP
