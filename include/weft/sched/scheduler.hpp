// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_SCHEDULER_HPP
#define WEFT_SCHED_SCHEDULER_HPP

// The scheduler of a context as executors and operations see it: they submit, and count the work
// that is outstanding. What owns a scheduler sees more of it (context_scheduler.hpp); what it is
// made of is in src/sched/.

#include <weft/config.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/reactor/operation.hpp>
#include <weft/reactor/timer_wait.hpp>
#include <weft/sched/run_level.hpp>
#include <weft/sched/timers.hpp>

#include <boost/asio/execution_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

class WEFT_DECL scheduler : public scheduler_identity
{
public:
    /// Whether a handler may run inside a call of this thread; if so it is about to.
    bool enter_dispatch() noexcept;

    /// Whether this thread is inside run(), and not inside run_blocking().
    bool running_in_this_thread() const noexcept
    {
        return this_worker() != nullptr;
    }

    boost::asio::execution_context& context() const noexcept;

    /// Submits an operation at the back.
    void submit(operation* op) noexcept;

    /// Submits an operation that continues the running handler.
    void submit_continuation(operation* op) noexcept;

    /// Submits an operation that was granted what it waited for. The only one that the running
    /// handler has granted anything is its continuation; several keep their order, at the back.
    void submit_granted(operation* op) noexcept;

    /// Submits an operation that has completed without waiting: one by one where several threads
    /// take turns, the handlers of such operations cost several times as much as in a row. So the
    /// only one of the running handler is its continuation, while several threads run and handlers
    /// are short; several keep their order, at the back.
    void submit_completed(operation* op) noexcept;

    void work_started() noexcept
    {
        if (worker_base* const w = this_worker())
            ++w->work_delta;
        else
            work_started_outside();
    }

    void work_finished() noexcept
    {
        if (worker_base* const w = this_worker())
            --w->work_delta;
        else
            work_finished_outside();
    }

    /// What overloaded() compares (weft/metrics.hpp).
    std::chrono::nanoseconds standing_delay() const noexcept;

    /// Keeps the exception being handled, for run() to throw after the current handler. After
    /// enter_dispatch() of `s`, which may be gone: then this is std::terminate().
    static void capture_current_exception(scheduler const* s) noexcept;

    // What a timer does (sched/timers.hpp). A wait that ends is submitted.
    using timer = timers<timer_waits>::timer;

    /// Throws std::bad_alloc; the wait is the caller's then.
    void start_wait(timer& t, bool may_wait, timer_ticks at, timer_wait* wait);
    std::size_t cancel_waits(timer& t, std::size_t most) noexcept;
    void cancel_wait(timer& t, void const* key) noexcept;

protected:
    scheduler() = default;
    ~scheduler() = default;

private:
    worker_base* this_worker() const noexcept
    {
        run_level* f = current_level;
        if (f && f->sched != this)
            f = find_level(f->outer, this);
        return f ? f->w : nullptr;
    }

    void work_started_outside() noexcept;
    void work_finished_outside() noexcept;
};

/// Everything that this thread submits as a continuation while one is there, by way of whatever
/// executors, was granted to somebody who waited: submit_granted().
class granting_scope
{
public:
    granting_scope() noexcept
        : level_(current_level), before_(level_ && std::exchange(level_->granting, true))
    {
    }

    granting_scope(granting_scope const&) = delete;
    granting_scope& operator=(granting_scope const&) = delete;

    ~granting_scope()
    {
        if (level_)
            level_->granting = before_;
    }

private:
    run_level* const level_;
    bool const before_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_SCHEDULER_HPP
