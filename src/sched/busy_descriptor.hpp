// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_BUSY_DESCRIPTOR_HPP
#define WEFT_SRC_SCHED_BUSY_DESCRIPTOR_HPP

// What becomes of an event while another thread is at its descriptor. Asio makes the system call of
// an operation under the descriptor's lock. A write wakes the peer; where that wants the same core
// it gets it before the writer has left the call, and its answer is an event for whoever looks
// next. Who runs that event waits for the lock, with all that it has in its hands, until the writer
// has a core again; beside it a core may have nothing to do. So the event waits, and not the
// worker.

#include <weft/platform/backoff.hpp>

#include "run_queue.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace weft
{
namespace detail
{

template <typename Traits>
struct busy_descriptor
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;

    // How long a worker goes on that has nothing but such events. Some ten system calls; a writer
    // that has no core by then may get none for long, and wakes who waits for its lock.
    static constexpr std::chrono::microseconds patience{50};

    /// For the event of a descriptor that the worker has taken to run: whether another thread is
    /// there, and it has been put behind what else is queued. A single runner waits, as outsiders
    /// alone could be there.
    static bool put_off(shared& s, worker& w, entry event) noexcept
    {
        return !s.runner.is_single() && Traits::is_busy(event) && put_behind(s, w, event);
    }

private:
    [[gnu::noinline]] static bool put_behind(shared& s, worker& w, entry event) noexcept
    {
        // In a row: no handler has run since the first.
        std::uint64_t const handlers = w.count.handlers.value();
        auto const now = w.clock.now();
        if (std::exchange(w.put_off_after, handlers) != handlers)
        {
            w.put_off_since = now;
            w.put_off = 0;
        }
        else if (now - w.put_off_since >= patience)
            return false;
        bool const is_only = w.ring.empty();
        std::size_t const others = w.ring.size() + s.injected.size();
        // It is ready when the other thread has left the descriptor. No room is left if a thief is
        // just copying what it has claimed.
        if (!w.owned_ring().push(event, ready_clock<Traits>::now(s, w)))
            return false;
        // Nobody is woken for it: what else is queued has been published, and who comes for that
        // finds this event too, which is back before the worker takes anything else
        // (weft/sched/idle.hpp, lemma 4).
        if (++w.put_off > others)
            yield_thread();
        // It was no part of the turn, which ends if there is nothing else in the ring.
        ++w.run_left;
        if (is_only)
            w.end_turn_after(0);
        return true;
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_BUSY_DESCRIPTOR_HPP
