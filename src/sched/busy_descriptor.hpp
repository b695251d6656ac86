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
#include <weft/sched/ready_time.hpp>

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

    // How long an event is put off; then its lock is waited for, as whoever is at the descriptor
    // most of the time, as a thread that sends all the time, would be met there again and again.
    // Longer than it takes to see what waits behind the handler of another worker (neighbours.hpp),
    // which may be the very one that is at the descriptor.
    static constexpr std::chrono::microseconds patience{500};

    // How often a worker tries at least that has nothing else: if it loses its core in between, it
    // sees little of what others have.
    static constexpr unsigned least_tries = 64;

    /// For the event of a descriptor that the worker has taken to run: whether another thread is
    /// there, and it has been put behind what else is queued. A single runner waits, as outsiders
    /// alone could be there.
    static bool put_off(shared& s, worker& w, entry event) noexcept
    {
        return !s.runner.is_single() && Traits::is_busy(event) && put_behind(s, w, event);
    }

    /// The event as the reactor has found it.
    static entry as_found(entry event) noexcept
    {
        event.result &= (1u << event_bits) - 1;
        return event;
    }

private:
    // When it was first put off is kept in the event itself, which may come to another worker: in
    // the upper half of its 32 bits, where epoll reports nothing. In steps of ready_time, modulo 67
    // ms; 0: it has not been.
    static constexpr unsigned event_bits = 16;
    static constexpr std::chrono::nanoseconds step{1024};

    static std::uint16_t step_at(std::chrono::steady_clock::time_point now) noexcept
    {
        auto const steps = static_cast<std::uint16_t>(ready_time_at(now) / (how_known + 1));
        return steps != 0 ? steps : std::uint16_t{1};
    }

    [[gnu::noinline]] static bool put_behind(shared& s, worker& w, entry event) noexcept
    {
        auto const now = step_at(w.clock.now());
        auto const first = static_cast<std::uint16_t>(event.result >> event_bits);
        bool const is_over =
            first != 0 && static_cast<std::uint16_t>(now - first) * step >= patience;
        // In a row: no handler has run since the first.
        if (std::exchange(w.put_off_after, w.count.handlers.value()) != w.count.handlers.value())
            w.put_off = 0;
        ++w.put_off;
        bool const has_tried_all = w.put_off > w.ring.size();
        bool const others_are_next = w.put_off <= w.ring.size() + s.injected.size();
        if (is_over && (others_are_next || w.put_off > least_tries))
            return false;
        if (first == 0)
            event.result += std::uint32_t{now} << event_bits;
        // It is ready when the other thread has left the descriptor. No room is left if a thief is
        // just copying what it has claimed.
        if (!w.owned_ring().push(event, ready_clock<Traits>::now(s, w)))
            return false;
        // Nobody is woken for it: what else is queued has been published, and who comes for that
        // finds this event too, which is back before the worker takes anything else
        // (weft/sched/idle.hpp, lemma 4).
        if (!others_are_next)
            yield_thread();
        // It was no part of the turn, which ends if there is nothing but such ones in the ring.
        ++w.run_left;
        if (has_tried_all)
            w.end_turn_after(0);
        return true;
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_BUSY_DESCRIPTOR_HPP
