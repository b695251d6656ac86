// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_SEMAPHORE_WORD_HPP
#define WEFT_SYNC_SEMAPHORE_WORD_HPP

// The word of a semaphore (semaphore_state.hpp): what its bits mean.

#include <weft/platform/atomic.hpp>
#include <weft/platform/narrow.hpp>
#include <weft/sync/waiter.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

class semaphore_word
{
public:
    /// The most permits that there can be.
    static constexpr std::uint64_t max_permits = (std::uint64_t(1) << 60) - 1;

    explicit semaphore_word(std::uint64_t permits) noexcept : word_(permits << shift)
    {
    }

    /// The permits that are free; 0 while anybody waits. Of the moment.
    std::uint64_t available() const noexcept
    {
        std::uint64_t const word = word_.load(memory_order_relaxed);
        return (word & (one_flag | list_flag)) == 0 ? word >> shift : 0;
    }

    bool closed() const noexcept
    {
        return (word_.load(memory_order_relaxed) & closed_flag) != 0;
    }

protected:
    static constexpr unsigned shift = 3;
    static constexpr std::uint64_t one_flag = 1;
    static constexpr std::uint64_t list_flag = 2;
    static constexpr std::uint64_t closed_flag = 4;
    static constexpr std::uint64_t flags = 7;
    static constexpr std::uint64_t unit = std::uint64_t(1) << shift;

    static std::uint64_t one_of(waiter& w) noexcept
    {
        static_assert(alignof(waiter) > flags, "an address leaves room for the flags");
        return reinterpret_cast<std::uintptr_t>(&w) | one_flag;
    }

    static waiter& waiter_of(std::uint64_t word) noexcept
    {
        return *reinterpret_cast<waiter*>(narrow<std::uintptr_t>(word & ~flags));
    }

    // Every exchange that puts permits or a waiter in releases, every one that takes some out
    // acquires: what was done before a release is seen by who has the permit then. One that leaves
    // nothing there has nothing to say.
    atomic<std::uint64_t> word_;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_SEMAPHORE_WORD_HPP
