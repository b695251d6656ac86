// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_LATCH_HPP
#define WEFT_PLATFORM_LATCH_HPP

#include <weft/platform/atomic.hpp>
#include <weft/platform/futex.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

/// Lets one thread sleep until another has done one thing. The waiter may destroy the latch as soon
/// as wait() has returned: set() touches it no more after its exchange (the futex call uses the
/// address only as a key).
class latch
{
public:
    void set() noexcept
    {
        atomic<std::uint32_t>& word = state_;
        if (word.exchange(done, memory_order_release) == waiting)
            futex_wake(word, 1);
    }

    void wait() noexcept
    {
        std::uint32_t expected = open;
        state_.compare_exchange_strong(
            expected, waiting, memory_order_acquire, memory_order_acquire);
        while (state_.load(memory_order_acquire) != done)
            futex_wait(state_, waiting);
    }

private:
    enum : std::uint32_t
    {
        open,
        waiting,
        done
    };

    // Release of set() pairs with acquire of wait().
    atomic<std::uint32_t> state_{open};
};

} // namespace detail
} // namespace weft

#endif // WEFT_PLATFORM_LATCH_HPP
