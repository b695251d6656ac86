// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/scheduler.hpp>

#include "visit.hpp"

#include <boost/config.hpp>

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

namespace
{

constexpr std::size_t no_limit = (std::numeric_limits<std::size_t>::max)();

// Handlers between the one that runs and the one whose memory is fetched into the cache: handlers
// that were posted in large numbers are cold. Measured: 2 to 4 are alike.
constexpr std::uint32_t prefetch_distance = 3;

bool passed(deadline until) noexcept
{
    return std::chrono::steady_clock::now() >= until;
}

} // namespace

std::size_t scheduler::run()
{
    return run_some(wait_mode::forever, {}, no_limit);
}

std::size_t scheduler::run_one()
{
    return run_some(wait_mode::forever, {}, 1);
}

std::size_t scheduler::run_until(deadline until)
{
    return run_some(wait_mode::until, until, no_limit);
}

std::size_t scheduler::run_one_until(deadline until)
{
    return run_some(wait_mode::until, until, 1);
}

std::size_t scheduler::poll()
{
    return run_some(wait_mode::none, {}, no_limit);
}

std::size_t scheduler::poll_one()
{
    return run_some(wait_mode::none, {}, 1);
}

void scheduler::run_reserved() noexcept
{
    (void)run_some(wait_mode::forever, {}, no_limit, membership::own);
}

std::size_t scheduler::run_some(wait_mode mode, deadline until, std::size_t limit, membership kind)
{
    // Without a look at the work that is left: a time that has passed does not stop an idle
    // context.
    if (stopped() || (mode == wait_mode::until && passed(until)))
        return 0;
    visit v(*this, kind);
    std::size_t count = 0;
    ready_operation op;
    while (count != limit && !(mode == wait_mode::until && passed(until)) &&
           next(v.here(), op, mode, until))
    {
        if (execute(v.here(), op))
            ++count;
    }
    return count;
}

scheduler::stand_in_end scheduler::run_as_stand_in() noexcept
{
    if (stopped())
        return stand_in_end::over;
    visit v(*this, membership::recurring);
    ready_operation op;
    // The worker may change with every handler, and the next thread to have it is no stand-in.
    while (v.here().w->take_on(worker::stand_in), next(v.here(), op, wait_mode::forever, {}))
    {
        v.here().w->drop(worker::stand_in);
        execute(v.here(), op);
    }
    v.here().w->drop(worker::stand_in);
    if (!v.here().sched)
        return stand_in_end::destroyed;
    return v.here().retired ? stand_in_end::retired : stand_in_end::over;
}

inline bool scheduler::next(frame& f, ready_operation& op, wait_mode mode, deadline until)
{
    // The common cases: a handler in the slot or in the ring, and nothing else to see to.
    worker& w = *f.w;
    if (w.run_left != 0 && w.duties == 0 && !stopped_.load(memory_order_acquire))
    {
        if (w.lifo.empty())
        {
            if (w.own_pop.pop(w.owned_ring(), op, runner_))
            {
                __builtin_prefetch(w.owned_ring().peek(prefetch_distance).op);
                --w.run_left;
                w.lifo_run = 0;
                return true;
            }
        }
        else if (take_newest(w, op))
        {
            --w.run_left;
            return true;
        }
    }
    return find_work(f, op, mode, until);
}

bool scheduler::find_work(frame& f, ready_operation& op, wait_mode mode, deadline until)
{
    for (;;)
    {
        // Destroyed by the handler that has just returned: this object is not there any more.
        if (f.w->has(worker::orphaned))
            return false;
        try
        {
            return look_for_work(f, op, mode, until);
        }
        catch (...)
        {
            // There is no reactor to be had.
            if (!substitute_)
                throw;
            give_up_search(*f.w);
            report_exception();
        }
    }
}

bool scheduler::look_for_work(frame& f, ready_operation& op, wait_mode mode, deadline until)
{
    worker& w = *f.w;
    for (;;)
    {
        if (stopped_.load(memory_order_acquire))
            return false;
        if (w.has(worker::stand_in) && substitute_->retire())
        {
            f.retired = true;
            return false;
        }
        if (find_local(w, op) || find_injected(w, op))
        {
            end_search(w);
            return true;
        }
        if (mode == wait_mode::none)
        {
            if (poll_driver(w) != 0)
                continue;
            return steal(w, op) || take_open_slots(w, op);
        }
        if (poll_when_idle(w))
            continue;
        if (search(w, op))
        {
            end_search(w);
            return true;
        }
        switch (sleep(w, op, mode, until))
        {
        case found::work:
            return true;
        case found::again:
            break;
        case found::nothing:
            return false;
        }
    }
}

