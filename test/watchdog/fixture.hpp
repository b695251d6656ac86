// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_WATCHDOG_FIXTURE_HPP
#define WEFT_TEST_WATCHDOG_FIXTURE_HPP

// What a watchdog finds, looking when the test says so and at the time that the test says.

#include "watchdog/watch_list.hpp"

#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>
#include <weft/wait/scheduler_of.hpp>
#include <weft/watchdog.hpp>

#include "api/process.hpp"
#include "sched/thread_view.hpp"
#include "support/cases.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace test
{

using namespace std::chrono_literals;
using kind = weft::watchdog_report::kind;

// A signal that interrupts a computation is kept back by ThreadSanitizer until the next call into
// its library.
#if defined(__SANITIZE_THREAD__)
constexpr bool stacks_come_late = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr bool stacks_come_late = true;
#else
constexpr bool stacks_come_late = false;
#endif
#else
constexpr bool stacks_come_late = false;
#endif

inline bool has(std::string const& text, std::string const& part)
{
    return text.find(part) != std::string::npos;
}

/// Whether a function of this name is on the stack.
inline bool has(weft::stuck_thread const& thread, std::string const& function)
{
    for (weft::stack_frame const& f : thread.stack)
        if (has(f.name, function))
            return true;
    return false;
}

class dog
{
public:
    explicit dog(weft::watchdog_options options = {}, unsigned reports_per_minute = 100000)
    {
        options.reports_per_minute = reports_per_minute;
        options.on_report = [this](weft::watchdog_report const& r)
        {
            reports.push_back(r);
        };
        list = std::make_shared<weft::detail::watch_list>(options);
    }

    /// Looks, `later` than the last time; what was reported then.
    std::vector<weft::watchdog_report> look(std::chrono::milliseconds later = 0ms)
    {
        reports.clear();
        now += later;
        list->look(now);
        return reports;
    }

    std::shared_ptr<weft::detail::watch_list> list;
    std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
    std::vector<weft::watchdog_report> reports;
};

struct thread_counts
{
    std::size_t present = 0;
    std::size_t awake = 0;
};

template <class Context>
thread_counts count_threads(Context& context)
{
    auto const& sched = static_cast<weft::detail::context_scheduler const&>(
        *weft::detail::scheduler_of_context(context));
    std::vector<weft::detail::thread_view> threads;
    look_at_threads(sched, threads);
    thread_counts result;
    for (auto const& t : threads)
    {
        result.present += t.present;
        result.awake += t.awake;
    }
    return result;
}

/// Returns when so many threads run the context, and all but `busy` of them sleep.
template <class Context>
void await_sleep(Context& context, std::size_t count = 1, std::size_t busy = 0)
{
    for (thread_counts now = count_threads(context); now.present != count || now.awake != busy;
         now = count_threads(context))
        std::this_thread::yield();
}

/// Returns when no thread that runs the context is awake: who is seen awake before and after that
/// is not seen in the same handler.
template <class Context>
void await_all_asleep(Context& context)
{
    while (count_threads(context).awake != 0)
        std::this_thread::yield();
}

/// A door that is shut at first.
class gate
{
public:
    void open()
    {
        open_ = true;
        promise_.set_value();
        std::lock_guard<std::mutex> const lock(mutex);
        changed.notify_all();
    }

    bool is_open() const
    {
        return open_;
    }

    std::latch entered{1};
    std::mutex mutex;
    std::condition_variable changed;

    std::future<void> opened()
    {
        return promise_.get_future();
    }

private:
    std::atomic<bool> open_ = false;
    std::promise<void> promise_;
};

} // namespace test

#endif
