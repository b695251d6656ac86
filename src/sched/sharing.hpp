// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_SHARING_HPP
#define WEFT_SRC_SCHED_SHARING_HPP

// What a worker does whose handlers are long: it gives what is in its ring to all.

#include <weft/platform/backoff.hpp>
#include <weft/platform/narrow.hpp>

#include "run_queue.hpp"

#include <boost/config.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

template <typename Traits>
struct sharing
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;
    using item = typename shared::item;
    using node = typename Traits::node;

    // For many workers, that none waits for the lock of the queue of all
    // (doc/design/simulation.md).
    static constexpr std::chrono::nanoseconds lock_transfer{125};

    /// For a worker whose handlers are long: what is in its ring, and what Asio has posted to its
    /// thread, goes to the queue of all, from which everybody takes in order; each entry to the
    /// place that is due to it by the time at which it became ready. If `first` is not null, the
    /// worker takes the oldest of that queue, and no more: what lies in a ring waits for one
    /// worker, which may have lost its core. Returns whether it took any. That queue's lock is
    /// acquired once.
    static bool share(shared& s, worker& w, entry* first) noexcept
    {
        if (w.asio.has_posted())
        {
            if (w.ring.empty() && w.asio.completed_one())
                return first ? share_completed(s, w, *first) : give_completed(s, w);
            run_queue<Traits>::collect_posted(s, w);
        }
        auto ring = w.owned_ring();
        std::uint32_t const size = ring.size();
        // The only entry there is is for this worker: it has come to its turn.
        if (size == 0 || (size == 1 && s.injected.empty()))
            return false;
        item entries[worker::queue::capacity];
        std::size_t const count = empty_ring(w, entries);
        return give_for_oldest(s, w, entries, count, first);
    }

    /// share() for what a handler has posted that is the end of an operation which has completed at
    /// once, and all there is. It does not pass the ring: that would be 300 of the 900 instructions
    /// from one handler to the next. Wakes nobody (weft/sched/idle.hpp, lemma 5).
    static BOOST_FORCEINLINE bool share_completed(shared& s, worker& w, entry& first) noexcept
    {
        node* const completed = w.asio.take_completed_one();
        if (!completed)
            return false;
        item next{completed, 0, w.ready_now()};
        if (!s.injected.empty())
        {
            next = s.injected.exchange(next);
            w.count.injection_fetches.add(1);
        }
        measuring<Traits>::takes(w, next.stamp);
        first = shared::entry_of(next);
        return true;
    }

    /// Everything in the ring goes to all, for a worker that has not shared: before what is as old
    /// in the queue of all, of which it may have fetched a part. False if there is no memory for
    /// it.
    static bool give_all(shared& s, worker& w) noexcept
    {
        item entries[worker::queue::capacity];
        std::size_t const count = empty_ring(w, entries);
        for (std::size_t i = 0; i != count; ++i)
            entries[i].stamp = just_before(entries[i].stamp);
        return exchange(s, w, entries, count, 0, [](item const&) {});
    }

    /// Among how many what is in the queue of all is to be divided.
    static std::size_t sharers(shared& s) noexcept
    {
        return (std::max<std::size_t>)(1, s.sleepers.active());
    }

    /// Whether the lock of the queue of all is nothing beside the handlers of all workers.
    static bool handlers_are_long(shared& s, worker& w) noexcept
    {
        // Who looks after a fixed number of handlers is not to wait for others that long.
        if (s.runner.is_single() || w.turn.fixed())
            return false;
        std::chrono::nanoseconds const least =
            overflows_with_events(s, w) ? worker::long_beside_many : worker::long_handler;
        auto const bound = (std::max)(least, std::int64_t{s.most_at_once()} * lock_transfer);
        return w.turn.unbiased_mean() >= (w.shares ? bound * 4 / 5 : bound);
    }

    /// Whether more is ready than the rings hold, of which a part at least comes from the reactor:
    /// others wait for it, as they do not for what is all computed here. Who shares does so until
    /// clearly less is queued.
    static bool overflows_with_events(shared const& s, worker const& w) noexcept
    {
        return s.injected.size() >= (w.shares ? worker::many / 2 : worker::many) &&
               !s.vain_looks.are_many();
    }

private:
    // What the worker runs next is something else.
    [[gnu::noinline]] static bool give_completed(shared& s, worker& w) noexcept
    {
        item const completed{w.asio.take_completed_one(), 0, w.ready_now()};
        return give_for_oldest(s, w, &completed, 1, nullptr);
    }

    [[gnu::noinline]] static bool give_for_oldest(
        shared& s, worker& w, item const* entries, std::size_t count, entry* first) noexcept
    {
        bool taken = false;
        ready_time since = 0;
        (void)exchange(s, w, entries, count, first ? 1 : 0,
            [&taken, &since, first](item const& oldest)
            {
                taken = true;
                *first = shared::entry_of(oldest);
                since = oldest.stamp;
            });
        if (!taken)
            return false;
        w.count.injection_fetches.add(1);
        measuring<Traits>::takes(w, since);
        return true;
    }

    // Moves what was in the ring into the queue of all, and takes `most` of the oldest there. False
    // if there is no memory for some: they stay, for they come out of this ring. Whoever wakes
    // somebody for what is in the queue takes nothing before: the kernel may let the one that is
    // woken run on this core, and what this worker has taken would wait for milliseconds.
    template <typename Out>
    static bool exchange(shared& s, worker& w, item const* entries, std::size_t count,
        std::size_t most, Out out) noexcept
    {
        bool const wakes = s.sleepers.would_wake();
        std::size_t const before_wake = wakes ? 0 : most;
        std::size_t const moved = s.injected.exchange(
            entries, count, [before_wake](std::size_t) { return before_wake; }, out);
        for (std::size_t i = moved; i != count; ++i)
            keep(w, shared::entry_of(entries[i]), entries[i].stamp);
        notifier<Traits>::notify_one_by_worker(s, w);
        if (most != before_wake)
            (void)s.injected.pop_batch([most](std::size_t) { return most; }, out);
        return moved == count;
    }

    // Takes everything out, in the order in which it became ready.
    static std::size_t empty_ring(worker& w, item* entries) noexcept
    {
        auto ring = w.owned_ring();
        std::size_t count = 0;
        entry ready;
        for (ready_time since; count != worker::queue::capacity && ring.pop(ready, since); ++count)
        {
            // Nearly in order, as they were queued or stolen.
            std::size_t place = count;
            for (; place != 0 && is_younger(entries[place - 1].stamp, since); --place)
                entries[place] = entries[place - 1];
            entries[place] = {ready.op, narrow<std::uint32_t>(ready.result), since};
        }
        return count;
    }

    // Into the ring from which everything has been taken: it fits, unless a thief is just copying
    // what it has claimed.
    static void keep(worker& w, entry ready, ready_time since) noexcept
    {
        while (!w.owned_ring().push(ready, since))
            yield_thread();
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_SHARING_HPP
