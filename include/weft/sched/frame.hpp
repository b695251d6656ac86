// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_FRAME_HPP
#define WEFT_SCHED_FRAME_HPP

#include <weft/config.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/reactor/thread_slot.hpp>
#include <weft/sched/pending_exception.hpp>
#include <weft/sched/worker.hpp>

#include <memory>
#include <optional>

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

    /// The frame of this thread inside `s`, or null. `s` may be gone.
    static frame* find(scheduler const* s) noexcept;

    /// Null if a handler that this thread runs has destroyed the scheduler. The worker, which has
    /// the duty `orphaned` then, is all that is left of it.
    scheduler* sched;

    // The worker this thread has; null while it is inside run_blocking().
    worker* w = nullptr;

    // Owns an orphaned worker.
    std::unique_ptr<worker> kept;

    // What tells Asio about this thread; hidden while it is inside run_blocking().
    std::optional<thread_entry> entry;

    // What this thread submits as a continuation was granted: see granting_scope.
    bool granting = false;

    // While it is inside run_blocking(): whether the handler that blocks had granted anything.
    bool has_granted = false;

    frame* const outer;

    // A stand-in that substitute::retire() has sent away.
    bool retired = false;

    // What the handler that is running has not been unwound by.
    pending_exception pending;
};

/// The innermost frame of this thread. Constant-initialised: an access is one address computation.
WEFT_ONE_IN_PROGRAM inline thread_local frame* current_frame = nullptr;

inline frame::frame(scheduler& s) noexcept : sched(&s), outer(current_frame)
{
    current_frame = this;
}

inline frame::~frame()
{
    current_frame = outer;
}

inline frame* frame::find(scheduler const* s) noexcept
{
    frame* f = current_frame;
    while (f && f->sched != s)
        f = f->outer;
    return f;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_FRAME_HPP
