// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_COUNTERS_HPP
#define WEFT_SCHED_COUNTERS_HPP

#include <weft/platform/atomic.hpp>
#include <weft/stats.hpp>

#include <boost/config.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

/// A statistic with one writer. A load and a store rather than a read-modify-write: nobody else
/// writes, and readers want a recent value, in no particular order.
class counter
{
public:
    // A compiler that has inlined much already makes a call of it.
    BOOST_FORCEINLINE void add(std::uint64_t n) noexcept
    {
        value_.store(value() + n, memory_order_relaxed);
    }

    std::uint64_t value() const noexcept
    {
        return value_.load(memory_order_relaxed);
    }

private:
    atomic<std::uint64_t> value_{0};
};

/// The counters of one worker, written by its thread alone. Meanings: weft/stats.hpp.
struct counters
{
    counter handlers;
    counter lifo_hits;
    counter steal_operations;
    counter stolen_handlers;
    counter overflows;
    counter injection_fetches;
    counter remote_pushes;
    counter parks;
    counter wakes;
    counter empty_wakes;
    counter stood_aside;
    counter budget_yields;
    counter reactor_polls;
    counter reactor_events;

    worker_stats read() const noexcept
    {
        worker_stats s;
        s.handlers = handlers.value();
        s.lifo_hits = lifo_hits.value();
        s.steal_operations = steal_operations.value();
        s.stolen_handlers = stolen_handlers.value();
        s.overflows = overflows.value();
        s.injection_fetches = injection_fetches.value();
        s.remote_pushes = remote_pushes.value();
        s.parks = parks.value();
        s.wakes = wakes.value();
        s.empty_wakes = empty_wakes.value();
        s.stood_aside = stood_aside.value();
        s.budget_yields = budget_yields.value();
        s.reactor_polls = reactor_polls.value();
        s.reactor_events = reactor_events.value();
        return s;
    }
};

/// Adds the counters of `s` to those of `sum`.
inline void add(worker_stats& sum, worker_stats const& s) noexcept
{
    sum.handlers += s.handlers;
    sum.lifo_hits += s.lifo_hits;
    sum.steal_operations += s.steal_operations;
    sum.stolen_handlers += s.stolen_handlers;
    sum.overflows += s.overflows;
    sum.injection_fetches += s.injection_fetches;
    sum.remote_pushes += s.remote_pushes;
    sum.parks += s.parks;
    sum.wakes += s.wakes;
    sum.empty_wakes += s.empty_wakes;
    sum.stood_aside += s.stood_aside;
    sum.budget_yields += s.budget_yields;
    sum.reactor_polls += s.reactor_polls;
    sum.reactor_events += s.reactor_events;
    sum.queue_depth += s.queue_depth;
    sum.inside += s.inside;
    sum.parked += s.parked;
    sum.in_reactor += s.in_reactor;
}

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_COUNTERS_HPP
