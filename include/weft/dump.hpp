// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_DUMP_HPP
#define WEFT_DUMP_HPP

#include <weft/config.hpp>
#include <weft/fwd.hpp>
#include <weft/platform/visibility.hpp>

#include <iosfwd>

namespace weft
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Writes for people what a context is doing.
///
/// That is its threads and whether they sleep, the queue of each worker, the outstanding work by
/// kind, timers and when the next is due, and every lock, semaphore and channel of the context at
/// which anybody waits: with the operations that do, up to 64 of each, since when they wait, and
/// the type of their handler, if the program has its symbols. The text may change with any version.
///
/// @par Thread Safety
/// Any thread, also inside a handler of the context, at any time between its construction and its
/// destruction. No worker is stopped: what is written belongs to slightly different moments. The
/// locks of timers and primitives are taken one at a time, and none is held while `out` is written
/// to. Not for signal handlers.
///
/// @par Complexity
/// Linear in the number of workers, timers, primitives, and what waits at them; and for each of the
/// latter it looks through the symbols of the program.
///
/// @throws std::bad_alloc; what `out` throws.
WEFT_DECL void dump(io_context const& context, std::ostream& out);

/// The same.
WEFT_DECL void dump(thread_pool const& context, std::ostream& out);

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

#endif // WEFT_DUMP_HPP
