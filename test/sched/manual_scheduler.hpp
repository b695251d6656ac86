// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_SCHED_MANUAL_SCHEDULER_HPP
#define WEFT_TEST_SCHED_MANUAL_SCHEDULER_HPP

// The parts of the scheduler with tasks for handlers, a clock that stands still until it is set,
// and a reactor whose events are given: what a part decides does not depend on time or on other
// threads.

#include <weft/sched/pending_exception.hpp>
#include <weft/sched/single_task_steals.hpp>

#include "sched/basic_scheduler.hpp"
#include "sched/busy_poll.hpp"
#include "sched/measures.hpp"
#include "sched/notifier.hpp"

#include "support/node_link.hpp"
#include "support/second_thread.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace test
{

struct task
{
    std::function<void()> run;
    task* next = nullptr;
    bool destroyed = false;

    // What tells it from others. Asio's have one function for each type of handler.
    std::uint64_t kind = 1;

    void destroy() noexcept
    {
        destroyed = true;
    }
};

using task_link = node_link<task>;

struct task_entry
{
    task* op;
    std::uintptr_t result;

    task_entry() = default;

    explicit task_entry(task* t, std::uintptr_t r = 0) noexcept : op(t), result(r)
    {
    }

    bool linkable() const noexcept
    {
        return result == 0;
    }

    void complete(void*) const
    {
        op->run();
    }

    void destroy() const noexcept
    {
        op->destroy();
    }
};

struct manual_clock
{
    using time_point = std::chrono::steady_clock::time_point;

    static inline time_point time{std::chrono::hours(1)};

    // How often the thread has asked it.
    static inline thread_local std::size_t looks = 0;

    static time_point now() noexcept
    {
        ++looks;
        return time;
    }

    // Of the thread; null: unknown.
    static inline weft::detail::thread_usage const* usage = nullptr;

    static bool read_usage(weft::detail::thread_usage& result) noexcept
    {
        if (usage)
            result = *usage;
        return usage;
    }

    // Not counted.
    static std::int64_t of_handlers(manual_clock const&) noexcept
    {
        return time.time_since_epoch().count();
    }

    static std::uint64_t cheap() noexcept
    {
        return static_cast<std::uint64_t>(time.time_since_epoch().count());
    }

    static bool passed(weft::detail::deadline until) noexcept
    {
        return time >= until;
    }

    static weft::detail::deadline limit(
        std::chrono::microseconds at_most, weft::detail::deadline const* until) noexcept
    {
        auto const end = time + at_most;
        return until ? (std::min)(end, *until) : end;
    }

    // What others do while a thread sleeps beside the reactor.
    static inline std::function<void()> meanwhile;

    static void park_until(weft::detail::parker&, weft::detail::deadline until) noexcept
    {
        time = (std::max)(time, until);
        if (meanwhile)
            meanwhile();
    }

    static long microseconds_left(weft::detail::deadline until) noexcept
    {
        using std::chrono::microseconds;
        return static_cast<long>(std::chrono::duration_cast<microseconds>(until - time).count());
    }
};

/// Where the standby sleeps, if there is a reactor.
struct task_watch
{
    static constexpr bool is_available = true;
    static constexpr std::chrono::microseconds least_sleep{128};

    bool has_reactor() const noexcept
    {
        return is_made;
    }

    bool open() noexcept
    {
        return !fails;
    }

    void wait()
    {
        ++waits;
        if (on_wait)
            on_wait();
    }

    void wake() noexcept
    {
        ++wakes;
    }

    void disarm() noexcept
    {
        armed = false;
    }

    bool is_made = false;
    bool fails = false;
    bool armed = false;
    unsigned waits = 0;
    unsigned wakes = 0;
    std::function<void()> on_wait;
};

class task_driver
{
public:
    class sink
    {
    public:
        virtual bool has_room() noexcept = 0;
        virtual void ready(task_entry t) noexcept = 0;
        virtual void end() noexcept = 0;

    protected:
        ~sink() = default;
    };

    static constexpr unsigned max_unlinkable = 2;
    static constexpr unsigned least_if_more = 2;
    static constexpr bool tells_descriptors = true;

    // Whether there is a reactor.
    bool has_events = true;

    bool may_have_events() const noexcept
    {
        return has_events;
    }

    task_watch beside;

    task_watch& watch() noexcept
    {
        return beside;
    }

    // Whether there is something already that nobody else would look for.
    bool has_mail = false;

    bool begin_watch() noexcept
    {
        beside.armed = !has_mail;
        return beside.armed;
    }

    // What Asio counts as work.
    long outstanding = 0;

    long pending() const noexcept
    {
        return outstanding;
    }

    task_driver& inner() noexcept
    {
        return *this;
    }

    /// Time passes while a thread waits here, unless something has happened.
    std::size_t wait(long usec, sink& out)
    {
        waits.push_back(usec);
        if (on_wait)
            on_wait();
        if (events.empty() && usec > 0)
            manual_clock::time += std::chrono::microseconds(usec);
        std::size_t count = 0;
        for (; !events.empty() && count != max_unlinkable && out.has_room(); ++count)
        {
            task_entry const first = events.front();
            events.pop_front();
            out.ready(first);
        }
        out.end();
        return count;
    }

    void work_finished(long) noexcept
    {
        if (on_work_finished)
            on_work_finished();
    }

    void interrupt() noexcept
    {
        ++interrupts;
        if (on_interrupt)
            on_interrupt();
    }

    std::deque<task_entry> events;

    std::size_t interrupts = 0;

    // What happens while somebody wakes the one that waits here.
    std::function<void()> on_interrupt;

    // What happens while a thread that leaves, or is about to sleep, tells what it has done.
    std::function<void()> on_work_finished;

    // What happens while a thread looks or waits here.
    std::function<void()> on_wait;

    // Microseconds of each wait.
    std::vector<long> waits;
};

/// What tasks post to the thread itself, as Asio does.
class task_slot
{
public:
    bool has_posted() const noexcept
    {
        return !posted.empty();
    }

    task* completed_one() const noexcept
    {
        return posted.size() == 1 && !cancelled ? posted.front() : nullptr;
    }

    task* take_completed_one()
    {
        task* const one = completed_one();
        if (one)
            posted.pop_front();
        return one;
    }

    template <typename Out>
    void drain(Out out)
    {
        for (; !posted.empty(); posted.pop_front())
            out(posted.front());
    }

    void settle_work() noexcept
    {
    }

    long take_finished_work() noexcept
    {
        return 0;
    }

    bool ran_nothing() const noexcept
    {
        return false;
    }

    std::deque<task*> posted;

    // Whether what has been posted was started long ago.
    bool cancelled = false;
};

struct task_thread_entry
{
    task_thread_entry(task_driver&, task_slot&) noexcept
    {
    }

    void hide() noexcept
    {
        hidden = true;
    }

    void show(task_driver&, task_slot&) noexcept
    {
        hidden = false;
    }

    bool hidden = false;
};

struct manual_traits
{
    struct facade : weft::detail::scheduler_identity
    {
    };

    using node = task;
    using link = task_link;
    using entry = task_entry;
    using driver = task_driver;
    using thread_slot = task_slot;
    using thread_entry = task_thread_entry;
    using pending = weft::detail::pending_exception;
    using clock = manual_clock;
    using worker_clock = manual_clock;
    using single_task_steals = weft::detail::single_task_steals;
    using trial = weft::detail::trial;
    using busy_poll = weft::detail::busy_poll;
    using timers = weft::detail::no_timers;
    using measures = weft::detail::worker_measures;

    static constexpr std::uint32_t ring_capacity = 8;

    template <typename Ring>
    static void prefetch(Ring) noexcept
    {
    }

    static std::uint64_t function_of(task_entry const& t) noexcept
    {
        return t.op->kind;
    }

    // At which descriptors another thread is.
    static inline std::function<bool(task const&)> busy;

    static bool is_busy(task_entry const& event)
    {
        return busy && busy(*event.op);
    }

    static std::uint64_t thread_number() noexcept
    {
        return 1;
    }

    static weft::detail::run_level*& current() noexcept
    {
        return innermost;
    }

    static bool has_process_fence() noexcept
    {
        return false;
    }

    // Of contexts that are made from now on.
    static constexpr unsigned unknown = ~0u;
    static inline unsigned cores = unknown;

    static unsigned processors() noexcept
    {
        return cores;
    }

    static inline std::uint32_t cpu = weft::detail::sleeper_set::any_cpu;

    static std::uint32_t this_cpu() noexcept
    {
        return cpu;
    }

    /// There are so many, and all threads are on the first one, until the end of the scope.
    struct on_cores
    {
        explicit on_cores(unsigned count)
        {
            cores = count;
            cpu = 0;
        }

        on_cores(on_cores const&) = delete;
        on_cores& operator=(on_cores const&) = delete;

        ~on_cores()
        {
            cores = unknown;
            cpu = weft::detail::sleeper_set::any_cpu;
        }
    };

    static inline thread_local weft::detail::run_level* innermost = nullptr;
};

/// A scheduler with its driver, and tasks that note that they have run.
struct manual_scheduler
{
    using scheduler = weft::detail::basic_scheduler<manual_traits>;
    using worker = weft::detail::basic_worker<manual_traits>;
    using wait_mode = weft::detail::wait_mode;

    explicit manual_scheduler(weft::options const& how = {}) : s(how)
    {
        s.driver = &driver;
    }

    explicit manual_scheduler(weft::timing how) : manual_scheduler(with(how))
    {
    }

    static weft::options with(weft::timing how)
    {
        weft::options o;
        o.timing = how;
        return o;
    }

    /// A task that notes `number`, and then does more.
    task* make(
        int number, std::function<void()> more = [] {})
    {
        tasks.push_back({[this, number, more = std::move(more)]
            {
                ran.push_back(number);
                if (manual_traits::innermost && here().has(worker::timed))
                    ++were_timed;
                more();
            }});
        return &tasks.back();
    }

    std::size_t run(std::size_t handlers = weft::detail::run_limits::unlimited,
        wait_mode mode = wait_mode::forever)
    {
        return s.run({mode, {}, handlers}, weft::detail::joins_as::passing);
    }

    worker& acquire()
    {
        return s.workers.acquire(s.sleepers);
    }

    /// The worker of the task that is running.
    worker& here() noexcept
    {
        return *static_cast<worker*>(manual_traits::innermost->w);
    }

    scheduler::run_level& level() noexcept
    {
        return static_cast<scheduler::run_level&>(*manual_traits::innermost);
    }

    /// Counts a thread in, as one that sleeps on its futex.
    void join_and_sleep(worker& w)
    {
        (void)s.sleepers.join([](std::uint32_t) {});
        put_to_sleep(w);
    }

    /// The same for a thread that is counted in.
    void put_to_sleep(worker& w)
    {
        auto const prepared = s.sleepers.prepare_wait();
        (void)s.sleepers.commit_wait(
            w.index, prepared, false, false, [] { return false; },
            weft::detail::notifier<manual_traits>::sleeps_on(s, w));
    }

    void pass(std::chrono::nanoseconds time) noexcept
    {
        manual_clock::time += time;
    }

    /// Puts a task into a ring, as of now.
    void put(worker& w, task* t)
    {
        w.now.store(weft::detail::ready_time_at(manual_clock::time), std::memory_order_relaxed);
        weft::detail::run_queue<manual_traits>::place(s, w, task_entry(t), w.ready_now());
    }

    task_driver driver;
    std::deque<task> tasks;
    std::vector<int> ran;

    // How many of them have been timed.
    unsigned were_timed = 0;
    scheduler s;
};

/// One worker sleeps, another is awake.
struct one_sleeps : manual_scheduler
{
    worker& awake = acquire();
    worker& asleep = acquire();

    one_sleeps()
    {
        (void)s.sleepers.join([](std::uint32_t) {});
        join_and_sleep(asleep);
    }

    /// Whether it has been unparked: then it does not sleep.
    bool is_woken()
    {
        return s.sleepers.parked() == 0;
    }
};

/// Some threads inside a context, all of which the calling one is in turn.
template <typename Traits>
class threads_inside
{
    using shared = weft::detail::shared_state<Traits>;
    using membership = weft::detail::membership<Traits>;

public:
    using run_level = weft::detail::basic_run_level<Traits>;

    threads_inside(shared& s, std::size_t count) : shared_(s)
    {
        for (std::size_t i = 0; i != count; ++i)
        {
            Traits::current() = nullptr;
            levels_.push_back(std::make_unique<run_level>(s));
            membership::join(s, *levels_.back(), weft::detail::joins_as::passing);
        }
    }

    threads_inside(threads_inside const&) = delete;
    threads_inside& operator=(threads_inside const&) = delete;

    ~threads_inside()
    {
        for (std::size_t i = 0; i != size(); ++i)
        {
            membership::leave(shared_, become(i), weft::detail::joins_as::passing);
            levels_[i].reset();
        }
    }

    std::size_t size() const noexcept
    {
        return levels_.size();
    }

    /// The calling thread is that one from now on.
    run_level& become(std::size_t i) noexcept
    {
        Traits::current() = levels_[i].get();
        return *levels_[i];
    }

private:
    second_thread const other_;
    shared& shared_;
    std::vector<std::unique_ptr<run_level>> levels_;
};

} // namespace test

#endif // WEFT_TEST_SCHED_MANUAL_SCHEDULER_HPP
