// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "watched_context.hpp"

#include <weft/platform/visibility.hpp>
#include <weft/wait/primitive.hpp>

#include "../platform/probe.hpp"
#include "../sched/context_view.hpp"
#include "../wait/handler_names.hpp"

#include <algorithm>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

// Asio's co_spawn holds one for the coroutine, and one for who hears of its end.
inline constexpr std::size_t guards_of_coroutine = 2;

/// How many of those that wait in a context are coroutines that it runs: the guards of others are
/// elsewhere. Slow.
WEFT_INLINE std::size_t waiting_coroutines(context_reference const& context)
{
    std::size_t count = 0;
    symbols const names(symbols::maps_of_this_process());
    for (primitive_view const& p : primitive_service::look_at_waiters(*context.context))
        for (waiter_view const& w : p.waiters)
            if (w.handler_scheduler == context.sched &&
                is_coroutine(handler_of_waiter(names, w.code)))
                ++count;
    return count;
}

/// Whether nothing that the scheduler knows of can wake a thread; what waits at primitives is not
/// its business.
WEFT_INLINE bool only_waits(context_view const& v) noexcept
{
    bool const queued =
        v.injected != 0 || std::any_of(v.workers.begin(), v.workers.end(),
                               [](worker_view const& w) { return w.ring != 0 || w.slot; });
    return !v.stopped && v.inside != 0 && v.asleep == v.inside && !queued && v.left.timers == 0 &&
           v.left.reactor_operations == 0 && v.left.blocked_threads == 0;
}

} // namespace WEFT_LOCAL

WEFT_INLINE void watched_context::look(time_point now, std::chrono::nanoseconds stall)
{
    look_at_threads(*context_.sched, now_);
    threads_.resize(now_.size());
    for (std::size_t i = 0; i != now_.size(); ++i)
    {
        thread_history& t = threads_[i];
        if (!now_[i].same_handler_as(t.seen))
        {
            t.seen = now_[i];
            t.since = now;
            t.told_after = stall;
        }
        t.lasts = t.seen.awake ? now - t.since : std::chrono::nanoseconds(0);
    }
}

WEFT_INLINE std::vector<thread_history> watched_context::due() const
{
    std::vector<thread_history> found;
    for (thread_history const& t : threads_)
        if (t.seen.awake && t.lasts >= t.told_after)
            found.push_back(t);
    return found;
}

WEFT_INLINE watched_context::time_point watched_context::next_due() const noexcept
{
    auto first = time_point::max();
    for (thread_history const& t : threads_)
        if (t.lasts.count() > 0)
            first = (std::min)(first, t.since + t.told_after);
    return first;
}

WEFT_INLINE bool watched_context::all_blocked(std::chrono::nanoseconds stall) const noexcept
{
    std::size_t count = 0;
    for (thread_history const& t : threads_)
    {
        if (!t.seen.present)
            continue;
        if (!t.seen.awake || t.lasts < stall)
            return false;
        ++count;
    }
    return count >= 2;
}

WEFT_INLINE std::vector<thread_history> watched_context::stuck() const
{
    std::vector<thread_history> found;
    for (thread_history const& t : threads_)
        if (t.seen.awake)
            found.push_back(t);
    return found;
}

WEFT_INLINE void watched_context::told(std::vector<thread_history> const& about) noexcept
{
    for (thread_history const& t : about)
    {
        WEFT_PROBE3(stall, context_.sched, t.seen.worker, t.lasts.count());
        threads_[t.seen.worker].told_after = 2 * t.lasts;
    }
}

WEFT_INLINE bool watched_context::still_in(thread_view const& seen, thread_view& now) const
{
    std::vector<thread_view> all;
    look_at_threads(*context_.sched, all);
    now = all[seen.worker];
    return now.same_handler_as(seen);
}

WEFT_INLINE bool watched_context::all_sleep() const noexcept
{
    bool present = false;
    for (thread_view const& t : now_)
    {
        if (t.awake)
            return false;
        present = present || t.present;
    }
    return present;
}

/// Whether only another thread can wake one of the context's.
WEFT_INLINE bool watched_context::stands_still(standstill& how) const
{
    context_view const before = context_.sched->view();
    if (!only_waits(before))
        return false;
    for (primitive_stats const& p : primitive_service::look_at_all(*context_.context))
    {
        how.waiting += p.waiting;
        how.contended += p.contended;
    }
    // As many as there can be, if all are coroutines.
    if (how.waiting == 0 || before.left.outstanding > how.waiting * (1 + guards_of_coroutine))
        return false;
    // Nobody has been awake meanwhile who could have changed what was seen before.
    context_view const after = context_.sched->view();
    how.handlers = after.left.handlers;
    how.outstanding = after.left.outstanding;
    return only_waits(after) && after.left.handlers == before.left.handlers &&
           after.left.outstanding == before.left.outstanding;
}

/// Whether coroutines that wait have all the work that does not wait itself.
WEFT_INLINE bool watched_context::accounted_for(standstill const& how) const
{
    return how.outstanding - how.waiting <= guards_of_coroutine * waiting_coroutines(context_);
}

WEFT_INLINE bool watched_context::found_deadlock(time_point now, std::chrono::nanoseconds limit)
{
    standstill how;
    if (!all_sleep() || !stands_still(how))
    {
        still_ = false;
        return false;
    }
    if (!still_ || !(how == how_))
    {
        still_ = true;
        told_ = false;
        how_ = how;
        since_ = now;
    }
    if (told_ || now - since_ < limit)
        return false;
    // Whether it is one or not, that does not change.
    told_ = true;
    return how.outstanding <= how.waiting || accounted_for(how);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
