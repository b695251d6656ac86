// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_INSPECTION_HPP
#define WEFT_SRC_SCHED_INSPECTION_HPP

// What can be seen of a scheduler from any thread, while it works.

#include <weft/drain_report.hpp>
#include <weft/queue/timer_heap.hpp>

#include "context_view.hpp"
#include "shared_state.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

template <typename Traits>
struct inspection
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;

    /// What is there to be done. `handlers` are those that have ever been run, and what waits at
    /// primitives is not known here.
    static drain_report survey(shared const& s)
    {
        drain_report result;
        std::size_t const count = s.workers.size();
        for (std::size_t i = 0; i != count; ++i)
        {
            worker const& w = s.workers[i];
            result.handlers += w.count.handlers.value();
            result.queued += w.ring.size() + (w.lifo.empty() ? 0 : 1);
        }
        result.queued += s.injected.size();
        result.outstanding = at_least_none(s.work.value());
        result.timers = s.timers.size();
        result.reactor_operations = at_least_none(s.driver->pending());
        result.blocked_threads = s.blocked.load(memory_order_relaxed);
        result.running_threads = s.sleepers.active();
        return result;
    }

    static context_view view(shared const& s)
    {
        context_view v;
        v.stopped = s.stopped.load(memory_order_relaxed);
        v.inside = s.sleepers.active();
        v.asleep = s.sleepers.parked();
        v.searching = s.sleepers.searching();
        v.reactor_watched = s.driver_lock.taken() || s.standby.is_watching();
        v.injected = s.injected.size();
        timer_ticks const next = s.timers.earliest();
        if (next != never)
            v.next_timer = Traits::clock::at(next) - Traits::clock::now();
        v.left = survey(s);

        std::size_t const count = s.workers.size();
        v.workers.reserve(count);
        for (std::size_t i = 0; i != count; ++i)
            v.workers.push_back(view_of(s.workers[i]));
        // Those that were made meanwhile are not in the view.
        s.workers.for_each_free(
            [&v](worker const& w)
            {
                if (w.index < v.workers.size())
                    v.workers[w.index].activity = worker_activity::none;
            });
        return v;
    }

private:
    static worker_view view_of(worker const& w) noexcept
    {
        worker_view v;
        switch (w.sleep.rest())
        {
        case resting::no:
            v.activity = worker_activity::awake;
            break;
        case resting::parked:
            v.activity = worker_activity::asleep;
            break;
        case resting::in_driver:
            v.activity = worker_activity::in_reactor;
            break;
        }
        v.handlers = w.count.handlers.value();
        v.ring = w.ring.size();
        v.slot = !w.lifo.empty();
        return v;
    }

    // While workers count for themselves, a sum may be negative.
    template <typename Number>
    static std::size_t at_least_none(Number n) noexcept
    {
        return static_cast<std::size_t>((std::max)(n, Number(0)));
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_INSPECTION_HPP
