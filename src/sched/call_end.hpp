// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_CALL_END_HPP
#define WEFT_SRC_SCHED_CALL_END_HPP

// How a call of run() or poll() ends for a thread that is alone and has nothing left: without a
// look at the clock, and without going to sleep. Either takes as long as all else in a call that
// runs one handler.

#include "basic_run_level.hpp"
#include "ending.hpp"
#include "timer_access.hpp"

#include <utility>

namespace weft
{
namespace detail
{

template <typename Traits>
struct call_end
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using run_level = basic_run_level<Traits>;

    /// For a thread that does not wait, after a turn: true if nothing is left.
    static bool without_clock(shared& s, worker& w) noexcept
    {
        if (w.run_left != 0 || !has_nothing_left(s, w) || timer_access<Traits>::may_have_events(s))
            return false;
        end(s, w);
        return true;
    }

    /// For a thread that waits: true if nothing is left to wait for either. It is counted out then;
    /// if somebody outside has had more for it before, it must come back (run_level::out_of_work).
    [[gnu::noinline]] static bool without_sleep(shared& s, run_level& f, worker& w) noexcept
    {
        if (!has_nothing_left(s, w) || s.spare_owner || w.asio.has_posted() ||
            s.work.value() + w.work_delta != 0)
            return false;
        ending<Traits>::settle_inner_work(s, w);
        if (s.driver->pending() != 0)
            return false;
        w.tick_left += std::exchange(w.run_left, 0);
        end(s, w);
        f.out_of_work = true;
        return true;
    }

    /// A worker has looked everywhere, and is about to sleep or to leave: no queue stands.
    static void has_nothing_to_do(shared& s) noexcept
    {
        if constexpr (Traits::measures::enabled)
            s.measured.standing.clear();
    }

private:
    /// Whether nothing is queued, and there is nobody else from whom something could come: asked
    /// first, for the queue of all is in a line that others write, and last, for who has come
    /// meanwhile may have taken what was there.
    static bool has_nothing_left(shared& s, worker& w) noexcept
    {
        return s.workers.size() == 1 && w.ring.empty() && w.lifo.empty() && s.injected.empty() &&
               s.workers.size() == 1;
    }

    static void end(shared& s, worker& w) noexcept
    {
        has_nothing_to_do(s);
        // Nor need the next call look before its first handler.
        w.begin_turn(1);
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_CALL_END_HPP
