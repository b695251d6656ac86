// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_NEIGHBOURS_HPP
#define WEFT_SRC_SCHED_NEIGHBOURS_HPP

// What a busy worker takes from others: what has waited there for longer than its own work, in
// the ring or the LIFO slot of a worker that is stuck in a handler, or has too much to do.

#include <weft/options.hpp>
#include <weft/platform/narrow.hpp>

#include "search.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

template <typename Traits>
struct neighbours
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;
    using time_point = std::chrono::steady_clock::time_point;

    // Time between two looks of a busy worker at others; and at how many, for a look costs both
    // sides up to some hundred nanoseconds: one for each of these intervals, at least one. Who
    // shares, and whose handlers are short, has less to find there: what the others have queued is
    // in the queue of all, or run soon, unless the thread there has lost its core.
    static constexpr std::chrono::nanoseconds period = std::chrono::microseconds(40);
    static constexpr std::chrono::nanoseconds period_beside_long = std::chrono::microseconds(20);
    static constexpr std::chrono::nanoseconds period_of_each = std::chrono::microseconds(8);

    // What is that much older than one's own is taken from others, unless handlers are so long that
    // it makes no difference.
    static constexpr std::chrono::microseconds least_slack{50};

    // What is queued behind a handler that takes so long does not wait for it, be it as short as it
    // may.
    static constexpr std::chrono::nanoseconds stuck = std::chrono::microseconds(200);

    // Where handlers are short: a worker that has not looked at the clock for so long has lost its
    // core in the middle of a turn, perhaps.
    static constexpr std::chrono::nanoseconds lost_core = std::chrono::microseconds(100);

    /// For a busy worker: takes one that has waited longer than what it would run next, which has
    /// waited for `than`, from another worker. Nobody idle comes for that as long as everybody has
    /// work of their own, and it may wait for long: there is more of it there, or the handler that
    /// runs there is long, or blocks, or its thread has lost its core to another.
    [[gnu::noinline]] static bool take_older(
        shared& s, worker& w, std::chrono::nanoseconds than, entry& op) noexcept
    {
        auto const elapsed = w.looked - w.looked_at_neighbour;
        if ((w.shares || w.turn.handlers() != 1) &&
            elapsed < (!w.shares && w.handlers_are_long() ? period_beside_long : period))
            return false;
        if (!look_at_some(s, w, w.looked,
                [&](worker& other) { return take_from_neighbour(s, other, w, than, op); }))
            return false;
        // There may be more, which goes before its own too: in its ring it would be behind that.
        w.end_turn_after(1);
        return true;
    }

    /// For a worker that shares, between two looks at everything: whether a look at others is due
    /// that may find something.
    [[gnu::noinline]] static bool may_have_older(shared& s, worker& w, time_point now) noexcept
    {
        if (s.workers.size() == 1 || now - w.looked_at_neighbour < period)
            return false;
        return look_at_some(
            s, w, now, [&](worker& other) { return !other.ring.empty() || has_next(s, other); });
    }

private:
    /// Shows others to `visit`, until it returns true: whether it did. Then the next look is due
    /// still, and begins there: there may be more of it.
    template <typename Visit>
    static bool look_at_some(shared& s, worker& w, time_point now, Visit visit) noexcept
    {
        auto const elapsed = now - w.looked_at_neighbour;
        // All in turn, beginning with whoever had something the last time.
        std::size_t const last = s.workers.size() - 1;
        auto const affordable = 1 + narrow<std::uint64_t>(elapsed / period_of_each);
        for (auto looks = (std::min)(std::uint64_t{last}, affordable); looks != 0; --looks)
        {
            if (w.neighbour > last)
                w.neighbour = 0;
            if (w.neighbour == w.index)
                w.neighbour = w.index == last ? 0 : w.index + 1;
            if (visit(s.workers[w.neighbour]))
                return true;
            ++w.neighbour;
        }
        w.looked_at_neighbour = now;
        return false;
    }

    /// By how much it must have waited longer than one's own, at a worker that has been in its
    /// handler for so long. Moving an entry costs both sides some hundred nanoseconds, and is worth
    /// that only if it saves a wait: as it does where handlers are long, and that one is so long
    /// already that nobody knows when it ends.
    static std::chrono::nanoseconds slack(worker& w, std::chrono::nanoseconds in_one_for) noexcept
    {
        std::chrono::nanoseconds const least = least_slack;
        auto const mean = w.turn.mean();
        if (w.handlers_are_long() && in_one_for > (std::min)(stuck, (std::max)(least, 4 * mean)))
            return std::chrono::nanoseconds(0);
        return (std::max)(least, 2 * mean);
    }

    static bool has_next(shared& s, worker& other) noexcept
    {
        return s.opts.lifo_stealing != lifo_stealing::off && !other.lifo.empty();
    }

    static bool take_from_neighbour(
        shared& s, worker& other, worker& w, std::chrono::nanoseconds than, entry& op) noexcept
    {
        // Nothing is there, in most cases. All else that is asked of another worker here is in a
        // line that it has just written.
        ready_time since = 0;
        bool const has_any = other.ring.oldest(since);
        bool const next = has_next(s, other);
        if (!has_any && !next)
            return false;
        ready_time const now = w.ready_now();
        auto const in_one_for = age(other.ready_now(), now);
        auto const enough = than + slack(w, in_one_for);
        auto const wanted = [&](ready_time ready_since)
        {
            return age(ready_since, now) > enough;
        };
        // Where handlers are short it is run there in a moment, in most cases.
        bool const may_wait = w.handlers_are_long() || in_one_for > lost_core;
        if (has_any && may_wait && wanted(since))
        {
            std::uint32_t const taken =
                other.stealable_ring().steal_if(w.owned_ring(), op, 1, wanted);
            if (taken != 0)
            {
                // Of use, whatever comes of it.
                w.single_steals.forget();
                measuring<Traits>::takes(w, since);
                work_search<Traits>::stolen(s, other, w, taken);
                return true;
            }
        }
        // The continuation of a handler that does not end.
        return next && in_one_for > stuck && work_search<Traits>::take_slot_of(other, w, op);
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_NEIGHBOURS_HPP
