// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_PLATFORM_EXTRAPOLATED_CLOCK_HPP
#define WEFT_SRC_PLATFORM_EXTRAPOLATED_CLOCK_HPP

// The steady clock for who asks it several times in the course of each handler: to read it takes
// 25 to 60 ns, the processor's counter a third of that.

#include "paired_reading.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace weft
{
namespace detail
{

/// The steady clock, `Clocks::now()`, as read at most 1 ms ago, and what `Clocks::counter()`
/// (cheap_clock) has counted since: within 1 us of what the steady clock says now. It is that
/// itself while `Clocks::has_counter()` is false, for then that is what `counter()` says; and from
/// the moment on at which the two are seen to disagree. Does not go back. One thread at a time.
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
        std::uint64_t const count = Clocks::counter();
        if (!Clocks::has_counter())
            return time_point(nanoseconds(count));
        // Also where the counter has gone back, or far ahead, or is not believed.
        std::uint64_t const passed = count - counted_;
        if (passed >= longest)
            return read();
        return last_ = (std::max)(last_, read_ + nanoseconds(passed));
    }

private:
    // Where more has passed while the steady clock was read, nobody knows when it was: what it said
    // is kept for this once.
    static constexpr std::uint64_t most_apart = 1'000;

    // What both have counted between two readings is compared if it is less; more passes while a
    // machine is suspended, for one of them only.
    static constexpr std::uint64_t most_compared = 1'000'000'000;

    static std::chrono::nanoseconds nanoseconds(std::uint64_t count) noexcept
    {
        return std::chrono::nanoseconds(static_cast<std::int64_t>(count));
    }

    [[gnu::noinline]] time_point read() noexcept
    {
        if (!believed_)
            return last_ = (std::max)(last_, Clocks::now());
        auto const both =
            read_paired([] { return Clocks::now(); }, [] { return Clocks::counter(); }, most_apart);
        bool const is_exact = both.passed <= most_apart;
        if (is_exact && counted_ != never)
            believed_ = agree(both);
        read_ = both.time;
        counted_ = is_exact && believed_ ? both.count : never;
        return last_ = (std::max)(last_, read_);
    }

    /// Whether both clocks have gone on alike since the last reading: the counter may have been
    /// compared with the steady clock in an unlucky moment, or not be what it was then.
    bool agree(paired_reading<time_point> const& now) const noexcept
    {
        auto const counted = now.count - counted_;
        auto const passed = static_cast<std::uint64_t>((now.time - read_).count());
        if (counted > most_compared || passed > most_compared)
            return true;
        auto const difference = counted > passed ? counted - passed : passed - counted;
        return difference <= 2 * most_apart + passed / 1'000;
    }

    // Where the counter never is.
    static constexpr std::uint64_t never = std::uint64_t{1} << 63;

    // What the steady clock said when the counter was there.
    time_point read_{};
    std::uint64_t counted_ = never;
    time_point last_{};
    bool believed_ = true;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_PLATFORM_EXTRAPOLATED_CLOCK_HPP
