// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/dump.hpp>
#include <weft/io_context.hpp>
#include <weft/platform/cheap_clock.hpp>
#include <weft/thread_pool.hpp>
#include <weft/wait/primitive.hpp>
#include <weft/wait/scheduler_of.hpp>

#include "sched/context_view.hpp"
#include "wait/handler_names.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

WEFT_INLINE void write(std::ostream& out, worker_view const& w)
{
    switch (w.activity)
    {
    case worker_activity::none:
        out << "without a thread";
        break;
    case worker_activity::awake:
        out << "awake";
        break;
    case worker_activity::asleep:
        out << "asleep";
        break;
    case worker_activity::in_reactor:
        out << "asleep in the reactor";
        break;
    }
    out << ", " << w.handlers << " run, " << w.ring << " queued"
        << (w.slot ? " and a continuation" : "") << '\n';
}

WEFT_INLINE void write_head(
    std::ostream& out, char const* kind, void const* where, context_view const& v)
{
    out << kind << " at " << where << (v.stopped ? ", stopped" : "") << ": " << v.inside
        << " threads inside, " << v.asleep << " asleep, " << v.searching << " searching, "
        << v.left.blocked_threads << " in run_blocking; the reactor is "
        << (v.reactor_watched ? "watched" : "not watched") << '\n';
}

WEFT_INLINE void write_work(std::ostream& out, context_view const& v, std::size_t waiting)
{
    out << "  injection queue: " << v.injected << " queued\n";
    out << "  outstanding work: " << v.left.outstanding << " (" << v.left.timers << " timer waits, "
        << waiting << " at locks and channels, " << v.left.reactor_operations
        << " operations of the reactor, " << v.left.blocked_threads << " in run_blocking)\n";
    std::size_t const known =
        v.left.timers + waiting + v.left.reactor_operations + v.left.blocked_threads;
    if (v.left.outstanding > known)
        out << "    and " << v.left.outstanding - known
            << " guards of the work, such as a pool has until join(), and each coroutine\n";
    if (v.next_timer)
        out << "  next timer: due in "
            << std::chrono::duration_cast<std::chrono::milliseconds>(*v.next_timer).count()
            << " ms\n";
}

/// What waits: the type of its handler.
WEFT_INLINE void write(
    std::ostream& out, waiter_view const& w, symbols const& names, std::uint64_t now)
{
    std::string const handler = handler_of_waiter(names, w.code);
    out << "    for " << (now > w.since ? now - w.since : 0) / 1000000 << " ms"
        << (handler.empty() ? "" : ": ") << handler << '\n';
}

WEFT_INLINE void write(std::ostream& out, primitive_stats const& p)
{
    out << "  " << p.kind << (p.name.empty() ? "" : " '" + p.name + "'") << " at " << p.where
        << ": " << p.waiting << " wait, one for "
        << std::chrono::duration_cast<std::chrono::milliseconds>(p.longest_wait).count() << " ms";
    if (p.kind == "channel")
        out << " (" << p.senders << " to send, " << p.waiting - p.senders << " to receive), "
            << p.length << " values queued\n";
    else
        out << ", " << p.available << " free\n";
}

template <typename Context>
void dump(char const* kind, Context const& context, std::ostream& out)
{
    // The services of a context are found by way of a reference that could change it.
    auto& c = const_cast<Context&>(context);
    context_view const view =
        static_cast<context_scheduler&>(context_access::get_scheduler(c)).view();
    std::vector<primitive_view> const primitives = primitive_service::look_at_waiters(c);
    std::size_t waiting = 0;
    for (primitive_view const& p : primitives)
        waiting += p.stats.waiting;

    // As one piece, if several threads write.
    std::ostringstream text;
    write_head(text, kind, &context, view);
    for (std::size_t i = 0; i != view.workers.size(); ++i)
    {
        text << "  worker " << i << ": ";
        write(text, view.workers[i]);
    }
    write_work(text, view, waiting);
    symbols const names(waiting == 0 ? std::string() : symbols::maps_of_this_process());
    std::uint64_t const now = cheap_clock::now();
    for (primitive_view const& p : primitives)
    {
        write(text, p.stats);
        for (waiter_view const& w : p.waiters)
            write(text, w, names, now);
        if (p.stats.waiting > p.waiters.size())
            text << "    and " << p.stats.waiting - p.waiters.size() << " more\n";
    }
    out << text.str();
}

} // namespace WEFT_LOCAL
} // namespace WEFT_ABI_NAMESPACE
} // namespace detail

inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE void dump(io_context const& context, std::ostream& out)
{
    detail::dump("weft::io_context", context, out);
}

WEFT_INLINE void dump(thread_pool const& context, std::ostream& out)
{
    detail::dump("weft::thread_pool", context, out);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft
