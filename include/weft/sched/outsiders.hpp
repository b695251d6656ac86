// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_OUTSIDERS_HPP
#define WEFT_SCHED_OUTSIDERS_HPP

#include <weft/platform/atomic.hpp>
#include <weft/platform/futex.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

/// Threads outside run() that still use a scheduler on behalf of an operation that others may run
/// by now: if it was the last one, run() returns and the owner may destroy the context, which must
/// wait for them.
class outsiders
{
public:
    outsiders() noexcept = default;
    outsiders(outsiders const&) = delete;
    outsiders& operator=(outsiders const&) = delete;

    /// To be called before the operation can be run.
    void enter() noexcept
    {
        count_.fetch_add(1, memory_order_relaxed);
    }

    /// The caller's last access.
    void leave() noexcept
    {
        // Release: what the caller did comes before the end. The word may be gone after this, and
        // only its address is used.
        if (count_.fetch_sub(1, memory_order_release) == (awaited | 1))
            futex_wake(count_, 1);
    }

    /// Returns when all that have entered have left. Nobody enters any more.
    void await_none() noexcept
    {
        std::uint32_t now = count_.fetch_or(awaited, memory_order_acquire);
        while ((now & ~awaited) != 0)
        {
            futex_wait(count_, now | awaited);
            now = count_.load(memory_order_acquire);
        }
    }

private:
    static constexpr std::uint32_t awaited = std::uint32_t{1} << 31;

    // How many there are, and whether the end waits for them.
    atomic<std::uint32_t> count_{0};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_OUTSIDERS_HPP
