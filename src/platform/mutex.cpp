// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/mutex.hpp>

namespace weft
{
namespace detail
{

WEFT_INLINE void mutex::sleep_and_lock() noexcept
{
    while (state_.exchange(contended, memory_order_acquire) != free)
        futex_wait(state_, contended);
}

WEFT_INLINE void adaptive_mutex::spin_and_lock() noexcept
{
    // Long pauses, in which the holder can lock several times more with the cache lines that it
    // has: measured with a semaphore between callbacks on two cores, a permit takes 510 ns where
    // the first pause is 1, 200 where it is 16, and 150 where it is 32 or 64. All together take
    // about as long as a sleep.
    constexpr unsigned first_pauses = 32;
    constexpr unsigned most_pauses = 256;
    for (unsigned pauses = first_pauses; pauses <= most_pauses; pauses *= 2)
    {
        cpu_relax(pauses);
        if (state_.load(memory_order_relaxed) == free && try_lock())
            return;
    }
    sleep_and_lock();
}

} // namespace detail
} // namespace weft
