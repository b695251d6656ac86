// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_WAIT_TIMES_HPP
#define WEFT_WAIT_WAIT_TIMES_HPP

// For how long operations have waited at a primitive until they got what they wanted.

#include <weft/duration_histogram.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/sched/wait_events.hpp>
#include <weft/sync/waiter.hpp>
#include <weft/sync/yielding_waiters.hpp>

#include <atomic>
#include <cstdint>

namespace weft
{
namespace detail
{

/// The waiters of a primitive that yield, and how long those have waited that were timed. There is
/// memory for that from the first one on. Any thread. In waiter::since are wait_events::marks.
class WEFT_DECL primitive_waiters : public yielding_waiters
{
public:
    explicit primitive_waiters(scheduler* s) noexcept : scheduler_(s)
    {
    }

    ~primitive_waiters();

    /// Before anybody waits.
    void follow(scheduler* s) noexcept
    {
        scheduler_ = s;
    }

    /// Whether there is memory for times.
    bool keeps_times() noexcept
    {
        return times_.load(std::memory_order_acquire) || make_times();
    }

    /// A wait that has a mark ends: whether it has `got` what it wanted. The primitive is there
    /// yet.
    static void ended(yielding_waiters& at, waiter const& w, bool got) noexcept;

    duration_histogram times() const noexcept;

private:
    struct recorded;

    bool make_times() noexcept;
    void record(std::uint64_t since) noexcept;

    // The primitive's; null if its executor is not weft's, and then no wait has marks.
    scheduler* scheduler_;

    std::atomic<recorded*> times_{nullptr};
};

} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_WAIT_TIMES_HPP
