// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_INSPECTION_HPP
#define WEFT_SRC_SCHED_INSPECTION_HPP

// What can be seen of a scheduler from any thread, while it works.

#include <weft/drain_report.hpp>

#include "sched/shared_state.hpp"

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

private:
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
