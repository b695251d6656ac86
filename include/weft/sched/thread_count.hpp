// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_THREAD_COUNT_HPP
#define WEFT_SCHED_THREAD_COUNT_HPP

#include <weft/platform/atomic.hpp>
#include <weft/platform/this_cpu.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

/// How many threads are inside a context, on a machine with so many processors. Written under the
/// lock of sched/idle.hpp; read by anybody, as a hint.
class thread_count
{
public:
    explicit thread_count(std::uint32_t processors) noexcept : processors_(processors)
    {
    }

    std::uint32_t get() const noexcept
    {
        return threads_.load(memory_order_relaxed);
    }

    void set(std::uint32_t threads) noexcept
    {
        threads_.store(threads, memory_order_relaxed);
    }

    /// The caller's CPU, if there are more threads than processors; or `unknown_cpu`.
    ///
    /// No core is free for whoever is woken then: it waits for one, or takes one from another
    /// process. The kernel puts it where it ran last, more often than not. So of those that sleep
    /// one is chosen that ran on the waker's core, and waits for that; the other cores are left to
    /// whoever is on them. (Measured: doc/design/decisions/0009.)
    std::uint32_t cpu_if_crowded() const noexcept
    {
        return get() > processors_ ? this_cpu() : unknown_cpu;
    }

private:
    std::uint32_t const processors_;
    atomic<std::uint32_t> threads_{0};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_THREAD_COUNT_HPP
