// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_TRACE_HPP
#define WEFT_TRACE_HPP

// The flight recorder: what each worker of a context has done of late, as a timeline that
// ui.perfetto.dev draws.

#include <weft/config.hpp>
#include <weft/fwd.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/trace/point.hpp>

#include <cstddef>
#include <iosfwd>

namespace weft
{

/// Timelines: which handler ran on which worker from when to when, who stole from whom and who woke
/// whom, when workers slept, how long their queues were, which operations waited for a lock or at a
/// channel.
///
/// While a context records, each of its workers writes events of 16 bytes into a ring of its own:
/// one for each handler, three for each wait, and a few more when it runs out of work. No worker
/// waits for anybody, also not for a dump; other threads that begin or end a wait share a ring. A
/// ring that is full loses the oldest events; the timeline says how many. A context that does not
/// record does not execute one instruction more for each handler.
///
/// If the environment variable `WEFT_TRACE` is a path when a context is constructed, the context
/// records from its beginning, in rings of the default size, and its destructor writes the timeline
/// to that path; the second context of the process and those after it write to the path with their
/// number before the extension ("trace.2.json"). If that fails, a line on the standard error says
/// why.
namespace trace
{
inline namespace WEFT_ABI_NAMESPACE
{

/// How trace::start() records.
struct options
{
    /// How many events the ring of each worker holds, rounded up to a power of two; the memory is
    /// 16 bytes for each. Default: 65536. Range: 64 to 16777216.
    std::size_t events = 65536;
};

/// Makes a context record from now on. Each worker begins when its turn ends (20 to 400 us, or when
/// the running handler has ended), or when it wakes up. A context that records already goes on.
///
/// The rings of the workers that exist are made here, and that of a new one when its thread joins.
/// For threads that are no workers there is one of at most 4096 events.
/// They remain until the context is destroyed: when recording begins again, new events come behind
/// the old ones, and the size of the rings is still that of the first call.
///
/// @par Thread Safety
/// Any thread, also inside a handler of the context.
///
/// @par Complexity
/// Linear in the number of workers, and in the size of the rings if they are made.
///
/// @throws std::invalid_argument if an option is out of its range; std::bad_alloc. Nothing has
/// changed then.
WEFT_DECL void start(io_context& context, options const& opts = {});

/// The same.
WEFT_DECL void start(thread_pool& context, options const& opts = {});

/// Makes a context record no more. Each worker ends as it has begun; what has been recorded
/// remains. Any thread, at any time; constant time.
WEFT_DECL void stop(io_context& context) noexcept;

/// The same.
WEFT_DECL void stop(thread_pool& context) noexcept;

/// Writes what has been recorded as JSON, in Chrome's trace event format, which ui.perfetto.dev and
/// chrome://tracing open. Times are in microseconds by the clock of std::chrono::steady_clock, to
/// 0.01 %. A handler is named after its type. The context goes on recording.
///
/// The names of functions are looked up in the symbol tables of the program and its shared
/// libraries; where these have been stripped, it is an address that is written.
///
/// @par Thread Safety
/// Any thread, also inside a handler of the context, at any time between its construction and its
/// destruction. No worker is stopped. Not for signal handlers.
///
/// @par Complexity
/// Linear in the number of events, some 100 to 150 bytes of text and about as much memory for each.
///
/// @throws std::bad_alloc; what `out` throws; std::ios_base::failure if `out` has not taken all of
/// it. The events are still there then, and can be written elsewhere.
WEFT_DECL void dump(io_context const& context, std::ostream& out);

/// The same.
WEFT_DECL void dump(thread_pool const& context, std::ostream& out);

/// Makes a process that dies of SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT (and so of
/// std::terminate and std::abort) write all rings of all its contexts to this file first, as they
/// are. The program `weft-trace` makes JSON of that. What would have happened at that signal
/// happens afterwards: the handler that was installed before is called, or the process dies, with a
/// core if it may.
///
/// What is called in the signal handler is async-signal-safe. It runs on the stack of the thread
/// that got the signal, or on its alternate one (sigaltstack) if it has one: a stack that has
/// overflowed is not enough. Other threads go on meanwhile.
///
/// A later call changes the path. Null: the handlers do nothing any more. Any thread; constant
/// time.
///
/// @throws std::invalid_argument if the path has more than 4095 bytes; std::system_error if a
/// handler cannot be installed.
WEFT_DECL void dump_on_crash(char const* path);

/// Gives a part of a handler a name, with which it is drawn inside the handler:
///
/// @code
/// weft::trace::span const parsing("parse request");
/// @endcode
///
/// Costs a load while no context of the process records, and two events if that of the calling
/// thread does. On threads that are no workers, and inside run_blocking(), it does nothing.
///
/// A span that begins in one handler and ends in another, such as one in a coroutine that is
/// suspended meanwhile, is drawn to the end of the first.
///
/// @par Thread Safety
/// Distinct objects: safe.
///
/// @par Complexity
/// Constant.
class span
{
public:
    /// Begins here. Only the address is recorded, and the text is read in the program's file:
    /// `literal` must be a string literal, or another constant in static storage. What the program
    /// writes there itself is not seen.
    explicit span(char const* literal) noexcept
        : text_(detail::trace_point::on() ? literal : nullptr)
    {
        if (text_)
            detail::trace_point::span_begins(text_);
    }

    /// Ends here.
    ~span()
    {
        if (text_)
            detail::trace_point::span_ends(text_);
    }

    span(span const&) = delete;
    span& operator=(span const&) = delete;

private:
    char const* const text_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace trace
} // namespace weft

#endif // WEFT_TRACE_HPP
