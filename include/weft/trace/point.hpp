// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TRACE_POINT_HPP
#define WEFT_TRACE_POINT_HPP

// Where a program says what it does, for the ring of events of the worker whose handler it is in.

#include <weft/platform/atomic.hpp>
#include <weft/platform/visibility.hpp>

namespace weft
{
namespace detail
{

/// What a program records itself. All of it belongs to the worker that the calling thread is; on
/// threads that are none, and while that worker's context records nothing, nothing happens.
///
/// Texts are kept as pointers, and read when a timeline is written.
class trace_point
{
public:
    /// Whether any context records: one relaxed load.
    static bool on() noexcept
    {
        return contexts.load(memory_order_relaxed) != 0;
    }

    /// A part of a handler begins, and ends.
    WEFT_DECL static void span_begins(char const* text) noexcept;
    WEFT_DECL static void span_ends(char const* text) noexcept;

    /// The handler of an operation of Asio's begins, which was started there; `file` may be null.
    WEFT_DECL static void operation_begins(
        char const* object, char const* operation, char const* file, unsigned line) noexcept;
    WEFT_DECL static void operation_ends(char const* operation) noexcept;

    /// How many contexts record.
    WEFT_DECL static atomic<unsigned> contexts;
};

} // namespace detail
} // namespace weft

#endif // WEFT_TRACE_POINT_HPP
