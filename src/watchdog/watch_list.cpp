// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "watch_list.hpp"

#include <weft/dump.hpp>
#include <weft/io_context.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/thread_pool.hpp>
#include <weft/wait/scheduler_of.hpp>

#include "../platform/stack_of_thread.hpp"
#include "../wait/handler_names.hpp"
#include "watch_service.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

// A thread that sleeps wakes up for the signal, and on a busy machine waits for a core first.
inline constexpr std::chrono::milliseconds stack_patience{100};

inline constexpr std::chrono::minutes report_window{1};

// A century: more, which is as good as never, does not fit into nanoseconds.
inline constexpr std::chrono::hours longest_time{24 * 36525};

WEFT_INLINE watchdog_options validated(watchdog_options opts)
{
    if (opts.stall < std::chrono::milliseconds(1))
        throw std::invalid_argument("weft::watchdog_options::stall must be 1 ms or more");
    if (opts.reports_per_minute == 0)
        throw std::invalid_argument("weft::watchdog_options::reports_per_minute is 0");
    if (opts.deadlock_after < std::chrono::seconds(0))
        throw std::invalid_argument("weft::watchdog_options::deadlock_after is negative");
    opts.stall = (std::min)(opts.stall, std::chrono::milliseconds(longest_time));
    opts.deadlock_after = (std::min)(opts.deadlock_after, std::chrono::seconds(longest_time));
    if (opts.signal == 0)
        opts.signal = default_stack_signal();
    if (!opts.on_report)
        opts.on_report = [](watchdog_report const& r)
        {
            std::cerr << r.text() << std::flush;
        };
    if (opts.stacks)
        answer_stack_requests(opts.signal);
    return opts;
}

template <typename Context>
std::string dump_of(boost::asio::execution_context const& context)
{
    std::ostringstream text;
    dump(static_cast<Context const&>(context), text);
    return text.str();
}

template <typename Context>
context_reference reference_to(char const* name, Context& context)
{
    return {name, &context, static_cast<context_scheduler*>(scheduler_of_context(context)),
        &dump_of<Context>};
}

/// What the innermost loop of a worker runs: the type of the operation, or, where that has left
/// the stack to its handler, the function that is there.
WEFT_INLINE std::string operation_in(std::vector<stack_frame> const& stack)
{
    for (std::size_t i = 0; i != stack.size(); ++i)
    {
        auto const end = stack[i].name.find("::do_complete(");
        if (end != std::string::npos)
            return stack[i].name.substr(0, end);
        if (i != 0 && stack[i].name.find("weft::detail::run_call<") == 0)
            return stack[i - 1].name.substr(0, stack[i - 1].name.rfind(" + 0x"));
    }
    return {};
}

} // namespace WEFT_LOCAL

WEFT_INLINE watch_list::watch_list(watchdog_options opts) : options_(validated(std::move(opts)))
{
}

WEFT_INLINE void watch_list::add(io_context& context)
{
    add(reference_to("weft::io_context", context));
}

WEFT_INLINE void watch_list::add(thread_pool& context)
{
    add(reference_to("weft::thread_pool", context));
}

WEFT_INLINE void watch_list::add(context_reference c)
{
    // First, for the context may not be forgotten.
    boost::asio::use_service<watch_service>(*c.context).add(weak_from_this());
    std::lock_guard<std::mutex> const lock(mutex_);
    for (watched_context const& known : contexts_)
        if (known.context().context == c.context)
            return;
    contexts_.emplace_back(c);
}

WEFT_INLINE void watch_list::get_ready() const noexcept
{
    if (!options_.stacks)
        return;
    try
    {
        symbols const names(symbols::maps_of_this_process());
        names.read_files();
    }
    catch (std::bad_alloc const&)
    {
        // There may be memory when there is something to report.
        return;
    }
}

WEFT_INLINE std::chrono::nanoseconds watch_list::period() const noexcept
{
    return std::chrono::nanoseconds(options_.stall) / 5;
}

WEFT_INLINE void watch_list::look(time_point now)
{
    std::lock_guard<std::mutex> const lock(mutex_);
    for (watched_context& c : contexts_)
        look_at(c, now);
}

