// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_BASIC_SCHEDULER_HPP
#define WEFT_SRC_SCHED_BASIC_SCHEDULER_HPP

// A scheduler: its parts, as one class. What its functions mean is said in scheduler.hpp.

#include <weft/options.hpp>
#include <weft/sched/counters.hpp>
#include <weft/sched/ready_time.hpp>
#include <weft/sched/run_limits.hpp>
#include <weft/stats.hpp>

#include "run_call.hpp"
#include "submission.hpp"

#include <boost/config.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

template <typename Traits>
class basic_scheduler : public shared_state<Traits>
{
    using shared = shared_state<Traits>;

public:
    using typename shared::worker;
    using node = typename Traits::node;
    using run_level = basic_run_level<Traits>;

    /// Does not work before it has a driver. Throws std::bad_alloc.
    explicit basic_scheduler(options const& o) : shared(o)
    {
    }

    /// The calls of io_context; throws what a handler throws.
    std::size_t run(run_limits const& limits, joins_as kind)
    {
        return run_call<Traits>::run_some(*this, limits, kind);
    }

    spare_end run_as_spare() noexcept
    {
        return run_call<Traits>::run_as_spare(*this);
    }

    void stop() noexcept
    {
        ending<Traits>::stop(*this);
    }

    /// Whether a handler may run inside a call of this thread; if so it is about to.
    bool enter_dispatch() noexcept
    {
        worker* const w = submission<Traits>::this_worker(*this);
        if (!w)
            return false;
        // One event may complete several operations: Asio calls the first handler, and has posted
        // the others to this thread. They must not wait for it.
        if (w->asio.has_posted())
            run_queue<Traits>::collect_posted(*this, *w);
        return true;
    }

    BOOST_FORCEINLINE void submit(node* op) noexcept
    {
        submission<Traits>::submit(*this, op);
    }

    void submit_continuation(node* op) noexcept
    {
        submission<Traits>::submit_continuation(*this, op);
    }

    void submit_granted(node* op) noexcept
    {
        submission<Traits>::submit_granted(*this, op);
    }

    void submit_completed(node* op) noexcept
    {
        submission<Traits>::submit_completed(*this, op);
    }

    void work_started() noexcept
    {
        if (worker* const w = submission<Traits>::this_worker(*this))
            ++w->work_delta;
        else
            this->work.add(1);
    }

    void work_finished() noexcept
    {
        if (worker* const w = submission<Traits>::this_worker(*this))
            --w->work_delta;
        else
            ending<Traits>::work_finished_outside(*this);
    }

    void hand_off(run_level& f) noexcept
    {
        membership<Traits>::hand_off(*this, f);
    }

    void take_back(run_level& f) noexcept
    {
        membership<Traits>::take_back(*this, f);
    }

    void orphan_this_thread() noexcept
    {
        membership<Traits>::orphan_this_thread(*this);
    }

    void await_outsiders() noexcept
    {
        ending<Traits>::await_outsiders(*this);
    }

    void destroy_queued() noexcept
    {
        ending<Traits>::destroy_queued(*this);
    }

    stats snapshot() const;

    /// Which handlers are timed from the next look of each worker on.
    void time_handlers(timing how) noexcept
    {
        if constexpr (Traits::measures::enabled)
        {
            this->measured.mode(how);
            if (how == timing::off)
                this->measured.standing.clear();
        }
    }

private:
    template <typename Measures>
    static void read_measures(Measures const& m, worker_stats& one, stats& all)
    {
        auto const now = []
        {
            return nanoseconds_at(Traits::clock::now());
        };
        one.inside = m.inside.read(now);
        one.parked = m.parked.read(now);
        one.in_reactor = m.in_reactor.read(now);
        all.run_time += m.run_time.read();
        all.queue_delay += m.queue_delay.read();
        all.wake_latency += m.wake_latency.read();
    }
};

template <typename Traits>
stats basic_scheduler<Traits>::snapshot() const
{
    stats result;
    result.taken = Traits::clock::now();
    std::size_t const count = this->workers.size();
    result.workers.reserve(count);
    for (std::size_t i = 0; i != count; ++i)
    {
        worker const& w = this->workers[i];
        worker_stats s = w.count.read();
        s.queue_depth = w.ring.size() + (w.lifo.empty() ? 0 : 1);
        if constexpr (Traits::measures::enabled)
            read_measures(w.measured, s, result);
        add(result.total, s);
        result.workers.push_back(s);
    }
    result.total.remote_pushes = this->injected.pushes() + this->pushed_alone.value();
    result.injection_depth = this->injected.size();
    std::int64_t const outstanding = this->work.value();
    result.outstanding = outstanding > 0 ? static_cast<std::uint64_t>(outstanding) : 0;
    if constexpr (Traits::measures::enabled)
    {
        auto const& m = this->measured;
        result.blocking_calls = m.blocking_calls.load(memory_order_relaxed);
        result.blocked = std::chrono::nanoseconds(m.blocked.load(memory_order_relaxed));
        result.exceptions = m.exceptions.load(memory_order_relaxed);
    }
    return result;
}

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_BASIC_SCHEDULER_HPP
