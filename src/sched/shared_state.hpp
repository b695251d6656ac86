// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_SHARED_STATE_HPP
#define WEFT_SRC_SCHED_SHARED_STATE_HPP

// What all parts of a scheduler share. The parts are templates over one `Traits`, so that the model
// checker runs them as they are, on its atomics and with a reactor and handlers of its own
// (doc/design/decisions/0010). Traits has
//
//   facade        the public class that the record is the implementation of
//   node, link    what is queued, and how it is linked
//   entry         a node with its result: ready_operation
//   driver        where one worker waits for events: reactor/driver.hpp
//   thread_slot, thread_entry
//                 what the driver keeps for a worker and a thread: reactor/thread_slot.hpp
//   pending       what handlers have thrown that another one must not be unwound by
//   clock         the time, and how long to sleep
//   worker_clock  the same time, for one worker: platform/extrapolated_clock.hpp
//   single_task_steals
//                 what a worker learns of what it steals: sched/single_task_steals.hpp
//   measures      what a worker measures: sched/measures.hpp
//   prefetch(ring) for the operation that comes next but a few
//   is_busy(event)
//                 whether who runs it waits for another thread: reactor/descriptor.hpp
//   function_of(entry), thread_number()
//                 for events, if there are measures: what is run, and which thread does
//   current()     the innermost level of the calling thread
//   ring_capacity, has_process_fence()
//   processors()  how many the machine has; more than any if that is not known
//   this_cpu()    on which one the caller runs, or sleeper_set::any_cpu; a hint

#include <weft/options.hpp>
#include <weft/platform/atomic.hpp>
#include <weft/platform/cache_line.hpp>
#include <weft/queue/inject_queue.hpp>
#include <weft/sched/driver_lock.hpp>
#include <weft/sched/idle.hpp>
#include <weft/sched/outsiders.hpp>
#include <weft/sched/ready_time.hpp>
#include <weft/sched/run_limits.hpp>
#include <weft/sched/single_runner.hpp>
#include <weft/sched/spare_owner.hpp>
#include <weft/sched/work_count.hpp>

#include "gains_of_waiting.hpp"
#include "late_searcher.hpp"
#include "standby.hpp"
#include "vain_looks.hpp"
#include "worker.hpp"
#include "worker_table.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>

namespace weft
{
namespace detail
{

/// For a scheduler whose context has no timers but those of its driver.
struct no_timers
{
};

/// A plain record; what may be done with its fields is said where they are declared.
template <typename Traits>
struct shared_state : Traits::facade
{
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;
    using queue_of_all = inject_queue<typename Traits::node, typename Traits::link>;
    using item = typename queue_of_all::item;

    // Bounds of the monitor's sleep: long enough to cost nothing, short enough to rescue (guessed).
    static constexpr std::chrono::milliseconds min_monitor_period{1};
    static constexpr std::chrono::milliseconds max_monitor_period{10};

    explicit shared_state(options const& o)
        : runner(Traits::has_process_fence()), processors(Traits::processors()), opts(o),
          on_exception(o.on_exception
                           ? std::make_shared<decltype(o.on_exception) const>(o.on_exception)
                           : nullptr),
          workers(o.injection_interval), monitor_period(min_monitor_period),
          now(ready_time_at(Traits::clock::now())), polled(now.load(memory_order_relaxed)),
          sleepers(o.lifo_stealing == lifo_stealing::guarded && o.lifo_limit != 0),
          measured(o.timing)
    {
    }

    shared_state(shared_state const&) = delete;
    shared_state& operator=(shared_state const&) = delete;

    /// What was queued as such. What has been linked has its result in itself, if any.
    static entry entry_of(item const& injected) noexcept
    {
        return injected.result != 0 ? entry(injected.node, injected.result) : entry(injected.node);
    }

    /// Whether a LIFO slot is a queue like others, from which everybody takes at once.
    bool slots_are_open() const noexcept
    {
        return opts.lifo_stealing == lifo_stealing::eager;
    }

    /// How many of the threads inside run at the same time, at the most: others that are inside
    /// wait for a core. A hint.
    std::uint32_t most_at_once() const noexcept
    {
        return (std::min)(processors, sleepers.active());
    }

    /// The caller's CPU if more threads are inside than there are processors. Then no core may be
    /// free for who is woken: it waits for one, or takes one from another process. The kernel puts
    /// it where it ran last, more often than not. So one is woken that went to sleep on the waker's
    /// core, and waits for that, and the other cores are left to whoever is on them. (Measured:
    /// doc/design/latency/threads.md.)
    std::uint32_t crowded_cpu() const noexcept
    {
        return sleepers.active() > processors ? Traits::this_cpu() : sleeper_set::any_cpu;
    }

    // Written under the lock of the sleepers.
    single_runner runner;

    std::uint32_t const processors;

    // Written in the one order of the event count (idle.hpp): who prepares to wait afterwards sees
    // it, and whoever prepared before is woken. Acquire where a call of run() ends because of it:
    // what was done before stop() is seen. Relaxed where it is a hint, and another look follows.
    atomic<bool> stopped{false};
    options const opts;

    // Outlives the scheduler while it is called; null if there is none.
    std::shared_ptr<std::function<void(std::exception_ptr)> const> const on_exception;
    typename Traits::driver* driver = nullptr;
    detail::spare_owner* spare_owner = nullptr;
    worker_table<worker> workers;

    // How long the monitor sleeps. Whoever holds the driver lock.
    std::chrono::milliseconds monitor_period;

    // As far as the workers have looked at the clock; for those that have not, and who is outside.
    // And when one of them last looked into the reactor.
    alignas(cache_line) atomic<ready_time> now;
    atomic<ready_time> polled;

    // That look brought as many events as one can: there may be more. Written by whoever has the
    // driver lock.
    atomic<bool> more_is_ready{false};
    detail::vain_looks vain_looks;

    detail::gains_of_waiting gains_of_waiting;

    detail::driver_lock driver_lock;
    detail::standby standby;
    work_count work;
    idle sleepers;
    outsiders outside;
    detail::late_searcher late_searcher;
    queue_of_all injected;

    // Operations from outside that went into a ring (submission.hpp).
    counter pushed_alone;

    // How many stand aside (standing_aside.hpp). And how often all have slept at once; written
    // under the lock of the sleepers.
    atomic<std::uint32_t> aside{0};
    counter full_sleeps;

    // Threads inside run_blocking().
    atomic<std::uint32_t> blocked{0};
    typename Traits::timers timers;
    typename Traits::measures::of_context measured;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_SHARED_STATE_HPP
