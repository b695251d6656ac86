// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_RUN_LEVEL_HPP
#define WEFT_SCHED_RUN_LEVEL_HPP

// Which schedulers the calling thread is inside of, and which worker it has in each.

#include <weft/platform/visibility.hpp>
#include <weft/sched/worker_base.hpp>

namespace weft
{
namespace detail
{

/// The base of every scheduler: by its address a thread knows which ones it is inside of.
struct scheduler_identity
{
};

/// A thread inside the run() of a scheduler, as far as headers know of it.
struct run_level
{
    /// Null if a handler that this thread runs has destroyed the scheduler. The worker is all that
    /// is left of it then.
    scheduler_identity* sched = nullptr;

    // The worker this thread has; null while it is inside run_blocking().
    worker_base* w = nullptr;

    // What this thread submits as a continuation was granted: see granting_scope.
    bool granting = false;

    run_level* outer = nullptr;
};

/// The level inside `s`, or null, on the stack whose innermost level is `f`.
inline run_level* find_level(run_level* f, scheduler_identity const* s) noexcept
{
    while (f && f->sched != s)
        f = f->outer;
    return f;
}

/// The innermost level of this thread. Constant-initialised: an access is one address computation.
WEFT_ONE_IN_PROGRAM inline thread_local run_level* current_level = nullptr;

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_RUN_LEVEL_HPP
