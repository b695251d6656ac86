// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_MODEL_REACTOR_HPP
#define WEFT_TEST_MODEL_REACTOR_HPP

#include <weft/platform/atomic.hpp>

#include <cstdint>

namespace model
{

/// What the reactor does for the one thread that waits in it: an interruption or an event ends the
/// wait, or the next one if nobody waits, once. Two that wait at a time, or one after the other
/// without having met, are a data race.
class reactor
{
public:
    reactor()
    {
        waits_.set(0);
    }

    void interrupt() noexcept
    {
        signalled_.exchange(1, weft::detail::memory_order_relaxed);
        weft::detail::futex_wake(signalled_, 1);
    }

    /// As if what `count` operations wait for had happened.
    void happen(std::uint32_t count) noexcept
    {
        events_.fetch_add(count, weft::detail::memory_order_relaxed);
        interrupt();
    }

    /// Returns the operations that are ready. With a time limit it may return for that reason.
    std::uint32_t wait(bool limited, weft::detail::deadline until) noexcept
    {
        using namespace weft::detail;
        waits_.set(waits_.get() + 1);
        if (signalled_.exchange(0, memory_order_relaxed) == 0)
        {
            if (limited)
                futex_wait_until(signalled_, 0, until);
            else
                futex_wait(signalled_, 0);
            signalled_.exchange(0, memory_order_relaxed);
        }
        waits_.set(waits_.get() + 1);
        return events_.exchange(0, memory_order_relaxed);
    }

    /// As wait(), but does not wait.
    std::uint32_t poll() noexcept
    {
        waits_.set(waits_.get() + 1);
        signalled_.exchange(0, weft::detail::memory_order_relaxed);
        return events_.exchange(0, weft::detail::memory_order_relaxed);
    }

private:
    weft::detail::atomic<std::uint32_t> signalled_{0};
    weft::detail::atomic<std::uint32_t> events_{0};
    weft::detail::cell<unsigned> waits_;
};

} // namespace model

#endif // WEFT_TEST_MODEL_REACTOR_HPP
