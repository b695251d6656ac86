// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_TRACING_HPP
#define WEFT_SRC_SCHED_TRACING_HPP

// How a worker records what it does, when measuring.hpp has decided that it does. A handler is one
// event, at its beginning: it ends where the next event begins that does not belong to it. Out of
// line, as measurement.hpp is.

#include <weft/sched/run_level.hpp>

#include "../trace/event.hpp"
#include "shared_state.hpp"

#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

template <typename Traits>
struct tracing
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;

    /// Records something that happens now. The worker has a ring.
    [[gnu::noinline]] static void note(
        worker& w, event_kind kind, std::uint64_t payload = 0) noexcept
    {
        auto& m = w.measured;
        m.ended = Traits::clock::cheap();
        m.fresh = true;
        m.ring->write(m.ended, kind, payload);
    }

    /// The worker begins to run what it has taken; it has just looked at the clock.
    static void begin(worker& w, entry const& op) noexcept
    {
        auto& m = w.measured;
        m.running = Traits::function_of(op);
        if (op.linkable())
            m.ring->write(m.began, event_kind::handler, m.running);
        else
            m.ring->write(m.began, event_kind::io,
                small_and_address(op.result, reinterpret_cast<std::uintptr_t>(op.op)));
    }

    /// The worker looks for work: the handler before has ended.
    [[gnu::noinline]] static void idle(worker& w) noexcept
    {
        if (w.measured.running == 0)
            return;
        w.measured.running = 0;
        note(w, event_kind::idle);
    }

    /// A turn is over: how much is queued.
    [[gnu::noinline]] static void depth(shared& s, worker& w) noexcept
    {
        std::size_t const own = w.ring.size() + (w.lifo.empty() ? 0 : 1);
        note(w, event_kind::depth, two_counts(own, s.injected.size()));
    }

    /// By any thread, which wakes `w`.
    [[gnu::noinline]] static void wakes(shared& s, worker const& w) noexcept
    {
        run_level* f = Traits::current();
        if (f && f->sched != &s)
            f = find_level(f->outer, &s);
        if (!f || !f->w)
            return;
        worker& waker = static_cast<worker&>(*f->w);
        if (waker.measured.ring)
            note(waker, event_kind::wake, w.index);
    }

    /// A thread has got the worker.
    [[gnu::noinline]] static void join(worker& w) noexcept
    {
        note(w, event_kind::join, Traits::thread_number());
        w.measured.running = 0;
    }

    /// Does as it has been told last: `on`, and has a ring then if there is memory.
    static void follow(shared& s, worker& w, bool on) noexcept
    {
        auto& m = w.measured;
        if (on == (m.ring != nullptr))
            return;
        if (on)
        {
            m.ring = s.measured.events.ring_of(w.index);
            if (!m.ring)
                return;
            w.take_on(worker::recorded);
            join(w);
        }
        else
        {
            note(w, event_kind::off);
            forget(w);
        }
        m.want((m.wanted & m.is_timed) != 0);
    }

    static void forget(worker& w) noexcept
    {
        w.measured.ring = nullptr;
        // By another clock than what comes.
        w.measured.fresh = false;
        w.drop(worker::recorded);
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_TRACING_HPP
