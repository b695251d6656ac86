// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_NOTING_HPP
#define WEFT_SRC_SCHED_NOTING_HPP

// Events that are recorded beside what is measured (measuring.hpp): a test of the worker's duties
// each, in places where handlers do not come by one by one.

#include "measurement.hpp"
#include "tracing.hpp"

#include <cstdint>

namespace weft
{
namespace detail
{

template <typename Traits>
struct noting
{
    using worker = basic_worker<Traits>;

    static constexpr bool enabled = Traits::measures::enabled;

    /// Something happens that is worth an event.
    static void note(worker& w, event_kind kind, std::uint64_t payload = 0) noexcept
    {
        if constexpr (enabled)
            if (w.has(worker::recorded))
                tracing<Traits>::note(w, kind, payload);
    }

    /// A run() inside a handler is over, and with it its last handler.
    static void nested_run_ended(worker& w) noexcept
    {
        if constexpr (enabled)
        {
            measurement<Traits>::end(w);
            note(w, event_kind::nest_end);
        }
    }

    /// What the handler is called in events that the worker runs, whose thread gives the worker
    /// away.
    static std::uint64_t running(worker const& w) noexcept
    {
        if constexpr (enabled)
            return w.measured.running;
        else
            return 0;
    }

    /// What tells one kind of handler from another, for a probe.
    static std::uint64_t function_of(typename Traits::entry const& op) noexcept
    {
        if constexpr (enabled)
            return Traits::function_of(op);
        else
            return 0;
    }

    /// The handler goes on, with this worker.
    static void resumes(worker& w, std::uint64_t running) noexcept
    {
        if constexpr (enabled)
            if (w.has(worker::recorded))
            {
                w.measured.running = running;
                tracing<Traits>::note(w, event_kind::resumed, running);
            }
    }

    /// The worker outlives its scheduler, and where its events are.
    static void orphaned(worker& w) noexcept
    {
        if constexpr (enabled)
        {
            tracing<Traits>::forget(w);
            w.measured.want(false);
            w.measured.switches = 0;
        }
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_NOTING_HPP
