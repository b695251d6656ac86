// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_PLATFORM_PAIRED_READING_HPP
#define WEFT_SRC_PLATFORM_PAIRED_READING_HPP

// A clock and a counter, read at the same moment as nearly as can be.

#include <cstdint>

namespace weft
{
namespace detail
{

/// What a clock said while a counter went from `count` to `count + passed`.
template <typename Time>
struct paired_reading
{
    Time time;
    std::uint64_t count;
    std::uint64_t passed;
};

/// Reads `clock()` between two readings of `counter()`. A thread may lose its core between any two:
/// so of some tries the one in which least has passed, and no more tries once that is `enough` or
/// less.
template <typename Clock, typename Counter>
auto read_paired(Clock clock, Counter counter, std::uint64_t enough) noexcept
    -> paired_reading<decltype(clock())>
{
    constexpr int most_tries = 4;
    auto const read = [&]
    {
        std::uint64_t const before = counter();
        auto const time = clock();
        return paired_reading<decltype(clock())>{time, before, counter() - before};
    };
    auto best = read();
    for (int tries = 1; best.passed > enough && tries != most_tries; ++tries)
    {
        auto const next = read();
        if (next.passed <= best.passed)
            best = next;
    }
    return best;
}

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_PLATFORM_PAIRED_READING_HPP
