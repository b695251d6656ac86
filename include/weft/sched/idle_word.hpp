// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_IDLE_WORD_HPP
#define WEFT_SCHED_IDLE_WORD_HPP

// The word in which a scheduler's sleepers are counted: parked:16 | searching:16 | events:32.
// `events` is the job event counter: even means that a worker has announced that it may go to
// sleep, odd that work has been published since.

#include <cstdint>

namespace weft
{
namespace detail
{

/// What try_sleep() decided.
enum class sleep_result
{
    parked,       ///< counted as asleep: park, without limit
    parked_guard, ///< counted as asleep, and in charge of those that run: park for a limited time
    retry,        ///< work was published: announce and search again
    finished      ///< everybody sleeps and no work is outstanding: stop
};

/// What the bits of the word mean.
struct idle_word
{
    static constexpr std::uint64_t one_parked = 1;
    static constexpr std::uint64_t one_searching = std::uint64_t{1} << 16;
    static constexpr std::uint64_t one_event = std::uint64_t{1} << 32;

    static std::uint32_t parked_of(std::uint64_t word) noexcept
    {
        return static_cast<std::uint32_t>(word & 0xffff);
    }

    static std::uint32_t searching_of(std::uint64_t word) noexcept
    {
        return static_cast<std::uint32_t>((word >> 16) & 0xffff);
    }

    static std::uint32_t events_of(std::uint64_t word) noexcept
    {
        return static_cast<std::uint32_t>(word >> 32);
    }

    static bool announced(std::uint32_t events) noexcept
    {
        return events % 2 == 0;
    }

    static bool wants_wake(std::uint64_t word) noexcept
    {
        return searching_of(word) == 0 && parked_of(word) != 0;
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_IDLE_WORD_HPP
