// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_SINGLE_TASK_STEALS_HPP
#define WEFT_SCHED_SINGLE_TASK_STEALS_HPP

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

/// What a worker has learned from its single-task steals: those of the only entry in the ring of
/// another worker. That entry may be the root of a large tree, or stand behind a long handler; then
/// the steal is profitable. Or it is the next link of a chain, or a coroutine that yields. Then the
/// owner, which would have come to it in a moment, runs out of work, and all that has been gained
/// is that the data of the entry move to another core: the steal is unprofitable.
///
/// One thread at a time.
class single_task_steals
{
public:
    using time_point = std::chrono::steady_clock::time_point;

    static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

    /// `count` entries have been taken from a worker that has run so many handlers.
    void took(
        std::uint32_t count, std::size_t owner, std::uint64_t handlers, time_point now) noexcept
    {
        if (count != 1)
        {
            forget();
            return;
        }
        owner_ = owner;
        handlers_ = handlers;
        then_ = now;
    }

    /// Whose only entry was the last to be taken, if it is to be asked what it has done since.
    std::size_t owner() const noexcept
    {
        return owner_;
    }

    /// The thief has nothing left. The owner has run so many handlers by now, and last had nothing
    /// left from `idle_since` on.
    void ran_out(std::uint64_t handlers, time_point idle_since) noexcept
    {
        bool const at_once = idle_since >= then_ && idle_since - then_ < short_time;
        owner_ = nobody;
        if (!at_once || handlers - handlers_ >= few_handlers)
            unprofitable_ -= (std::min)(unprofitable_, weight_of_use);
        else if (unprofitable_ != most)
            ++unprofitable_;
    }

    /// The thief goes to sleep: a little of what it has learned is old when it wakes up.
    void slept() noexcept
    {
        owner_ = nobody;
        unprofitable_ -= (std::min)(unprofitable_, 1u);
    }

    /// What was taken was of use, whatever comes of it.
    void forget() noexcept
    {
        owner_ = nobody;
        unprofitable_ = 0;
    }

    /// Whether most of the last few were: then the thief gives grace (search.hpp).
    bool unprofitable() const noexcept
    {
        return unprofitable_ >= enough;
    }

private:
    // All guessed.
    static constexpr std::chrono::nanoseconds short_time{1500};
    static constexpr std::uint64_t few_handlers = 8;
    static constexpr unsigned enough = 4;
    static constexpr unsigned most = 8;
    static constexpr unsigned weight_of_use = 2;

    std::size_t owner_ = nobody;
    std::uint64_t handlers_ = 0;
    time_point then_{};
    unsigned unprofitable_ = 0;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_SINGLE_TASK_STEALS_HPP
