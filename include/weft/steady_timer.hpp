// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_STEADY_TIMER_HPP
#define WEFT_STEADY_TIMER_HPP

// The name of a timer over the executor of weft::io_context, which is what makes it weft's own.

#include <weft/config.hpp>
#include <weft/executor.hpp>
#include <weft/fwd.hpp>

#include <boost/asio/basic_waitable_timer.hpp>

#include <chrono>
#include <memory>

namespace weft
{
inline namespace WEFT_ABI_NAMESPACE
{

/// A timer of std::chrono::steady_clock in a weft::io_context.
///
/// It is Asio's class template, with all members of boost::asio::steady_timer, and so are the
/// timers that have another of weft's executors (`basic_steady_timer<weft::thread_pool::
/// executor_type>`), a strand of one, or one with a default completion token
/// (`asio::use_awaitable_t<>::as_default_on_t<weft::steady_timer>`). What is inside all of these is
/// weft's: each worker keeps the waits that it starts, under a lock of its own, and no system call
/// is made for a wait that is cancelled. A timer over `any_io_executor`, as
/// boost::asio::steady_timer is, has Asio's queue and lock inside (doc/design/decisions/0012).
///
/// @par async_wait(token)
/// Completes when the expiry is reached, never before; when the wait is cancelled, by cancel(),
/// cancel_one() (the oldest wait), a new expiry, or the end of the timer; as each of these
/// functions says how many waits it has cancelled, a wait that was due but not yet seen to be is
/// cancelled rather than over. Never inside async_wait(). Waits of one timer complete in the order
/// in which they began, those of several in the order of their expiries if they are due at a time.
///
/// @par Completion Signature
/// `void(boost::system::error_code)`
///
/// @par Errors
/// `boost::asio::error::operation_aborted` if the wait was cancelled.
///
/// @par Per-Operation Cancellation
/// `terminal`, `partial` and `total`: the wait completes with `operation_aborted`. Also after the
/// timer has been moved, and without effect after its end, as long as there is the context.
///
/// @par How late
/// A wait is due when a worker next looks into the reactor (P4 of weft::io_context): at once if one
/// sleeps, and otherwise when a worker has run what was queued at its last look, at the latest
/// after a millisecond and the handler that it is in.
///
/// @par Thread Safety
/// Distinct objects: safe, also those of one context. Shared objects: unsafe.
///
/// @par Moves
/// Waits go along, also while other threads run the context. Into a timer of another executor type
/// the expiry alone goes: waits stay, and complete with `operation_aborted` at the end of the timer
/// that was moved from.
///
/// @par Exceptions
/// async_wait() throws std::bad_alloc, and what the handler throws when it is moved. All others
/// throw nothing.
///
/// @par Complexity
/// async_wait() and cancel(): logarithmic in the number of timers that wait and were started by the
/// same worker.
///
/// @par Algorithm
/// A heap with four children to a node (after Johnson) for each worker.
template <typename Executor>
using basic_steady_timer = boost::asio::basic_waitable_timer<std::chrono::steady_clock,
    boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;

/// The timer of a weft::io_context.
using steady_timer = basic_steady_timer<basic_executor<io_context, std::allocator<void>, 0>>;

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

#endif // WEFT_STEADY_TIMER_HPP
