// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_WORK_COUNT_HPP
#define WEFT_SCHED_WORK_COUNT_HPP

#include <weft/platform/atomic.hpp>
#include <weft/platform/cache_line.hpp>

#include <cassert>
#include <cstdint>

namespace weft
{
namespace detail
{

/// Outstanding work that is not in a queue: pending operations, guards, threads inside
/// run_blocking(). Handlers in queues are not counted: a worker does not sleep while there are any.
///
/// A worker counts what it starts and finishes in a plain number of its own and adds that here
/// before it sleeps or leaves, so that an I/O operation touches no shared line. The sum here is
/// therefore right when every worker sleeps, which is when it is asked for; until then it may even
/// be negative.
class work_count
{
public:
    void add(std::int64_t n) noexcept
    {
        if (n != 0)
            value_.fetch_add(n, memory_order_acq_rel);
    }

    /// Counts one less; true if the sum is then zero.
    [[nodiscard]] bool finish_one() noexcept
    {
        // Release: whoever sees zero sees what was done before.
        return value_.fetch_sub(1, memory_order_acq_rel) == 1;
    }

    /// Counts one less unless the sum might then be zero.
    [[nodiscard]] bool finish_one_of_many() noexcept
    {
        std::int64_t now = value_.load(memory_order_relaxed);
        while (now > 1)
            if (value_.compare_exchange_weak(
                    now, now - 1, memory_order_acq_rel, memory_order_relaxed))
                return true;
        return false;
    }

    std::int64_t value() const noexcept
    {
        return value_.load(memory_order_acquire);
    }

private:
    alignas(cache_line) atomic<std::int64_t> value_{0};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_WORK_COUNT_HPP