WEFT_INLINE watch_list::time_point watch_list::next_due() const
{
    std::lock_guard<std::mutex> const lock(mutex_);
    auto first = time_point::max();
    for (watched_context const& c : contexts_)
        first = (std::min)(first, c.next_due());
    return first;
}

WEFT_INLINE void watch_list::forget(boost::asio::execution_context const& context) noexcept
{
    std::lock_guard<std::mutex> const lock(mutex_);
    contexts_.erase(std::remove_if(contexts_.begin(), contexts_.end(),
                        [&](watched_context const& c) { return c.context().context == &context; }),
        contexts_.end());
}

WEFT_INLINE void watch_list::forget_all() noexcept
{
    std::lock_guard<std::mutex> const lock(mutex_);
    contexts_.clear();
}

WEFT_INLINE void watch_list::look_at(watched_context& c, time_point now)
{
    using kind = watchdog_report::kind;

    c.look(now, options_.stall);
    std::vector<thread_history> const due = c.due();
    if (!due.empty() && c.all_blocked(options_.stall))
        tell_of_threads(c, kind::all_blocked, c.stuck(), now);
    else
        for (thread_history const& t : due)
            tell_of_threads(c, kind::stall, {t}, now);

    if (options_.deadlock_after.count() != 0 && c.found_deadlock(now, options_.deadlock_after))
        tell_of_deadlock(c);
}

WEFT_INLINE void watch_list::tell_of_threads(watched_context& c, watchdog_report::kind what,
    std::vector<thread_history> const& about, time_point now)
{
    c.told(about);
    if (!may_report(now))
    {
        ++left_out_;
        return;
    }
    watchdog_report r;
    r.what = what;
    r.context = c.context().context;
    r.context_class = c.context().name;
    r.left_out = std::exchange(left_out_, 0);
    // The files with the names are read once for all threads.
    symbols const names(options_.stacks ? symbols::maps_of_this_process() : std::string());
    for (thread_history const& t : about)
        r.threads.push_back(describe(c, t, names));
    if (what == watchdog_report::kind::all_blocked)
        r.dump = c.context().dump(*c.context().context);
    report(r);
}

WEFT_INLINE void watch_list::tell_of_deadlock(watched_context& c)
{
    watchdog_report r;
    r.what = watchdog_report::kind::deadlock;
    r.context = c.context().context;
    r.context_class = c.context().name;
    r.dump = c.context().dump(*c.context().context);
    report(r);
}

/// Whether there have not been too many reports; if so, this is one.
WEFT_INLINE bool watch_list::may_report(time_point now)
{
    while (!reported_.empty() && now - reported_.front() >= report_window)
        reported_.pop_front();
    if (reported_.size() >= options_.reports_per_minute)
        return false;
    reported_.push_back(now);
    return true;
}

WEFT_INLINE void watch_list::report(watchdog_report const& r) const noexcept
{
    try
    {
        options_.on_report(r);
    }
    catch (...)
    {
        std::fputs("weft: a watchdog has seen something, and on_report threw\n", stderr);
    }
}

/// What is to be told of a thread; its stack, if it is in that handler after it has been asked.
WEFT_INLINE stuck_thread watch_list::describe(
    watched_context const& c, thread_history const& t, symbols const& names) const
{
    stuck_thread result;
    result.worker = t.seen.worker;
    result.wall = t.lasts;
    std::vector<void*> addresses;
    stack_request request;
    bool const there = reach_thread(*c.context().sched, t.seen,
        [&](pthread_t thread)
        {
            char name[16] = {};
            if (::pthread_getname_np(thread, name, sizeof(name)) == 0)
                result.thread_name = name;
            if (options_.stacks)
                request.ask(thread, options_.signal);
        });
    if (there)
        addresses = request.answer(stack_patience);
    thread_view now;
    if (c.still_in(t.seen, now))
        result.cpu = now.cpu - t.seen.cpu;
    else
        addresses.clear();
    for (void* const address : addresses)
    {
        auto const at = reinterpret_cast<std::uintptr_t>(address);
        std::string const place = names.place(at, !result.stack.empty());
        result.stack.push_back({address, without_configuration(place)});
    }
    result.handler = operation_in(result.stack);
    return result;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