/// Runs an operation. False if it was an event that completed nothing: no handler ran. Measured:
/// inline, a handler is 4 to 8 % faster.
BOOST_FORCEINLINE bool scheduler::execute(frame& f, ready_operation op)
{
    struct afterwards
    {
        scheduler& s;
        frame& f;
        ~afterwards()
        {
            worker& w = *f.w;
            if (w.asio.has_posted())
                s.collect_posted(w);
        }
    };

    f.w->count.handlers.add(1);
    f.w->owes_work = false;
    bool ran = true;
    {
        afterwards const on_exit{*this, f};
        try
        {
            op.complete(driver_->owner());
            f.pending.rethrow();
        }
        catch (...)
        {
            // From a handler that has destroyed the scheduler, and with it whoever wanted to know.
            if (f.w->has(worker::orphaned))
                std::terminate();
            if (!substitute_)
                throw;
            report_exception();
        }
        if (!op.linkable() && f.w->asio.ran_nothing())
        {
            ran = false;
            f.w->asio.settle_work();
        }
    }
    return ran;
}

/// Reports the exception that is being handled, as a pool does: here, where the thread still
/// counts, so that what the report submits is run.
void scheduler::report_exception() noexcept
{
    // It may destroy the pool.
    auto const on_exception = on_exception_;
    if (!on_exception)
        std::terminate();
    (*on_exception)(std::current_exception());
}

bool scheduler::find_local(worker& w, ready_operation& op)
{
    if (w.run_left == 0 && look_elsewhere(w, op))
        return true;
    --w.run_left;
    if (!w.lifo.empty())
    {
        if (take_newest(w, op))
            return true;
        flush_slot(w);
    }
    w.lifo_run = 0;
    return w.own_pop.pop(w.owned_ring(), op, runner_);
}

/// Takes the operation out of the LIFO slot, if its turn has come.
inline bool scheduler::take_newest(worker& w, ready_operation& op) noexcept
{
    if (w.lifo_run >= options_.lifo_limit)
        return false;
    operation* const newest = w.lifo.take();
    if (!newest)
        return false;
    ++w.lifo_run;
    w.count.lifo_hits.add(1);
    op = ready_operation(newest, 0);
    return true;
}

scheduler::found scheduler::sleep(worker& w, ready_operation& op, wait_mode mode, deadline until)
{
    std::uint32_t const announced = idle_.announce();

    // What follows looks at everything that could have been published before the announcement.
    if (stopped_.load(memory_order_seq_cst))
        return found::again;
    if (find_injected(w, op) || (w.lone.in_vain() ? steal_patiently(w, op, true) : steal(w, op)) ||
        take_open_slots(w, op))
    {
        end_search(w);
        return found::work;
    }
    if (!w.has(worker::in_seat) && seat_.try_take())
        w.take_on(worker::in_seat);
    flush_work(w);

    if (mode == wait_mode::until && passed(until))
        return found::nothing;

    sleep_result const result = idle_.try_sleep(w.index, announced, w.has(worker::searching),
        w.has(worker::in_seat), [this] { return no_work_left(); });
    if (result == sleep_result::retry)
    {
        // Who keeps the seat without sleeping looks into the reactor: nobody else can. It keeps it,
        // for an empty seat is news that calls off the sleep of others.
        if (w.has(worker::in_seat) && !stopped_.load(memory_order_relaxed) &&
            driver_->may_have_events())
            wait_in_driver(w, 0);
        return found::again;
    }
    if (w.owes_work)
    {
        w.owes_work = false;
        w.count.empty_wakes.add(1);
    }
    w.drop(worker::searching);
    if (result == sleep_result::finished)
    {
        stop();
        enter_running_set(w);
        return found::nothing;
    }

    bool const guard = result == sleep_result::parked_guard;
    w.count.parks.add(1);
    w.lone.slept();
    park(w, mode, until, guard);
    w.slept = true;
    w.begin_cautiously(w.shares ? 0 : 1);

    // The guard's round: whoever has been in one handler since the last round is stuck in it.
    if (guard)
    {
        bool const took = take_slots(w, op, false);
        guard_period_ = took ? min_guard_period : (std::min)(2 * guard_period_, max_guard_period);
        if (took)
        {
            end_search(w);
            return found::work;
        }
    }
    return found::again;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
