// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_TIMER_ACCESS_HPP
#define WEFT_SRC_SCHED_TIMER_ACCESS_HPP

// Where the timers (weft/sched/timers.hpp) meet the loop: any worker that looks puts the waits
// whose time has come into its own queues, and whoever sleeps with the driver lock sleeps until the
// earliest time at most.

#include <weft/platform/futex.hpp>
#include <weft/queue/timer_heap.hpp>
#include <weft/sched/ready_time.hpp>

#include "notifier.hpp"
#include "run_queue.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <type_traits>

namespace weft
{
namespace detail
{

template <typename Traits>
struct timer_access
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;

    static constexpr bool has_timers = !std::is_same<typename Traits::timers, no_timers>::value;

    // A limit for one wait, so that a far time does not overflow the reactor's microseconds.
    static constexpr std::chrono::microseconds longest_wait = std::chrono::minutes(10);

    /// Whether a look into the reactor or at the timers may find anything.
    static bool may_have_events(shared const& s) noexcept
    {
        if constexpr (has_timers)
            if (s.timers.earliest() != never)
                return true;
        return s.driver->may_have_events();
    }

    /// Puts the waits whose time has come into the worker's queues, and publishes nothing: as what
    /// comes from the driver. Returns how many.
    static std::size_t take_expired(shared& s, worker& w) noexcept
    {
        if constexpr (has_timers)
        {
            timer_ticks const earliest = s.timers.earliest();
            if (earliest == never)
                return 0;
            timer_ticks const now = ticks_of(Traits::clock::now());
            if (now < earliest)
                return 0;
            return s.timers.take_expired(now, [&](auto* wait) { place(s, w, entry(wait, 0)); });
        }
        else
            return 0;
    }

    /// As take_expired(), but looks at the worker's own heap only, and at one of the others, a
    /// different one each time: for a worker that has just looked at the clock and does not look
    /// into the reactor. Publishes what it finds, but for the earliest: that goes into `first`, if
    /// this is not null and nothing in the worker's ring or in the injection queue has waited as
    /// long. True then. With `will_share` it publishes nothing: the caller does so right after.
    static bool take_due(shared& s, worker& w, entry* first, bool will_share = false) noexcept
    {
        if constexpr (has_timers)
        {
            // The worker's clock may be ahead, and no wait ends early.
            if (any_due(s, w, w.looked))
                return take_until(s, w, ticks_of(Traits::clock::now()), first, will_share);
        }
        return false;
    }

    /// Whether take_due() would find something `now`. If not, it asks about another heap the next
    /// time.
    [[gnu::always_inline]] static bool any_due(
        shared& s, worker& w, std::chrono::steady_clock::time_point now) noexcept
    {
        return time_until_due(s, w, now) == std::chrono::nanoseconds(0);
    }

    /// How long it will be, as far as is known `now`, until any_due() says so; 0 if it does.
    [[gnu::always_inline]] static std::chrono::nanoseconds time_until_due(
        shared& s, worker& w, std::chrono::steady_clock::time_point now) noexcept
    {
        if constexpr (has_timers)
        {
            std::size_t const own = decltype(s.timers)::place_of(w.index);
            timer_ticks const next = s.timers.next(own, w.timers_looked_at);
            if (next <= ticks_of(now))
                return std::chrono::nanoseconds(0);
            ++w.timers_looked_at;
            return std::chrono::nanoseconds(next - ticks_of(now));
        }
        else
            return (std::chrono::nanoseconds::max)();
    }

    /// For whoever is about to sleep with the driver lock, if it is `limited` until `limit` at the
    /// latest: shortens the sleep. Who starts a wait for an earlier time from now on interrupts it,
    /// until end_sleep(). Returns whether the driver is to be told a limit now: it keeps the
    /// earliest time by itself if it can, and two clocks in the kernel would cost twice as much.
    static bool begin_sleep(shared& s, deadline& limit, bool limited)
    {
        if constexpr (has_timers)
        {
            timer_ticks const latest = limited ? ticks_of(limit) : never;
            timer_ticks const until = s.timers.begin_sleep(latest);
            if (until != latest)
            {
                if (s.driver->wake_at(until))
                    return limited;
                deadline const at = Traits::clock::at(until);
                limit = Traits::clock::limit(longest_wait, &at);
                return true;
            }
        }
        return limited;
    }

    static void end_sleep(shared& s) noexcept
    {
        if constexpr (has_timers)
            s.timers.end_sleep();
    }

    /// Ends all waits, for the end of the context. Returns how many.
    template <typename Out>
    static std::size_t take_all(shared& s, Out out) noexcept
    {
        if constexpr (has_timers)
            return s.timers.take_all(out);
        else
            return 0;
    }

private:
    static void place(shared& s, worker& w, entry op) noexcept
    {
        // The ring keeps room for what cannot be linked.
        run_queue<Traits>::place(s, w, op, w.ready_now(), Traits::driver::max_unlinkable);
    }

    static bool take_until(
        shared& s, worker& w, timer_ticks now, entry* first, bool will_share) noexcept
    {
        // Another worker may just have taken what is earlier.
        ready_time const since =
            ready_time_at(Traits::clock::at((std::min)(s.timers.earliest(), now)));
        if (first && !goes_first(s, w, since))
            first = nullptr;
        bool took_first = false;
        std::size_t const count = s.timers.take_expired(now,
            [&](auto* wait)
            {
                if (!first || took_first)
                    return place(s, w, entry(wait, 0));
                *first = entry(wait, 0);
                took_first = true;
            });
        if (took_first)
            measuring<Traits>::takes(w, since);
        if (!will_share && count > (took_first ? 1u : 0u))
            notifier<Traits>::notify_one_by_worker(s, w);
        return took_first;
    }

    /// Whether what became ready then has waited longer than all that is in the worker's ring and
    /// in the injection queue; of what was queued in the last turn nobody knows when. A single
    /// runner takes it when it sees it, as Asio does: it has one order of all.
    static bool goes_first(shared& s, worker& w, ready_time since) noexcept
    {
        if (s.runner.is_single())
            return false;
        ready_time const now = w.ready_now();
        auto const least = (std::max)(age(since, now), age(w.turn_began, now));
        ready_time own;
        return !(w.ring.oldest(own) && age(own, now) > least) &&
               (s.injected.empty() || age(s.injected.oldest(), now) <= least);
    }

    template <typename Time>
    static timer_ticks ticks_of(Time at) noexcept
    {
        return at.time_since_epoch().count();
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_TIMER_ACCESS_HPP
