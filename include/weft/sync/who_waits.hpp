// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_WHO_WAITS_HPP
#define WEFT_SYNC_WHO_WAITS_HPP

// Looks at those that wait for permits.

#include <weft/sync/semaphore_state.hpp>
#include <weft/sync/waiter.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

inline waiting_now semaphore_state::waiting() const noexcept
{
    waiting_now found;
    mutex_.lock();
    found.add(list_);
    mutex_.unlock();
    // Whoever is there alone may leave without the lock: nothing of it is read.
    if ((word_.load(memory_order_relaxed) & one_flag) != 0)
        found.count = 1;
    return found;
}

template <typename Out>
void semaphore_state::for_each_waiting(Out out) noexcept
{
    mutex_.lock();
    // Whoever is there alone may leave without the lock; from the list nobody does.
    std::uint64_t word = word_.load(memory_order_relaxed);
    while ((word & one_flag) != 0)
        // Acquire: the waiter is read. Release: as the exchange that has put it there.
        if (word_.compare_exchange_weak(
                word, list_flag, memory_order_acq_rel, memory_order_relaxed))
        {
            list_.push(waiter_of(word));
            break;
        }
    list_.for_each(out);
    mutex_.unlock();
}

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_WHO_WAITS_HPP
