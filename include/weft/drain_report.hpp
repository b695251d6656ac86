// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_DRAIN_REPORT_HPP
#define WEFT_DRAIN_REPORT_HPP

#include <weft/platform/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace weft
{

/// What the drain of a context has done, and what it has left undone. What
/// io_context::drain_for(), thread_pool::drain_for() and their like return.
///
/// The numbers are exact if no thread was in a handler any more at the end (`running_threads` is
/// 0), and nobody outside submits; what a running handler has started meanwhile may be missing.
struct drain_report
{
    /// Whether nothing was left: all numbers below but `handlers` are 0.
    bool complete = false;

    /// Handlers and I/O events that the context has run since the drain began, on all its threads.
    std::uint64_t handlers = 0;

    /// Handlers that were ready, and have not been run.
    std::size_t queued = 0;

    /// All other outstanding work: operations that are pending, work guards, coroutines, threads in
    /// run_blocking(). An operation counts as often as it has executors that track work, so a
    /// coroutine that waits for one counts in addition to it. What follows is a part of this, by
    /// kind.
    std::size_t outstanding = 0;

    /// Waits of timers of weft's: those of the steady clock whose executor's type is weft's.
    std::size_t timers = 0;

    /// Operations that wait at a lock, semaphore or channel that belongs to the context.
    std::size_t waiting = 0;

    /// Operations that are Asio's: of sockets, descriptors, signals, resolvers, and other timers.
    std::size_t reactor_operations = 0;

    /// Threads inside run_blocking().
    std::size_t blocked_threads = 0;

    /// Threads that were still in a handler, beside those.
    std::size_t running_threads = 0;

    /// One line for people: whether it is complete, and what is not 0. Any thread; constant time.
    /// Throws std::bad_alloc.
    WEFT_DECL std::string text() const;
};

} // namespace weft

#endif // WEFT_DRAIN_REPORT_HPP
