// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_RUN_LOOP_HPP
#define WEFT_SRC_SCHED_RUN_LOOP_HPP

// The loop of a thread inside run(): which operation comes next, how it is run, when the thread
// sleeps.

#include <weft/platform/futex.hpp>

#include "../platform/probe.hpp"
#include "basic_run_level.hpp"
#include "between_turns.hpp"
#include "busy_descriptor.hpp"
#include "busy_polling.hpp"
#include "call_end.hpp"
#include "light_look.hpp"
#include "standing_aside.hpp"
#include "within_turn.hpp"

#include <boost/config.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>

namespace weft
{
namespace detail
{

/// The hooks of options around a sleep.
class parking_hooks
{
public:
    explicit parking_hooks(options const& o) noexcept : options_(o)
    {
        if (options_.before_park)
            options_.before_park();
    }

    ~parking_hooks()
    {
        if (options_.after_unpark)
            options_.after_unpark();
    }

    parking_hooks(parking_hooks const&) = delete;
    parking_hooks& operator=(parking_hooks const&) = delete;

    bool called() const noexcept
    {
        return static_cast<bool>(options_.before_park);
    }

private:
    options const& options_;
};

template <typename Traits>
struct run_loop
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;
    using run_level = basic_run_level<Traits>;

    enum class found
    {
        nothing,
        work,
        again // look again: something has changed
    };

    static bool next(shared& s, run_level& f, entry& op, wait_mode mode, deadline until)
    {
        // The common cases: a handler in the slot or in the ring, and nothing else to see to.
        worker& w = *f.worker_here();
        if (w.run_left != 0 && w.duties == 0 && !s.stopped.load(memory_order_acquire))
        {
            if (w.lifo.empty())
            {
                if (w.own_pop.pop(w.owned_ring(), op, s.runner))
                {
                    Traits::prefetch(w.owned_ring());
                    --w.run_left;
                    w.lifo_run = 0;
                    return true;
                }
            }
            else if (run_queue<Traits>::take_newest(s, w, op))
            {
                --w.run_left;
                return true;
            }
        }
        return find_work(s, f, op, mode, until);
    }

    [[gnu::noinline]] static bool find_work(
        shared& s, run_level& f, entry& op, wait_mode mode, deadline until)
    {
        for (;;)
        {
            worker& w = *f.worker_here();
            // Destroyed by the handler that has just returned: this object is not there any more.
            if (w.has(worker::orphaned))
                return false;
            if (w.is_watched())
                measuring<Traits>::handler_ended(w);
            try
            {
                if (!look_for_work(s, f, op, mode, until))
                    return false;
                measuring<Traits>::handler_begins(s, w, op);
                if (w.shares && w.lifo_run == 0 && op.linkable())
                    w.continuations.begin_waited(Traits::function_of(op));
                w.pushed_before = w.owned_ring().pushed();
                return true;
            }
            catch (...)
            {
                // There is no reactor to be had.
                if (!s.spare_owner)
                    throw;
                notifier<Traits>::give_up_search(s, *f.worker_here());
                report_exception(s, *f.worker_here());
            }
        }
    }

    static BOOST_FORCEINLINE bool look_for_work(
        shared& s, run_level& f, entry& op, wait_mode mode, deadline until)
    {
        worker& w = *f.worker_here();
        for (;;)
        {
            if (s.stopped.load(memory_order_acquire))
                return false;
            if (w.has(worker::spare) && s.spare_owner->retire())
            {
                f.retired = true;
                return false;
            }
            if (w.shares ? within_turn<Traits>::take_next(s, w, op)
                         : light_look<Traits>::may_do(w) && light_look<Traits>::take_next(s, w, op))
                return true;
            if (mode == wait_mode::none ? call_end<Traits>::without_clock(s, w)
                                        : call_end<Traits>::without_sleep(s, f, w))
                return false;
            if (mode == wait_mode::forever && w.run_left == 0 &&
                standing_aside<Traits>::try_after_turn(s, w))
                continue;
            bool const polls = mode != wait_mode::none && w.run_left == 0 &&
                               busy_polling<Traits>::comes_next(s, w);
            if (!polls && (find_local(s, w, op) || work_search<Traits>::find_injected(s, w, op)))
            {
                notifier<Traits>::end_search(s, w);
                return true;
            }
            measuring<Traits>::searches(w);
            // A look that does not sleep is part of the turn.
            if (mode != wait_mode::none && busy_polling<Traits>::poll_before_sleep(s, w))
                continue;
            // What the turn has lasted tells nothing about handlers from here on.
            w.turn_start = 0;
            found next;
            if (mode == wait_mode::none)
                next = look_once(s, w, op);
            else if (driver_access<Traits>::poll_when_idle(s, w) ||
                     (mode == wait_mode::forever && standing_aside<Traits>::try_when_idle(s, w)))
                next = found::again;
            else if (work_search<Traits>::look_at_others(s, w, op))
            {
                notifier<Traits>::end_search(s, w);
                next = found::work;
            }
            else
                next = sleep(s, w, op, mode, until);
            if (next != found::again)
                return next == found::work;
        }
    }

