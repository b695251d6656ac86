// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_DRIVER_ACCESS_HPP
#define WEFT_SRC_SCHED_DRIVER_ACCESS_HPP

// Who looks into the reactor, and who sleeps in it: the worker that has the driver lock. What the
// reactor has completed comes into the ring of that worker.

#include <weft/platform/backoff.hpp>
#include <weft/platform/futex.hpp>
#include <weft/platform/narrow.hpp>

#include "../platform/probe.hpp"
#include "timer_access.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace weft
{
namespace detail
{

template <typename Traits>
struct driver_access
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;
    using node = typename Traits::node;

    static constexpr std::chrono::nanoseconds longest_poll_period = std::chrono::microseconds(1000);

    /// Time between two looks into the reactor, by whatever workers, while there is other work. A
    /// look costs about 1 us, and less for each event if there are more: those whose data have been
    /// read meanwhile are not reported. Where looks bring something one comes in each round, also
    /// where a round is short: of eight clients that always have a request on its way, those whose
    /// data a read has found at once would be served twice before the others.
    static std::chrono::nanoseconds shortest_poll_period(shared const& s) noexcept
    {
        return std::chrono::microseconds(s.vain_looks.are_many() ? 50 : 16);
    }

    /// Puts what the reactor completed into the ring of the worker that waits in it; if that
    /// shares, into the queue of all at once, for a thief that took half of the ring would change
    /// the order.
    class event_sink final : public Traits::driver::sink
    {
    public:
        event_sink(shared& s, worker& w, bool has_slept) noexcept
            : shared_(s), worker_(w), has_slept_(has_slept)
        {
        }

        ~event_sink()
        {
            give();
        }

        event_sink(event_sink const&) = delete;
        event_sink& operator=(event_sink const&) = delete;

        bool has_room() noexcept override
        {
            if (has_free_slots() ||
                (run_queue<Traits>::make_room(shared_, worker_) && has_free_slots()))
                return true;
            // A thief has claimed everything, and may have lost its core since.
            yield_thread();
            return false;
        }

        void ready(entry op) noexcept override
        {
            note_time();
            if (!op.linkable() || !Traits::driver::tells_descriptors)
                ++descriptors_;
            if (worker_.shares)
            {
                if (count_ == most)
                    give();
                items_[count_++] = {op.op, narrow<std::uint32_t>(op.result), worker_.ready_now()};
                return;
            }
            place(op);
        }

        void end() noexcept override
        {
            give();
        }

        /// Puts what it has kept where it belongs.
        void give() noexcept
        {
            std::size_t const count = std::exchange(count_, 0);
            if (count == 0)
                return;
            std::size_t const given = shared_.injected.exchange(
                items_, count, [](std::size_t) { return std::size_t{0}; }, [](item const&) {});
            for (std::size_t i = given; i != count; ++i)
                place(shared::entry_of(items_[i]));
        }

        std::size_t descriptors() const noexcept
        {
            return descriptors_;
        }

        /// After a wait, once: the clock stood still for this worker meanwhile.
        void note_time() noexcept
        {
            if (!std::exchange(has_slept_, false))
                return;
            auto const time = worker_.clock.now();
            measuring<Traits>::note_clock(worker_, time);
            worker_.polls.wakes(time);
            worker_.slept_for = time - worker_.looked;
            worker_.begins_at(time);
            ready_time const now = ready_time_at(time);
            worker_.now.store(now, memory_order_relaxed);
            ready_clock<Traits>::advance_to(shared_, now);
            shared_.polled.store(now, memory_order_relaxed);
        }

    private:
        using item = typename shared::item;
        static constexpr std::size_t most = 128;

        bool has_free_slots() const noexcept
        {
            return worker_.owned_ring().free_slots() >= Traits::driver::max_unlinkable;
        }

        void place(entry op) noexcept
        {
            // What was posted comes before the reactor's events, which cannot be linked.
            run_queue<Traits>::place(shared_, worker_, op, worker_.ready_now(),
                op.linkable() ? Traits::driver::max_unlinkable : 0);
        }

        shared& shared_;
        worker& worker_;
        bool has_slept_;
        std::size_t descriptors_ = 0;
        std::size_t count_ = 0;
        item items_[most];
    };

    /// Waits in the reactor; the worker has the driver lock.
    static std::size_t wait_in_driver(shared& s, worker& w, long usec)
    {
        if (usec == 0)
            noting<Traits>::note(w, event_kind::look);
        std::size_t const events = take_events(s, w, usec);
        noting<Traits>::note(w, event_kind::looked, events);
        return events + timer_access<Traits>::take_expired(s, w);
    }

    /// The same, for what is in the reactor only, and as one look of many. Tells how many of them
    /// are events of descriptors, and not of timers.
    static std::size_t take_events(
        shared& s, worker& w, long usec, std::size_t* descriptors = nullptr)
    {
        return take_events(s, w, usec, usec != 0, descriptors);
    }

    static std::size_t take_events(
        shared& s, worker& w, long usec, bool has_slept, std::size_t* descriptors)
    {
        event_sink out(s, w, has_slept);
        std::size_t const events = s.driver->wait(usec, out);
        out.note_time();
        // By the reactor itself.
        w.asio.drain([&](node* op) { out.ready(entry(op)); });
        out.give();
        if (descriptors)
            *descriptors = out.descriptors();
        if (events != 0)
            s.vain_looks.end();
        note_fullness(s, events >= Traits::driver::least_if_more);
        w.count.reactor_polls.add(1);
        w.count.reactor_events.add(events);
        WEFT_PROBE3(reactor, &s, w.index, events);
        return events;
    }

    /// Not written where nothing changes, for all read it.
    static void note_fullness(shared& s, bool full) noexcept
    {
        if (full != s.more_is_ready.load(memory_order_relaxed))
            s.more_is_ready.store(full, memory_order_relaxed);
    }

    /// Looks into the reactor without waiting, if nobody else is there, and at the timers. Returns
    /// how much it found.
    static std::size_t poll_driver(shared& s, worker& w)
    {
        bool const mine = w.has(worker::holds_driver);
        if (!s.driver->may_have_events() || (!mine && !s.driver_lock.try_take()))
        {
            std::size_t const expired = timer_access<Traits>::take_expired(s, w);
            if (expired != 0)
                notifier<Traits>::notify_one_by_worker(s, w);
            return expired;
        }
        w.take_on(worker::holds_driver);
        struct guard
        {
            shared& s;
            worker& w;
            ~guard()
            {
                // Somebody may have gone to sleep elsewhere because the driver lock was taken.
                if (w.has(worker::holds_driver))
                    notifier<Traits>::release_driver(s, w, 1);
            }
        } const on_exit{s, w};
        return wait_in_driver(s, w, 0);
    }

    // How many looks that find nothing an idle worker makes in a row, however soon after others.
    static constexpr unsigned most_in_vain = 4;

    /// For a worker that has nothing left, and would take from others what is theirs: it looks into
    /// the reactor first, unless somebody has just done so and its own last looks were in vain. To
    /// look for it elsewhere, and to find it there when about to sleep, costs several times as much
    /// where handlers write to sockets whose other ends are in the same context. True if it found
    /// something.
    [[gnu::noinline]] static bool poll_when_idle(shared& s, worker& w)
    {
        if (s.sleepers.active() < 2 || s.driver_lock.taken() ||
            !timer_access<Traits>::may_have_events(s))
            return false;
        ready_time const now = ready_time_at(w.clock.now());
        if (w.idle_looks_in_vain >= most_in_vain && !reactor_may_be_due(s, now))
            return false;
        s.polled.store(now, memory_order_relaxed);
        // What it finds has become ready since its last look.
        w.now.store(
            w.shares ? ready_clock<Traits>::tell_others(s, now) : now, memory_order_relaxed);
        bool const found = poll_driver(s, w) != 0;
        w.idle_looks_in_vain = found ? 0 : (std::min)(w.idle_looks_in_vain + 1, most_in_vain);
        return found;
    }

    /// Sleeps, in the driver if the worker has the driver lock, and comes back as a running worker.
    static void park(shared& s, worker& w, wait_mode mode, deadline until, bool monitor)
    {
        bool limited = monitor || mode == wait_mode::until;
        deadline limit{};
        if (limited)
            limit = Traits::clock::limit(monitor ? (std::min)(timer_access<Traits>::longest_wait,
                                                       std::chrono::microseconds(s.monitor_period))
                                                 : timer_access<Traits>::longest_wait,
                mode == wait_mode::until ? &until : nullptr);

        struct waking
        {
            shared& s;
            worker& w;
            bool in_driver;
            ~waking()
            {
                if (in_driver)
                {
                    timer_access<Traits>::end_sleep(s);
                    w.sleep.leave_driver();
                }
                enter_running_set(s, w);
            }
        } on_exit{s, w, false};

        measuring<Traits>::sleeps(w, w.has(worker::holds_driver));
        WEFT_PROBE3(park, &s, w.index, w.has(worker::holds_driver));
        if (!w.has(worker::holds_driver))
        {
            bool slept = false;
            if (limited)
                Traits::clock::park_until(w.sleep, limit);
            else if (handover<Traits>::stand_by(s, w, slept))
            {
                take_events(s, w, 0, true, nullptr);
                timer_access<Traits>::take_expired(s, w);
            }
            else if (!slept)
                w.sleep.park();
            return;
        }
        handover<Traits>::take_back(s);
        if (!w.sleep.enter_driver())
            return;
        on_exit.in_driver = true;
        limited = timer_access<Traits>::begin_sleep(s, limit, limited);
        wait_in_driver(s, w, limited ? Traits::clock::microseconds_left(limit) : -1);
    }

    /// Comes back from parking.
    static void enter_running_set(shared& s, worker& w) noexcept
    {
        idle::awakening const now = s.sleepers.wake_up(w.index);
        // Somebody has looked at the clock more recently, if anybody is to compare with.
        w.now.store(s.now.load(memory_order_relaxed), memory_order_relaxed);
        w.monitored = now.monitor_armed;
        if (now.claimed)
        {
            w.take_on(worker::searching);
            w.woken_after = w.count.handlers.value();
            w.count.wakes.add(1);
        }
        WEFT_PROBE3(unpark, &s, w.index, now.claimed);
        measuring<Traits>::wakes(s, w, now.claimed);
    }

    /// Whether nobody has just looked into the reactor.
    static bool reactor_may_be_due(shared& s, ready_time now) noexcept
    {
        return since_polled(s, now) >= shortest_poll_period(s);
    }

    /// Whether somebody looked into the reactor before what has this stamp became ready. If so,
    /// what is there may have waited longer.
    static bool was_polled_before(shared& s, ready_time stamp) noexcept
    {
        return is_younger(stamp, s.polled.load(memory_order_relaxed));
    }

    /// The time since the last look into the reactor; more, if many workers run at once: they look
    /// more often, so that each does as often as one of a few.
    static std::chrono::nanoseconds since_polled(shared& s, ready_time now) noexcept
    {
        return age(s.polled.load(memory_order_relaxed), now) * (std::max)(s.most_at_once() / 2, 1u);
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_DRIVER_ACCESS_HPP
