// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TRACE_TRACKED_HANDLER_HPP
#define WEFT_TRACE_TRACKED_HANDLER_HPP

// What Asio's macros of handler tracking do with weft's: handler_tracking.hpp.

#include <weft/platform/visibility.hpp>
#include <weft/trace/point.hpp>

#include <utility>

namespace weft
{
namespace detail
{

/// Base of what contains a handler: which operation it is of, and where that was started.
class tracked_handler
{
public:
    struct origin
    {
        char const* object = nullptr;
        char const* operation = nullptr;
        char const* file = nullptr;
        unsigned line = 0;
    };

    origin const& where() const noexcept
    {
        return origin_;
    }

    void where(origin const& o) noexcept
    {
        origin_ = o;
    }

protected:
    tracked_handler() noexcept = default;
    ~tracked_handler() = default;

private:
    origin origin_;
};

/// A place in the source, for the operations that are started while it exists.
class tracked_location
{
public:
    tracked_location(char const* file, int line, char const*) noexcept
        : file_(file), line_(static_cast<unsigned>(line)), outer_(innermost())
    {
        innermost() = this;
    }

    ~tracked_location()
    {
        innermost() = outer_;
    }

    tracked_location(tracked_location const&) = delete;
    tracked_location& operator=(tracked_location const&) = delete;

    /// An operation is started. The outermost place is the one that the user knows.
    template <typename Context, typename Handle>
    static void creation(Context&, tracked_handler& h, char const* object_type, void*, Handle,
        char const* operation) noexcept
    {
        tracked_handler::origin o{object_type, operation, nullptr, 0};
        for (tracked_location const* l = innermost(); l; l = l->outer_)
        {
            o.file = l->file_;
            o.line = l->line_;
        }
        h.where(o);
    }

private:
    static tracked_location*& innermost() noexcept;

    char const* const file_;
    unsigned const line_;
    tracked_location* const outer_;
};

WEFT_ONE_IN_PROGRAM inline thread_local tracked_location* innermost_location = nullptr;

inline tracked_location*& tracked_location::innermost() noexcept
{
    return innermost_location;
}

/// The handler is called, or destroyed, while it exists; what contained it is gone by then.
class tracked_completion
{
public:
    explicit tracked_completion(tracked_handler const& h) noexcept : origin_(h.where())
    {
    }

    ~tracked_completion()
    {
        // The handler has thrown.
        invocation_end();
    }

    tracked_completion(tracked_completion const&) = delete;
    tracked_completion& operator=(tracked_completion const&) = delete;

    template <typename... Args>
    void invocation_begin(Args const&...) noexcept
    {
        if (!trace_point::on() || !origin_.operation)
            return;
        begun_ = true;
        trace_point::operation_begins(
            origin_.object, origin_.operation, origin_.file, origin_.line);
    }

    void invocation_end() noexcept
    {
        if (std::exchange(begun_, false))
            trace_point::operation_ends(origin_.operation);
    }

private:
    tracked_handler::origin const origin_;
    bool begun_ = false;
};

} // namespace detail
} // namespace weft

#endif // WEFT_TRACE_TRACKED_HANDLER_HPP
