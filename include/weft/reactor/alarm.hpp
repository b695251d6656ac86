// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_REACTOR_ALARM_HPP
#define WEFT_REACTOR_ALARM_HPP

// One time at which a wait in Asio's reactor ends.
//
// epoll counts in milliseconds; Asio has a timerfd for the earliest of its timers, and sets it when
// a queue of timers says that it has a new earliest one. Such a queue is a base class with virtual
// functions, and a template over what a time is. Of that template the alarm is a specialisation for
// a kind of time of its own: a queue of one time, which can be changed, and of no operations.

#include <weft/config.hpp>
#include <weft/platform/atomic.hpp>
#include <weft/platform/mutex.hpp>
#include <weft/queue/timer_heap.hpp>
#include <weft/reactor/insides.hpp>
#include <weft/reactor/operation.hpp>

#include <boost/asio/detail/op_queue.hpp>
#include <boost/asio/detail/timer_queue_base.hpp>

#include <chrono>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// What Asio calls the traits of a time.
struct alarm_traits
{
    using time_type = timer_ticks;
};

#if WEFT_HAS_TIMER_QUEUE_ALLOCATOR
using alarm = boost::asio::detail::timer_queue<alarm_traits, void>;
#else
using alarm = boost::asio::detail::timer_queue<alarm_traits>;
#endif

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

/// The reactor calls the functions under its lock. Any thread may read the time without.
#if WEFT_HAS_TIMER_QUEUE_ALLOCATOR
template <>
class boost::asio::detail::timer_queue<weft::detail::alarm_traits, void> final
#else
template <>
class boost::asio::detail::timer_queue<weft::detail::alarm_traits> final
#endif
    : public boost::asio::detail::timer_queue_base
{
    using ticks = weft::detail::timer_ticks;

public:
    using time_type = ticks;

    struct per_timer_data
    {
    };

    /// The time that is set and has not been reached, or `never`.
    ticks time() const noexcept
    {
        return at_.load(weft::detail::memory_order_relaxed);
    }

    /// Whether the reactor knows the queue: then any thread may set the time, through it.
    bool is_known() const noexcept
    {
        return known_.load(weft::detail::memory_order_acquire);
    }

    void is_known(bool known) noexcept
    {
        known_.store(known, weft::detail::memory_order_release);
    }

    /// Held by who has the reactor set a time: that counts it as an operation, until it is told
    /// that it is none. Who counts what there is asks with the lock.
    weft::detail::adaptive_mutex& setting() const noexcept
    {
        return setting_;
    }

    /// Sets the time, unless an earlier one is set. True: it is a new earliest one.
    template <typename Operation>
    bool enqueue_timer(time_type at, per_timer_data&, Operation*) noexcept
    {
        if (time() <= at)
            return false;
        set(at);
        return true;
    }

    bool empty() const override
    {
        return time() == weft::detail::never;
    }

    long wait_duration_msec(long longest) const override
    {
        return left<std::chrono::milliseconds>(longest);
    }

    long wait_duration_usec(long longest) const override
    {
        return left<std::chrono::microseconds>(longest);
    }

    void get_ready_timers(op_queue<weft::detail::operation>&) override
    {
        if (!empty() && time() <= now())
            set(weft::detail::never);
    }

    void get_all_timers(op_queue<weft::detail::operation>&) override
    {
        set(weft::detail::never);
    }

private:
    void set(ticks at) noexcept
    {
        at_.store(at, weft::detail::memory_order_relaxed);
    }

    static ticks now() noexcept
    {
        return std::chrono::steady_clock::now().time_since_epoch().count();
    }

    // Not too short: the wait would be over before the time.
    template <typename Unit>
    long left(long longest) const noexcept
    {
        if (empty())
            return longest;
        ticks const at = time();
        ticks const current = now();
        if (at <= current)
            return 0;
        auto const units =
            std::chrono::ceil<Unit>(std::chrono::steady_clock::duration(at - current)).count();
        return units < longest ? static_cast<long>(units) : longest;
    }

    weft::detail::atomic<ticks> at_{weft::detail::never};
    weft::detail::atomic<bool> known_{false};
    mutable weft::detail::adaptive_mutex setting_;
};

#endif // WEFT_REACTOR_ALARM_HPP