    /// For a thread that does not wait, and has nothing left.
    static found look_once(shared& s, worker& w, entry& op)
    {
        if (driver_access<Traits>::poll_driver(s, w) != 0)
            return found::again;
        if (work_search<Traits>::steal(s, w, op) || work_search<Traits>::take_open_slots(s, w, op))
            return found::work;
        call_end<Traits>::has_nothing_to_do(s);
        return found::nothing;
    }

    /// Runs an operation. False if no handler ran.
    static BOOST_FORCEINLINE bool execute(shared& s, run_level& f, entry op)
    {
        return op.linkable() ? complete(s, f, op) : execute_event(s, f, op);
    }

    /// Runs the event of a descriptor, or puts it off.
    [[gnu::noinline]] static bool execute_event(shared& s, run_level& f, entry event)
    {
        using busy = busy_descriptor<Traits>;
        return !busy::put_off(s, *f.worker_here(), event) && complete(s, f, busy::as_found(event));
    }

    /// Completes an operation. False if it was an event that completed nothing: no handler ran.
    /// Measured: inline, a handler is 4 to 8 % faster.
    static BOOST_FORCEINLINE bool complete(shared& s, run_level& f, entry op)
    {
        struct afterwards
        {
            shared& s;
            run_level& f;
            ~afterwards()
            {
                worker& w = *f.worker_here();
                WEFT_PROBE2(handler_end, &s, w.index);
                if (w.asio.has_posted())
                    run_queue<Traits>::collect_at_end(s, w);
            }
        };

        f.worker_here()->count.handlers.add(1);
        bool ran = true;
        WEFT_PROBE3(handler_begin, &s, f.worker_here()->index, noting<Traits>::function_of(op));
        {
            afterwards const on_exit{s, f};
            try
            {
                op.complete(&s.driver->inner());
                f.pending.rethrow();
            }
            catch (...)
            {
                // From a handler that has destroyed the scheduler, and with it whoever wanted to
                // know.
                if (f.worker_here()->has(worker::orphaned))
                    std::terminate();
                if (!s.spare_owner && !s.on_exception)
                    throw;
                report_exception(s, *f.worker_here());
            }
            if (!op.linkable() && f.worker_here()->asio.ran_nothing())
            {
                ran = false;
                f.worker_here()->asio.settle_work();
            }
        }
        return ran;
    }

    /// Reports the exception that is being handled: here, where the thread still counts, so that
    /// what the report submits is run. It may take long: nothing waits in the worker's hands.
    [[gnu::noinline]] static void report_exception(shared& s, worker& w) noexcept
    {
        if (w.asio.has_posted())
            run_queue<Traits>::collect_posted(s, w);
        // It may destroy the pool.
        auto const on_exception = s.on_exception;
        if (!on_exception)
            std::terminate();
        measuring<Traits>::reports_exception(s);
        (*on_exception)(std::current_exception());
    }

    static bool find_local(shared& s, worker& w, entry& op)
    {
        if (w.run_left == 0 && !(w.has_left && between_turns<Traits>::begins_call_in_turn(s, w)) &&
            between_turns<Traits>::look_elsewhere(s, w, op))
            return true;
        --w.run_left;
        measuring<Traits>::takes_oldest(w, w.ring);
        if (!w.lifo.empty())
        {
            if (run_queue<Traits>::take_newest(s, w, op))
            {
                measuring<Traits>::takes_continuation(w);
                return true;
            }
            run_queue<Traits>::flush_slot(s, w);
        }
        w.lifo_run = 0;
        return w.own_pop.pop(w.owned_ring(), op, s.runner);
    }

