// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_LONE_STEALS_HPP
#define WEFT_SCHED_LONE_STEALS_HPP

#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

/// What a worker gains from taking the only entry of another one. That entry may be the root of a
/// large tree, or stand behind a long handler. Or it is the next link of a chain, or a coroutine
/// that yields: then its owner, which would have come to it in a moment, has nothing to do instead,
/// and what has been gained is that all its data move to another core.
///
/// One thread at a time.
class lone_steals
{
public:
    static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

    /// `count` entries have been taken from a worker, which has run so many handlers.
    void took(std::uint32_t count, std::size_t owner, std::uint64_t handlers) noexcept
    {
        if (count != 1)
        {
            owner_ = nobody;
            in_vain_ = 0;
            return;
        }
        owner_ = owner;
        handlers_ = handlers;
    }

    /// Whose only entry was the last to be taken, if it is to be asked what it has done since.
    std::size_t owner() const noexcept
    {
        return owner_;
    }

    /// The thief has nothing left, and the owner has run so many handlers by now.
    void ran_out(std::uint64_t handlers) noexcept
    {
        owner_ = nobody;
        if (handlers - handlers_ >= few_handlers)
            in_vain_ = 0;
        else if (in_vain_ != limit)
            ++in_vain_;
    }

    /// The thief goes to sleep: what it learned is old when it wakes up.
    void forget() noexcept
    {
        owner_ = nobody;
        in_vain_ = 0;
    }

    /// Whether the owners of the last few had next to nothing else to do.
    bool in_vain() const noexcept
    {
        return in_vain_ == limit;
    }

private:
    // Both guessed.
    static constexpr std::uint64_t few_handlers = 8;
    static constexpr unsigned limit = 4;

    std::size_t owner_ = nobody;
    std::uint64_t handlers_ = 0;
    unsigned in_vain_ = 0;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_LONE_STEALS_HPP
