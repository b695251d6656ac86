// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_WAIT_TIMES_HPP
#define WEFT_WAIT_WAIT_TIMES_HPP

// For how long operations have waited at a primitive until they got what they wanted.

#include <weft/duration_histogram.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/sync/yielding_waiters.hpp>

#include <atomic>
#include <cstdint>

namespace weft
{
namespace detail
{

/// The waiters of a primitive that yield, and how long those have waited that were timed. There is
/// memory for that from the first one on. Any thread.
class WEFT_DECL primitive_waiters : public yielding_waiters
{
public:
    /// In waiter::since, whose last nanosecond does not matter: the wait is timed.
    static constexpr std::uint64_t timed = 1;

    primitive_waiters() noexcept = default;
    ~primitive_waiters();

    /// Whether there is memory for times.
    bool keeps_times() noexcept
    {
        return times_.load(std::memory_order_acquire) || make_times();
    }

    /// A wait that is timed, and began then, has got what it wanted. The primitive is there yet.
    static void record(yielding_waiters& at, std::uint64_t since) noexcept;

    duration_histogram times() const noexcept;

private:
    struct recorded;

    bool make_times() noexcept;

    std::atomic<recorded*> times_{nullptr};
};

} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_WAIT_TIMES_HPP
