// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_FRAME_HPP
#define WEFT_SCHED_FRAME_HPP

#include <weft/config.hpp>
#include <weft/reactor/thread_slot.hpp>
#include <weft/sched/worker.hpp>

#include <boost/asio/multiple_exceptions.hpp>

#include <exception>
#include <optional>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

class scheduler;

/// A thread inside the run() of a scheduler: one element of the thread's stack of such calls.
struct frame
{
    explicit frame(scheduler& s) noexcept;
    ~frame();

    frame(frame const&) = delete;
    frame& operator=(frame const&) = delete;

    /// The frame of this thread inside `s`, or null.
    static frame* find(scheduler const& s) noexcept;

    /// Keeps the exception being handled: a handler that runs inside another one must not unwind
    /// it.
    void capture_current_exception();

    void rethrow_pending_exception()
    {
        if (pending_)
            std::rethrow_exception(std::exchange(pending_, nullptr));
    }

    std::exception_ptr exchange_pending_exception(std::exception_ptr e) noexcept
    {
        return std::exchange(pending_, std::move(e));
    }

    scheduler& sched;

    // The worker this thread has; null while it is inside run_blocking().
    worker* w = nullptr;

    // What tells Asio about this thread; empty while it is inside run_blocking().
    std::optional<thread_entry> entry;

    frame* const outer;

    // A stand-in that substitute::retire() has sent away.
    bool retired = false;

private:
    std::exception_ptr pending_;
};

/// The innermost frame of this thread. Constant-initialised: an access is one address computation.
inline thread_local frame* current_frame = nullptr;

inline frame::frame(scheduler& s) noexcept : sched(s), outer(current_frame)
{
    current_frame = this;
}

inline frame::~frame()
{
    current_frame = outer;
}

inline frame* frame::find(scheduler const& s) noexcept
{
    frame* f = current_frame;
    while (f && &f->sched != &s)
        f = f->outer;
    return f;
}

inline void frame::capture_current_exception()
{
    std::exception_ptr const now = std::current_exception();
    pending_ = pending_ ? std::make_exception_ptr(boost::asio::multiple_exceptions(pending_)) : now;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_FRAME_HPP
