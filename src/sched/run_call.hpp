// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_RUN_CALL_HPP
#define WEFT_SRC_SCHED_RUN_CALL_HPP

// One call of run(), run_one(), poll() or their like, by a thread that comes from outside or by a
// handler of the same scheduler.

#include <weft/platform/futex.hpp>

#include "membership.hpp"
#include "run_loop.hpp"

#include <boost/config.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace weft
{
namespace detail
{

/// Makes the thread a worker for as long as it lasts. A call inside a handler of the same scheduler
/// shares the outer call's worker; the handler around it counts as outstanding work meanwhile, as
/// it does with Asio, so that the inner call cannot end everything.
template <typename Traits>
class run_scope
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using run_level = basic_run_level<Traits>;

public:
    run_scope(shared& s, joins_as kind) : shared_(s), kind_(kind), level_(run_level::find(s))
    {
        if (level_ && level_->w)
        {
            nested_ = true;
            ran_before_ = std::exchange(level_->ran_in_turn, 0);
            measuring<Traits>::interrupted(*level_->worker_here());
            exception_ = std::exchange(level_->pending, {});
            run_queue<Traits>::collect_posted(s, *level_->worker_here());
            run_queue<Traits>::flush_slot(s, *level_->worker_here());
            ++level_->w->work_delta;
        }
        else
        {
            level_ = &own_.emplace(s);
            membership<Traits>::join(s, *level_, kind_);
        }
    }

    ~run_scope()
    {
        if (!level_->sched)
            return;
        if (nested_)
        {
            level_->ran_in_turn = ran_before_;
            if (level_->worker_here()->is_watched())
                noting<Traits>::nested_run_ended(*level_->worker_here());
            // The outer handler goes on, perhaps for long: it keeps nothing that others wait for.
            run_queue<Traits>::flush_slot(shared_, *level_->worker_here());
            run_queue<Traits>::collect_posted(shared_, *level_->worker_here());
            level_->worker_here()->forget_pushed();
            notifier<Traits>::give_up_search(shared_, *level_->worker_here());
            --level_->w->work_delta;
            // What the outer handler has granted before comes first, and may be in the ring.
            level_->worker_here()->has_granted(true);
            level_->pending = std::move(exception_);
        }
        else
            membership<Traits>::leave(shared_, *level_, kind_);
    }

    run_scope(run_scope const&) = delete;
    run_scope& operator=(run_scope const&) = delete;

    run_level& here() noexcept
    {
        return *level_;
    }

private:
    shared& shared_;
    joins_as const kind_;
    std::optional<run_level> own_;
    run_level* level_;
    bool nested_ = false;
    std::size_t ran_before_ = 0;

    // Of the handler that a nested call interrupts: what it has captured leaves the outer run().
    typename Traits::pending exception_;
};

template <typename Traits>
struct run_call
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;
    using run_level = basic_run_level<Traits>;

    static std::size_t run_some(shared& s, run_limits const& limits, joins_as kind)
    {
        // Without a look at the work that is left: a time that has passed does not stop an idle
        // context.
        if (s.stopped.load(memory_order_acquire) || is_over(limits.mode, limits.until))
            return 0;
        std::size_t count = 0;
        while (stay_inside(s, limits, kind, count))
        {
        }
        return count;
    }

    static spare_end run_as_spare(shared& s) noexcept
    {
        if (s.stopped.load(memory_order_acquire))
            return spare_end::over;
        run_scope<Traits> v(s, joins_as::recurring);
        entry op;
        // The worker may change with every handler, and the next thread to have it may be
        // no spare thread.
        while (v.here().worker_here()->take_on(worker::spare),
            run_loop<Traits>::next(s, v.here(), op, wait_mode::forever, {}))
        {
            v.here().worker_here()->drop(worker::spare);
            run_loop<Traits>::execute(s, v.here(), op);
        }
        v.here().worker_here()->drop(worker::spare);
        if (!v.here().sched)
            return spare_end::destroyed;
        return v.here().retired ? spare_end::retired : spare_end::over;
    }

private:
    static bool is_over(wait_mode mode, deadline until) noexcept
    {
        return mode == wait_mode::until && Traits::clock::passed(until);
    }

    /// Runs operations, until `count` of them have been run or the call is over for another reason.
    /// True if it left because nothing was left, and has to come back, since something was when it
    /// was counted out.
    static BOOST_FORCEINLINE bool stay_inside(
        shared& s, run_limits const& limits, joins_as kind, std::size_t& count)
    {
        // Copies, which no handler changes.
        wait_mode const mode = limits.mode;
        deadline const until = limits.until;
        std::size_t const limit = limits.handlers;
        std::size_t ran = count;
        bool out_of_work = false;
        {
            run_scope<Traits> v(s, kind);
            entry op;
            while (ran != limit && !is_over(mode, until) &&
                   run_loop<Traits>::next(s, v.here(), op, mode, until))
            {
                if (run_loop<Traits>::execute(s, v.here(), op))
                    ++ran;
            }
            ran = (std::min)(limit, ran + v.here().ran_in_turn);
            out_of_work = mode != wait_mode::none && v.here().sched && v.here().out_of_work;
        }
        count = ran;
        return out_of_work && !s.stopped.load(memory_order_acquire);
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_RUN_CALL_HPP
