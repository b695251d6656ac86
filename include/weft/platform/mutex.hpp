// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_MUTEX_HPP
#define WEFT_PLATFORM_MUTEX_HPP

// Mutexes for critical sections of a few instructions. The three states are those of Ulrich
// Drepper's "Futexes are tricky" (mutex2): free, held, and held with a possible sleeper.

#include <weft/platform/atomic.hpp>

#if !defined(WEFT_ATOMICS_HEADER)

#include <weft/platform/backoff.hpp>
#include <weft/platform/futex.hpp>
#include <weft/platform/single_threaded.hpp>
#include <weft/platform/visibility.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

/// Who finds it held sleeps: right where the next one in would find every cache line it needs with
/// the one before it, and both together get less done than either alone.
class WEFT_DECL mutex
{
public:
    mutex() noexcept = default;
    mutex(mutex const&) = delete;
    mutex& operator=(mutex const&) = delete;

    [[gnu::always_inline]] void lock() noexcept
    {
        if (!try_lock())
            sleep_and_lock();
    }

    [[gnu::always_inline]] bool try_lock() noexcept
    {
        if (process_is_single_threaded())
        {
            bool const was_free = state_.load(memory_order_relaxed) == free;
            if (was_free)
                state_.store(held, memory_order_relaxed);
            return was_free;
        }
        std::uint32_t expected = free;
        return state_.compare_exchange_strong(
            expected, held, memory_order_acquire, memory_order_relaxed);
    }

    // Always inline: whether it would be otherwise depends on what else is compiled with it.
    [[gnu::always_inline]] void unlock() noexcept
    {
        if (process_is_single_threaded())
            state_.store(free, memory_order_release);
        else if (state_.exchange(free, memory_order_release) == contended)
            futex_wake(state_, 1);
    }

protected:
    enum : std::uint32_t
    {
        free,
        held,
        contended
    };

    void sleep_and_lock() noexcept;

    // Written by every locker; release of unlock() pairs with acquire of the next lock().
    atomic<std::uint32_t> state_{free};
};

/// Who finds it held spins for a moment, and then sleeps: for holds by a running thread that are
/// shorter than a sleep.
class WEFT_DECL adaptive_mutex : public mutex
{
public:
    [[gnu::always_inline]] void lock() noexcept
    {
        if (!try_lock())
            spin_and_lock();
    }

private:
    void spin_and_lock() noexcept;
};

} // namespace detail
} // namespace weft

#endif // !defined(WEFT_ATOMICS_HEADER)

#endif // WEFT_PLATFORM_MUTEX_HPP
