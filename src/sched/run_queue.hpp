// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_RUN_QUEUE_HPP
#define WEFT_SRC_SCHED_RUN_QUEUE_HPP

// Where an operation goes that a worker submits, moves or fetches: into its LIFO slot, its ring,
// or, if that is full or somebody else may come first, into the injection queue. And in which order
// the worker takes them out again.

#include <weft/options.hpp>
#include <weft/platform/narrow.hpp>
#include <weft/sched/pace.hpp>

#include "notifier.hpp"
#include "ready_clock.hpp"

#include <boost/config.hpp>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

template <typename Traits>
struct run_queue
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;
    using node = typename Traits::node;
    using item = typename shared::item;

    // A continuation may wait behind so many handlers at least, or one, if handlers are so long in
    // the mean that another pass through the queue of all is nothing beside them; if a worker
    // sleeps, which whoever queues it would wake, behind more.
    static constexpr std::size_t least_before = 2;
    static constexpr std::chrono::nanoseconds long_beside_pass = pace::target / 2;
    static constexpr std::size_t least_before_beside_sleeper = 8;

    /// At the back, for others to see. Measured: inline, and with everything that is rare behind a
    /// call at the end of a path, a submission takes 20 instructions less.
    static BOOST_FORCEINLINE void push(shared& s, worker& w, entry op) noexcept
    {
        if (w.asio.has_posted())
            push_after_posted(s, w, op);
        else
            push_now(s, w, op);
    }

    static BOOST_FORCEINLINE void push_now(shared& s, worker& w, entry op) noexcept
    {
        // Single: first in first out, behind what is in the injection queue already. The ring keeps
        // room for what one look at the reactor can bring, which cannot be linked.
        bool const single = s.runner.is_single();
        ready_time const since = single ? w.ready_now() : ready_clock<Traits>::now(s, w);
        if ((single && !s.injected.empty()) ||
            !w.owned_ring().push(op, since, single ? Traits::driver::max_unlinkable : 0))
            push_full(s, w, op, since);
        else
            notifier<Traits>::notify_one_by_worker(s, w);
    }

    /// What Asio posted to itself during this handler came first.
    [[gnu::noinline]] static void push_after_posted(shared& s, worker& w, entry op) noexcept
    {
        collect_posted(s, w);
        push_now(s, w, op);
    }

    /// For push(), where that has found no place.
    [[gnu::noinline]] static void push_full(
        shared& s, worker& w, entry op, ready_time since) noexcept
    {
        if (s.runner.is_single() && op.linkable())
        {
            s.injected.push(op.op, since);
            w.count.remote_pushes.add(1);
        }
        else
            place(s, w, op, since);
        notifier<Traits>::notify_one_by_worker(s, w);
    }

    /// Puts an operation into the ring, of which so much `room` is kept, or, if that is full, half
    /// of the ring into the injection queue. Publishes nothing.
    static void place(
        shared& s, worker& w, entry op, ready_time since, std::uint32_t room = 0) noexcept
    {
        auto ring = w.owned_ring();
        // A single runner puts it behind what is in the injection queue. Otherwise events that come
        // all the time would keep the ring from ever becoming empty, and that queue from its turn.
        if (s.runner.is_single() && !s.injected.empty())
        {
            item const last{op.op, narrow<std::uint32_t>(op.result), since};
            if (s.injected.push(&last, 1) != 0)
            {
                w.count.remote_pushes.add(1);
                return;
            }
        }
        if (ring.push(op, since, room))
            return;
        if (room == 0 && make_room(s, w) && ring.push(op, since))
            return;
        // Or a thief is at work, or the ring is full of what cannot be linked. The reactor is not
        // asked for more of the latter without room for it, and the room is kept.
        assert(op.linkable());
        s.injected.push(op.op, since);
        w.count.remote_pushes.add(1);
    }

    /// Moves the newest half of the ring into the injection queue. False if nothing could be moved.
    static bool make_room(shared& s, worker& w) noexcept
    {
        item batch[worker::queue::capacity];
        std::size_t count = 0;
        w.owned_ring().spill([](entry e) { return e.linkable(); },
            [&](entry e, ready_time since) {
                batch[count++] = {e.op, 0, since};
            });
        if (count == 0)
            return false;
        // What can be linked always finds a place.
        std::size_t const done = s.injected.push(batch, count);
        assert(done == count);
        (void)done;
        w.count.overflows.add(1);
        return true;
    }

    /// Takes over what Asio has posted to this thread, in order.
    [[gnu::noinline]] static void collect_posted(shared& s, worker& w) noexcept
    {
        bool any = false;
        ready_time const since = ready_clock<Traits>::now(s, w);
        w.asio.drain(
            [&](node* op)
            {
                any = true;
                place(s, w, entry(op), since);
            });
        if (any)
            notifier<Traits>::notify_one_by_worker(s, w);
    }

    /// The same at the end of a handler. Apart, and in few lines of code, which a handler or the
    /// kernel has driven out of the nearest caches: what happens after most handlers of the only
    /// thread inside.
    [[gnu::noinline]] static void collect_at_end(shared& s, worker& w) noexcept
    {
        if (!append_completed(s, w))
            collect_others_at_end(s, w);
    }

    /// The same, whoever is inside and whatever there is. Where handlers are long, what one of them
    /// has started and what has completed at once, as most writes do, is its continuation, if it is
    /// all that it has queued: what comes next at the same object begins before all that waits, and
    /// not after. Or it goes to all, with the look that comes now (sharing.hpp).
    [[gnu::noinline]] static void collect_others_at_end(shared& s, worker& w) noexcept
    {
        if (w.shares)
            w.continuations.finds();
        bool const is_all = w.shares && w.lifo.empty() && !w.may_have_pushed();
        if (is_all && w.lifo_run == 0 && s.opts.lifo_limit != 0 && may_continue(s, w))
            continue_with_posted(s, w);
        else if (is_all && w.run_left == 0)
            // What a continuation in turn has found ready must not go before what the reactor has
            // known for longer.
            w.behind_reactor = w.lifo_run != 0;
        else if (!runs_posted_alone(s, w))
            collect_posted(s, w);
    }

    /// The one operation that has completed at once goes to the back of the ring of the only thread
    /// inside. False if there is another thread, or there are more such operations, or no room, or
    /// something that goes before it.
    static BOOST_FORCEINLINE bool append_completed(shared& s, worker& w) noexcept
    {
        if (w.shares || !s.runner.is_single() || !s.injected.empty() ||
            w.owned_ring().free_slots() == 0)
            return false;
        node* const completed = w.asio.take_completed_one();
        if (!completed)
            return false;
        bool const pushed = w.owned_ring().push(entry(completed), w.ready_now());
        assert(pushed);
        (void)pushed;
        notifier<Traits>::notify_one_by_worker(s, w);
        return true;
    }

    /// While the standby watches, and what Asio has posted is the one thing that there is to do:
    /// the worker runs it next, and does not wake the standby for it. In its slot nothing goes
    /// before it meanwhile that might block. False if it is not so.
    static bool runs_posted_alone(shared& s, worker& w) noexcept
    {
        if (!s.standby.is_watching() || w.lifo_run != 0 || s.opts.lifo_limit == 0 ||
            s.slots_are_open() || !w.ring.empty() || !w.lifo.empty() || !s.injected.empty() ||
            !w.asio.completed_one())
            return false;
        put_posted_next(s, w);
        return true;
    }

    /// For the one operation that Asio has posted, when a handler has ended, if the slot is empty:
    /// the worker takes it next, and is not stuck before that, so that it needs no monitor. (With
    /// turns of a fixed length something older may come first.)
    static void put_posted_next(shared& s, worker& w) noexcept
    {
        w.asio.drain([&](node* op) { put_next(s, w, op, w.turn.fixed()); });
    }

    /// Whether all that Asio has posted is one operation that has completed at once, and that is
    /// expected to be short and not to wait. Never beside short handlers: the client has not
    /// answered yet, in most cases, so that a read is tried once more, for which half a microsecond
    /// is much then. Nor while events wait in the reactor for the end of this round, which come
    /// behind whatever a continuation finds ready: clients that answer at once would be served
    /// twice as often as others.
    static bool may_continue(shared& s, worker& w) noexcept
    {
        if (!w.handlers_are_long() || s.more_is_ready.load(memory_order_relaxed))
            return false;
        node* const completed = w.asio.completed_one();
        if (!completed)
            return false;
        return w.continuations.expected(
            Traits::function_of(entry(completed, 0)), when_to_wait(s, w), s.gains_of_waiting);
    }

    /// When a continuation is to wait behind what is ready now.
    static waits when_to_wait(shared& s, worker& w) noexcept
    {
        bool const passes_for_nothing = w.turn.mean() >= long_beside_pass;
        std::size_t const waiting = s.injected.size();
        std::size_t const least = s.sleepers.parked() != 0 ? least_before_beside_sleeper
                                  : passes_for_nothing     ? 1
                                                           : least_before;
        if (waiting < least)
            return waits::not_at_all;
        return passes_for_nothing ? waits::if_it_finds : waits::if_it_gains;
    }

    static void continue_with_posted(shared& s, worker& w) noexcept
    {
        w.continuations.begin(w.clock.now(), s.gains_of_waiting);
        put_posted_next(s, w);
        // A look costs as much as most of them, and comes right after it.
        if (w.run_left == 0 && w.continuations.is_short())
            w.go_on(1);
    }

    /// Moves the operation in the LIFO slot to the back of the ring.
    [[gnu::noinline]] static void flush_slot(shared& s, worker& w) noexcept
    {
        if (node* const op = w.lifo.take())
            push(s, w, entry(op, 0));
    }

    /// What continues the running handler: the worker runs it next. `needs_monitor`: it may be
    /// stuck before that.
    static void put_next(shared& s, worker& w, node* op, bool needs_monitor = true) noexcept
    {
        if (s.opts.lifo_limit == 0)
        {
            push(s, w, entry(op, 0));
            return;
        }
        // Filling an empty slot wakes nobody, unless it is open: the owner runs it next.
        if (node* const displaced = w.lifo.put(op))
            push(s, w, entry(displaced, 0));
        if (needs_monitor && !w.monitored)
        {
            w.monitored = true;
            if (s.opts.lifo_stealing == lifo_stealing::guarded)
                notifier<Traits>::arm_monitor(s);
        }
        if (s.slots_are_open())
            notifier<Traits>::notify_one_by_worker(s, w);
    }

    /// What is put into the LIFO slot next is the last one that is taken from there in a row.
    static void continues_once(shared& s, worker& w) noexcept
    {
        if (s.opts.lifo_limit != 0)
            w.lifo_run = (std::max)(w.lifo_run, s.opts.lifo_limit - 1);
    }

    /// Takes the operation out of the LIFO slot, if its turn has come.
    static bool take_newest(shared& s, worker& w, entry& op) noexcept
    {
        if (w.lifo_run >= s.opts.lifo_limit)
            return false;
        node* const newest = w.lifo.take();
        if (!newest)
            return false;
        ++w.lifo_run;
        w.count.lifo_hits.add(1);
        op = entry(newest, 0);
        return true;
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_RUN_QUEUE_HPP
