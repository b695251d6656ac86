// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/scheduler.hpp>

#include <algorithm>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

namespace
{

// A limit for one wait, so that a far deadline does not overflow the reactor's microseconds.
constexpr std::chrono::microseconds longest_wait = std::chrono::minutes(10);

// Units of ready_time: some minutes.
constexpr ready_time long_ago = 1u << 28;

} // namespace

/// Puts what the reactor completed into the ring of the worker that waits in it.
class scheduler::ring_sink final : public driver::sink
{
public:
    ring_sink(scheduler& s, worker& w, bool has_slept) noexcept
        : scheduler_(s), worker_(w), has_slept_(has_slept)
    {
    }

    bool has_room() noexcept override
    {
        return worker_.owned_ring().free_slots() >= driver::max_unlinkable ||
               (scheduler_.make_room(worker_) &&
                   worker_.owned_ring().free_slots() >= driver::max_unlinkable);
    }

    void ready(ready_operation op) noexcept override
    {
        note_time();
        // What was posted comes before the reactor's events, which cannot be linked.
        scheduler_.place(worker_, op, op.linkable() ? driver::max_unlinkable : 0);
    }

    /// After a wait, once: the clock stood still for this worker meanwhile.
    void note_time() noexcept
    {
        if (!std::exchange(has_slept_, false))
            return;
        ready_time const now = ready_time_at(std::chrono::steady_clock::now());
        worker_.now.store(now, memory_order_relaxed);
        scheduler_.polled_.store(now, memory_order_relaxed);
    }

private:
    scheduler& scheduler_;
    worker& worker_;
    bool has_slept_;
};

/// Waits in the reactor; the worker has the seat.
std::size_t scheduler::wait_in_driver(worker& w, long usec)
{
    ring_sink out(*this, w, usec != 0);
    std::size_t const events = driver_->wait(usec, out);
    out.note_time();
    // By the reactor itself.
    w.asio.drain([&](operation* op) { out.ready(ready_operation(op)); });
    w.count.reactor_polls.add(1);
    w.count.reactor_events.add(events);
    if (events >= driver::max_unlinkable)
        // There may be more: the next look comes here again.
        polled_.store(ready_now(w) - long_ago, memory_order_relaxed);
    return events;
}

/// Looks into the reactor without waiting, if nobody else is there. Returns how much it found.
std::size_t scheduler::poll_driver(worker& w)
{
    if (!driver_->may_have_events())
        return 0;
    bool const mine = w.has(worker::in_seat);
    if (!mine && !seat_.try_take())
        return 0;
    w.take_on(worker::in_seat);
    struct guard
    {
        scheduler& s;
        worker& w;
        ~guard()
        {
            // Somebody may have gone to sleep elsewhere because the seat was taken.
            if (w.has(worker::in_seat))
                s.leave_seat(w);
        }
    } const on_exit{*this, w};
    return wait_in_driver(w, 0);
}

/// For a worker that has nothing left, and would take from others what is theirs: it looks into
/// the reactor first, unless somebody has just done so. True if it found something.
bool scheduler::poll_when_idle(worker& w)
{
    if (idle_.active() < 2 || seat_.taken() || !driver_->may_have_events())
        return false;
    ready_time const now = ready_time_at(std::chrono::steady_clock::now());
    if (!reactor_may_be_due(now))
        return false;
    polled_.store(now, memory_order_relaxed);
    return poll_driver(w) != 0;
}

/// Gives the seat up, for somebody who sleeps to take.
void scheduler::leave_seat(worker& w) noexcept
{
    w.drop(worker::in_seat);
    seat_.release();
    published_by_worker();
}

/// Sleeps, in the driver if the worker has the seat, and comes back as a running worker.
void scheduler::park(worker& w, wait_mode mode, deadline until, bool guard)
{
    using clock = std::chrono::steady_clock;
    using std::chrono::microseconds;

    bool const limited = guard || mode == wait_mode::until;
    deadline limit{};
    if (limited)
    {
        auto const now = clock::now();
        limit = now + longest_wait;
        if (guard)
            limit = (std::min)(limit, deadline(now + guard_period_));
        if (mode == wait_mode::until)
            limit = (std::min)(limit, until);
    }

    struct waking
    {
        scheduler& s;
        worker& w;
        bool in_driver;
        ~waking()
        {
            if (in_driver)
                w.sleep.leave_driver();
            s.enter_running_set(w);
        }
    } on_exit{*this, w, false};

    if (!w.has(worker::in_seat))
    {
        if (limited)
            w.sleep.park_until(limit);
        else
            w.sleep.park();
        return;
    }
    if (!w.sleep.enter_driver())
        return;
    on_exit.in_driver = true;
    long usec = -1;
    if (limited)
    {
        auto const left = std::chrono::duration_cast<microseconds>(limit - clock::now());
        usec = static_cast<long>((std::max)(left.count() + 1, microseconds::rep{0}));
    }
    wait_in_driver(w, usec);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
