// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_BUSY_POLLING_HPP
#define WEFT_SRC_SCHED_BUSY_POLLING_HPP

// How the only worker of a context waits for what comes at once: it looks into the reactor and into
// the injection queue, again and again for some microseconds, as long as that pays
// (busy_poll.hpp). Others inside would search, and one of them sleep in the reactor.

#include <weft/platform/backoff.hpp>

#include "between_turns.hpp"

#include <chrono>
#include <cstddef>

namespace weft
{
namespace detail
{

template <typename Traits>
struct busy_polling
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using time_point = std::chrono::steady_clock::time_point;

    // Processor pauses between two looks. Measured: 1 to 24 are alike.
    static constexpr unsigned pauses = 8;

    /// For a worker that has nothing left, and would sleep. True if there is something to run, or
    /// the context has been stopped.
    static bool poll_before_sleep(shared& s, worker& w)
    {
        if (!waits_alone(s, w))
            return false;
        auto const since = ran_out(s, w);
        if (!w.polls.pays())
        {
            w.polls.sleeps(since);
            return false;
        }
        if (!w.has(worker::holds_driver) && !s.driver_lock.try_take())
            return false;
        w.take_on(worker::holds_driver);
        return poll(s, w, since);
    }

    /// At the end of a turn: true if nothing is left, so that the worker polls or sleeps now, and
    /// sees there what a look elsewhere would bring.
    [[gnu::noinline]] static bool comes_next(shared& s, worker& w) noexcept
    {
        if (!waits_alone(s, w) || w.tick_left == 0 || !w.ring.empty() || !w.lifo.empty() ||
            w.asio.has_posted() || !s.injected.empty())
            return false;
        // As if it had looked for one more.
        --w.tick_left;
        return true;
    }

private:
    /// Whether nobody else is inside, and there is something to wait for: the context does not end.
    static bool waits_alone(shared& s, worker& w) noexcept
    {
        return s.sleepers.active() < 2 && s.work.value() + w.work_delta != 0;
    }

    /// Since when the worker has had nothing left. If it has run handlers since it last looked at
    /// the clock, these were a turn.
    static time_point ran_out(shared& s, worker& w) noexcept
    {
        // The look for one more took one from the turn that it did not run.
        w.tick_left += w.run_left + 1;
        w.run_left = 0;
        if (w.turn_start != 0 && w.turn_start == w.tick_left)
            return w.looked;
        auto const now = w.clock.now();
        between_turns<Traits>::end_turn(s, w, now);
        return now;
    }

    /// What a look has found: what was to come at a known time could have been slept for.
    enum class found
    {
        nothing,
        timers,
        news
    };

    static bool poll(shared& s, worker& w, time_point since)
    {
        noting<Traits>::note(w, event_kind::look);
        unsigned const most_looks = s.opts.spin_rounds == 0 ? 1 : w.polls.most_looks;
        auto now = since;
        found result = look(s, w, now);
        for (unsigned looks = 1; result == found::nothing && looks != most_looks; ++looks)
        {
            cpu_relax(pauses);
            now = w.clock.now();
            if (now - since >= w.polls.longest)
                break;
            result = look(s, w, now);
        }
        noting<Traits>::note(w, event_kind::looked, result == found::nothing ? 0 : 1);
        ready_clock<Traits>::advance_to(s, w.ready_now());
        s.polled.store(w.ready_now(), memory_order_relaxed);
        if (result == found::news)
            w.polls.found(now - since);
        else
            w.polls.missed(now - since);
        if (result == found::nothing)
        {
            measuring<Traits>::note_clock(w, now);
            return false;
        }
        // It has slept no more than between two turns.
        w.begins_at(now);
        w.tick_left = s.opts.tick_budget;
        w.begin_turn(sampling<Traits>::length_of_turn(w));
        return true;
    }

    static found look(shared& s, worker& w, time_point now)
    {
        w.now.store(ready_time_at(now), memory_order_relaxed);
        std::size_t all = 0;
        std::size_t events = 0;
        if (s.driver->may_have_events())
            all = driver_access<Traits>::take_events(s, w, 0, &events);
        all += timer_access<Traits>::take_expired(s, w);
        if (events != 0 || !s.injected.empty() || s.stopped.load(memory_order_relaxed))
            return found::news;
        return all != 0 ? found::timers : found::nothing;
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_BUSY_POLLING_HPP
