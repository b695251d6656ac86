// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_DRIVER_LOCK_HPP
#define WEFT_SCHED_DRIVER_LOCK_HPP

#include <weft/platform/atomic.hpp>
#include <weft/platform/cache_line.hpp>

namespace weft
{
namespace detail
{

/// The driver lock: the right to wait in the reactor, and the duty of the monitor. Whoever leaves
/// it to run handlers publishes that (idle::prepare_notify()), so that a sleeper takes it over: I/O
/// and timers do not wait for a handler.
class driver_lock
{
public:
    [[nodiscard]] bool try_take() noexcept
    {
        // The load keeps the line shared while the driver lock is taken. Acquire pairs with
        // release(): what the driver lock protects (the driver's wait, the monitor's samples) goes
        // from holder to holder.
        return !taken_.load(memory_order_relaxed) && !taken_.exchange(true, memory_order_acquire);
    }

    /// A hint.
    bool taken() const noexcept
    {
        return taken_.load(memory_order_relaxed);
    }

    void release() noexcept
    {
        taken_.store(false, memory_order_release);
    }

private:
    alignas(cache_line) atomic<bool> taken_{false};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_DRIVER_LOCK_HPP
