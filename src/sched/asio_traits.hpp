// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_ASIO_TRAITS_HPP
#define WEFT_SRC_SCHED_ASIO_TRAITS_HPP

// What the library's schedulers are made of: Asio's operations, its reactor, the steady clock.

#include <weft/config.hpp>
#include <weft/platform/cheap_clock.hpp>
#include <weft/platform/futex.hpp>
#include <weft/platform/parker.hpp>
#include <weft/platform/process_fence.hpp>
#include <weft/reactor/driver.hpp>
#include <weft/reactor/operation.hpp>
#include <weft/reactor/thread_slot.hpp>
#include <weft/reactor/timer_wait.hpp>
#include <weft/sched/context_scheduler.hpp>
#include <weft/sched/pending_exception.hpp>
#include <weft/sched/ready_time.hpp>
#include <weft/sched/run_level.hpp>
#include <weft/sched/single_task_steals.hpp>
#include <weft/sched/timers.hpp>

#include "../platform/extrapolated_clock.hpp"
#include "../platform/this_thread.hpp"
#include "../reactor/descriptor.hpp"
#include "../reactor/function_of.hpp"
#include "busy_poll.hpp"
#include "measures.hpp"
#include "trial.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <thread>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// The steady clock, and how long a worker sleeps by it.
struct steady_waits
{
    static std::chrono::steady_clock::time_point now() noexcept
    {
        return std::chrono::steady_clock::now();
    }

    static bool read_usage(thread_usage& usage) noexcept
    {
        return read_usage_of_this_thread(usage);
    }

    /// What a handler is timed with: the clock of its worker, which costs as much as the
    /// processor's counter also where the kernel tells the time by another one, as in most virtual
    /// machines.
    template <typename WorkerClock>
    static std::int64_t of_handlers(WorkerClock& clock) noexcept
    {
        return nanoseconds_at(clock.now());
    }

    /// Nanoseconds, for when something happens that is recorded.
    static std::uint64_t cheap() noexcept
    {
        return cheap_clock::now();
    }

    /// The processor's counter in nanoseconds, and the steady clock where there is none.
    static std::uint64_t counter() noexcept
    {
        return cheap_clock::counter();
    }

    static bool has_counter() noexcept
    {
        return cheap_clock::has_counter();
    }

    static bool passed(deadline until) noexcept
    {
        return now() >= until;
    }

    /// When a sleep ends that begins now: after so long, and not later than `until`, unless that is
    /// null.
    static deadline limit(std::chrono::microseconds at_most, deadline const* until) noexcept
    {
        deadline const end = now() + at_most;
        return until ? (std::min)(end, *until) : end;
    }

    static void park_until(parker& p, deadline until) noexcept
    {
        p.park_until(until);
    }

    static deadline at(timer_ticks ticks) noexcept
    {
        return deadline(deadline::duration(ticks));
    }

    static long microseconds_left(deadline until) noexcept
    {
        using std::chrono::microseconds;
        // Any time may be waited for, also one whose difference is no duration.
        auto const from = now();
        if (until <= from)
            return 0;
        return static_cast<long>(
            std::chrono::duration_cast<microseconds>(until - from).count() + 1);
    }
};

struct asio_traits
{
    using facade = context_scheduler;
    using node = operation;
    using link = operation_link;
    using entry = ready_operation;
    using driver = detail::driver;
    using thread_slot = detail::thread_slot;
    using thread_entry = detail::thread_entry;
    using pending = pending_exception;
    using clock = steady_waits;
    using worker_clock = extrapolated_clock<clock>;
    using single_task_steals = detail::single_task_steals;
    using trial = detail::trial;
    using busy_poll = detail::busy_poll;
    using timers = detail::timers<timer_waits>;
    using measures = worker_measures;

    static constexpr std::uint32_t ring_capacity = 256;

    // Handlers between the one that runs and the one whose memory is fetched into the cache:
    // handlers that were posted in large numbers are cold. Measured: 2 to 4 are alike.
    static constexpr std::uint32_t prefetch_distance = 3;

    template <typename Ring>
    static void prefetch(Ring ring) noexcept
    {
        __builtin_prefetch(ring.peek(prefetch_distance).op);
    }

    /// What tells one kind of handler from another.
    static std::uint64_t function_of(entry const& op) noexcept
    {
        return detail::function_of(op.op);
    }

    /// Whether who runs this event waits for another thread.
    static bool is_busy(entry const& event) noexcept
    {
        return descriptor_is_busy(event.op);
    }

    static std::uint64_t thread_number() noexcept
    {
        return number_of_this_thread();
    }

    static run_level*& current() noexcept
    {
        return current_level;
    }

    static bool has_process_fence() noexcept
    {
        return process_fence_available();
    }

    static unsigned processors() noexcept
    {
        unsigned const known = std::thread::hardware_concurrency();
        return known != 0 ? known : std::numeric_limits<unsigned>::max();
    }

    static std::uint32_t this_cpu() noexcept
    {
        return cpu_of_this_thread();
    }
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_ASIO_TRAITS_HPP
