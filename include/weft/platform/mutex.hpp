// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_MUTEX_HPP
#define WEFT_PLATFORM_MUTEX_HPP

// A mutex for critical sections of a few instructions: it spins for a moment and then sleeps. The
// three states are those of Ulrich Drepper's "Futexes are tricky" (mutex2): free, held, and held
// with a possible sleeper. std::mutex would do; it does not spin, and a short hold by a running
// thread is the common case here.

#include <weft/platform/atomic.hpp>

#if !defined(WEFT_ATOMICS_HEADER)

#include <weft/platform/backoff.hpp>
#include <weft/platform/futex.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

class mutex
{
public:
    mutex() noexcept = default;
    mutex(mutex const&) = delete;
    mutex& operator=(mutex const&) = delete;

    void lock() noexcept
    {
        std::uint32_t expected = free;
        if (!state_.compare_exchange_strong(
                expected, held, memory_order_acquire, memory_order_relaxed))
            lock_slow();
    }

    bool try_lock() noexcept
    {
        std::uint32_t expected = free;
        return state_.compare_exchange_strong(
            expected, held, memory_order_acquire, memory_order_relaxed);
    }

    void unlock() noexcept
    {
        if (state_.exchange(free, memory_order_release) == contended)
            futex_wake(state_, 1);
    }

private:
    enum : std::uint32_t
    {
        free,
        held,
        contended
    };

    void lock_slow() noexcept;

    // Written by every locker; release of unlock() pairs with acquire of the next lock().
    atomic<std::uint32_t> state_{free};
};

} // namespace detail
} // namespace weft

#endif // !defined(WEFT_ATOMICS_HEADER)

#endif // WEFT_PLATFORM_MUTEX_HPP
