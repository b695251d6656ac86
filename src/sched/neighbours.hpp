// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_NEIGHBOURS_HPP
#define WEFT_SRC_SCHED_NEIGHBOURS_HPP

// What a busy worker takes from others: what has waited there for much longer than its own work, in
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

    // Time between two looks of a busy worker at others; and at how many, for a look costs both
    // sides up to some hundred nanoseconds: one for each of these intervals, at least one. Who
    // shares has less to find there: what the others have queued is in the queue of all.
    static constexpr std::chrono::nanoseconds neighbour_period = std::chrono::microseconds(20);
    static constexpr std::chrono::nanoseconds sharers_period = std::chrono::microseconds(50);
    static constexpr std::chrono::nanoseconds period_of_each = std::chrono::microseconds(8);

    // What is that much older than one's own is taken from others, unless handlers are so long that
    // it makes no difference.
    static constexpr std::chrono::microseconds least_slack{50};

    // What is queued behind a handler that takes so long does not wait for it, be it as short as it
    // may.
    static constexpr std::chrono::nanoseconds stuck = std::chrono::microseconds(200);

    /// For a busy worker: takes what has waited longer than what it would run next, which has
    /// waited for `than`, from another worker. Nobody idle comes for that as long as everybody has
    /// work of their own, and it may wait for long: there is more of it there, or the handler that
    /// runs there is long, or blocks, or its thread has lost its core to another.
    static bool take_older(shared& s, worker& w, std::chrono::nanoseconds than, entry& op) noexcept
    {
        auto const period = w.shares                ? sharers_period
                            : w.handlers_are_long() ? neighbour_period
                                                    : stuck;
        auto const elapsed = w.looked - w.looked_at_neighbour;
        if ((w.shares || w.turn.handlers() != 1) && elapsed < period)
            return false;
        w.looked_at_neighbour = w.looked;
        // All in turn, beginning with whoever had something the last time: there may be more of it.
        std::size_t const last = s.workers.size() - 1;
        auto const affordable = 1 + narrow<std::uint64_t>(elapsed / period_of_each);
        for (auto looks = (std::min)(std::uint64_t{last}, affordable); looks != 0; --looks)
        {
            if (w.neighbour > last)
                w.neighbour = 0;
            if (w.neighbour == w.index)
                w.neighbour = w.index == last ? 0 : w.index + 1;
            if (take_from_neighbour(s, s.workers[w.neighbour], w, than, op))
                return true;
            ++w.neighbour;
        }
        return false;
    }

    static bool take_from_neighbour(
        shared& s, worker& other, worker& w, std::chrono::nanoseconds than, entry& op) noexcept
    {
        // Nothing is there, in most cases. All else that is asked of another worker here is in a
        // line that it has just written.
        ready_time since;
        bool const has_any = other.ring.oldest(since);
        bool const has_next = s.opts.lifo_stealing != lifo_stealing::off && !other.lifo.empty();
        if (!has_any && !has_next)
            return false;
        // Moving an entry costs both sides some hundred nanoseconds, and is worth that only if it
        // saves a wait.
        auto const enough =
            than + (std::max)(std::chrono::nanoseconds(least_slack), 2 * w.turn.mean());
        ready_time const now = w.ready_now();
        auto const wanted = [&](ready_time ready_since)
        {
            return age(ready_since, now) > enough;
        };
        // Where handlers are short it is run there in a moment, unless that worker is in a long
        // one.
        bool const in_a_handler = age(other.ready_now(), now) > stuck;
        if (has_any && (in_a_handler || w.handlers_are_long()) && wanted(since))
        {
            // As many as last until the next look.
            std::uint32_t const taken =
                other.stealable_ring().steal_if(w.owned_ring(), op, w.turn.handlers(), wanted);
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
        return has_next && in_a_handler && work_search<Traits>::take_slot_of(other, w, op);
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_NEIGHBOURS_HPP
