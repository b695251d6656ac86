// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_CONTEXT_VIEW_HPP
#define WEFT_SRC_SCHED_CONTEXT_VIEW_HPP

// What a scheduler looks like at a moment, for people to read.

#include <weft/config.hpp>
#include <weft/drain_report.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace weft
{
namespace detail
{

/// What the thread of a worker does.
enum class worker_activity
{
    none,      ///< there is no thread
    awake,     ///< it runs handlers, or looks for some
    asleep,    ///< it sleeps
    in_reactor ///< it sleeps in the reactor
};

struct worker_view
{
    worker_activity activity = worker_activity::none;
    std::uint64_t handlers = 0; ///< run so far
    std::size_t ring = 0;       ///< handlers queued
    bool slot = false;          ///< a continuation waits
};

inline namespace WEFT_ABI_NAMESPACE
{

/// Each number is read once, without stopping anybody: they belong to slightly different moments.
struct context_view
{
    bool stopped = false;
    std::size_t inside = 0;    ///< threads that run the context
    std::size_t asleep = 0;    ///< of these
    std::size_t searching = 0; ///< of these
    bool reactor_watched = false;
    std::size_t injected = 0; ///< handlers in the injection queue
    std::optional<std::chrono::nanoseconds> next_timer;
    drain_report left; ///< see context_scheduler::survey()
    std::vector<worker_view> workers;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_CONTEXT_VIEW_HPP