    /// A hook has run, and its time has passed since the last look at the clock. True if it has
    /// submitted anything: that is in the worker's own queues, where nobody looks after
    /// prepare_wait().
    static bool note_hook(worker& w) noexcept
    {
        if constexpr (Traits::measures::enabled)
            w.measured.looked = 0;
        return !w.ring.empty() || !w.lifo.empty() || w.asio.has_posted();
    }

    /// After prepare_wait(): looks at everything that could have been published before.
    static bool finds_at_last(shared& s, worker& w, entry& op)
    {
        return work_search<Traits>::find_injected(s, w, op) ||
               (w.single_steals.unprofitable()
                       ? work_search<Traits>::steal_with_grace(s, w, op, true)
                       : work_search<Traits>::steal(s, w, op)) ||
               work_search<Traits>::take_open_slots(s, w, op);
    }

    static found sleep(shared& s, worker& w, entry& op, wait_mode mode, deadline until)
    {
        parking_hooks const hooks(s.opts);
        if (hooks.called() && note_hook(w))
            return found::again;
        std::uint32_t const prepared = s.sleepers.prepare_wait();

        if (s.stopped.load(memory_order_seq_cst))
            return found::again;
        if (finds_at_last(s, w, op))
        {
            notifier<Traits>::end_search(s, w);
            return found::work;
        }
        call_end<Traits>::has_nothing_to_do(s);
        if (!w.has(worker::holds_driver) && s.driver_lock.try_take())
            w.take_on(worker::holds_driver);
        ending<Traits>::flush_work(s, w);

        if (mode == wait_mode::until && Traits::clock::passed(until))
            return found::nothing;

        sleep_result const result = s.sleepers.commit_wait(
            w.index, prepared, w.has(worker::searching), w.has(worker::holds_driver),
            [&s] { return ends_full_sleep(s); }, notifier<Traits>::sleeps_on(s, w));
        if (result == sleep_result::retry)
        {
            // Who keeps the driver lock without sleeping looks into the reactor: nobody else can.
            // It keeps it, for a free driver lock is news that calls off the sleep of others.
            if (w.has(worker::holds_driver) && !s.stopped.load(memory_order_relaxed) &&
                timer_access<Traits>::may_have_events(s))
                driver_access<Traits>::wait_in_driver(s, w, 0);
            return found::again;
        }
        if (w.woken_in_vain())
            w.count.empty_wakes.add(1);
        w.drop(worker::searching);
        if (result == sleep_result::finished)
        {
            ending<Traits>::stop(s);
            driver_access<Traits>::enter_running_set(s, w);
            return found::nothing;
        }

        notifier<Traits>::call_back(s);
        return sleep_and_watch(s, w, op, mode, until, result == sleep_result::parked_monitor);
    }

    /// All sleep now. True if there is nothing that could wake one of them.
    static bool ends_full_sleep(shared& s) noexcept
    {
        s.full_sleeps.add(1);
        return ending<Traits>::no_work_left(s);
    }

    /// Sleeps as a worker that is counted as asleep, and makes the monitor's round then if it is
    /// that.
    static found sleep_and_watch(
        shared& s, worker& w, entry& op, wait_mode mode, deadline until, bool monitor)
    {
        w.count.parks.add(1);
        w.single_steals.slept();
        driver_access<Traits>::park(s, w, mode, until, monitor);
        w.slept = true;
        w.begin_anew(w.shares ? 0 : w.first_turn);

        // The monitor's round: whoever has been in one handler since the last round is stuck in it.
        if (monitor)
        {
            bool const took = work_search<Traits>::take_slots(s, w, op, false);
            s.monitor_period = took ? shared::min_monitor_period
                                    : (std::min)(2 * s.monitor_period, shared::max_monitor_period);
            if (took)
            {
                notifier<Traits>::end_search(s, w);
                return found::work;
            }
        }
        return found::again;
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_RUN_LOOP_HPP
