// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_MODEL_SCHEDULED_JOBS_HPP
#define WEFT_TEST_MODEL_SCHEDULED_JOBS_HPP

// The scheduler of src/sched, with jobs for handlers and a reactor of the model's own: what the
// traits of src/sched/asio_traits.hpp are for the library.

#include <weft/sched/run_level.hpp>

#include "sched/basic_scheduler.hpp"
#include "sched/measures.hpp"
#include "sched/trial.hpp"

#include "model/check.hpp"
#include "model/job_entry.hpp"
#include "model/reactor.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace model
{

/// What Asio keeps for a worker: here the jobs that its thread has posted to itself.
class job_slot
{
public:
    void post(job* j) noexcept
    {
        posted_.push(j);
        last_ = j;
    }

    bool has_posted() const noexcept
    {
        return !posted_.empty();
    }

    // Whether what a job posts as Asio's objects do is the end of something that the job has begun.
    static inline bool completes = false;

    job* completed_one() const noexcept
    {
        return completes && posted_.size() == 1 ? last_ : nullptr;
    }

    job* take_completed_one() noexcept
    {
        return completed_one() ? posted_.pop() : nullptr;
    }

    template <typename Out>
    void drain(Out out)
    {
        while (job* const j = posted_.pop())
            out(j);
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

private:
    op_list<job, job_link> posted_;
    job* last_ = nullptr;
};

inline unsigned this_thread() noexcept
{
    return static_cast<unsigned>(rl::ctx().current_thread()) % max_threads;
}

/// For each thread of the model what is thread-local in the library.
struct thread_locals
{
    run_level* innermost = nullptr;
    job_slot* slot = nullptr;
};

inline thread_locals locals[max_threads];

/// Tells what Asio is: whether the thread's posts go to a worker's slot.
class job_thread_entry
{
public:
    job_thread_entry(job_driver&, job_slot& slot) noexcept
        : before_(std::exchange(locals[this_thread()].slot, &slot))
    {
    }

    job_thread_entry(job_thread_entry const&) = delete;
    job_thread_entry& operator=(job_thread_entry const&) = delete;

    ~job_thread_entry()
    {
        locals[this_thread()].slot = before_;
    }

    void hide() noexcept
    {
        locals[this_thread()].slot = nullptr;
    }

    void show(job_driver&, job_slot& slot) noexcept
    {
        locals[this_thread()].slot = &slot;
    }

private:
    job_slot* const before_;
};

/// What a job has captured; nothing does.
struct no_exception
{
    void capture_current() noexcept
    {
    }

    void rethrow() noexcept
    {
    }
};

/// What a thief has learned changes at any time, if the model says so.
class any_lesson
{
public:
    static constexpr std::size_t nobody = static_cast<std::size_t>(-1);
    static inline bool varies = false;

    void took(
        std::uint32_t, std::size_t, std::uint64_t, std::chrono::steady_clock::time_point) noexcept
    {
    }

    std::size_t owner() const noexcept
    {
        return nobody;
    }

    void ran_out(std::uint64_t, std::chrono::steady_clock::time_point) noexcept
    {
    }

    void slept() noexcept
    {
    }

    void forget() noexcept
    {
    }

    bool unprofitable() const noexcept
    {
        return varies && choose(2) == 0;
    }
};

/// A worker stands aside at any time, a few times, and for as long as it likes, if the model says
/// so.
class any_trial
{
public:
    using time_point = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::microseconds period{50};
    static inline bool varies = false;

    bool is_due(time_point, pace const&) const noexcept
    {
        return varies && left_ != 0 && choose(2) == 0;
    }

    bool begun() const noexcept
    {
        return true;
    }

    void begin(time_point, tally) noexcept
    {
    }

    bool together(time_point, tally) noexcept
    {
        return choose(4) != 0;
    }

    bool without(time_point, tally) noexcept
    {
        return choose(2) == 0;
    }

    void end(time_point) noexcept
    {
        --left_;
    }

    void postpone(time_point) noexcept
    {
        --left_;
    }

private:
    unsigned left_ = 2;
};

/// A worker that is alone looks once more before it sleeps, or not, if the model says so.
class any_busy_poll
{
public:
    using time_point = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::nanoseconds longest{10'000};
    static constexpr unsigned most_looks = 1;
    static inline bool varies = false;

    bool pays() const noexcept
    {
        return varies && choose(2) == 0;
    }

    void found(std::chrono::nanoseconds) noexcept
    {
    }

    void missed(std::chrono::nanoseconds) noexcept
    {
    }

    void sleeps(time_point) noexcept
    {
    }

    void wakes(time_point) noexcept
    {
    }
};

/// Time stands still, unless the model says that it jumps: then nobody knows how long anything
/// took.
struct jumping_clock
{
    static inline bool jumps = false;
    static inline bool guard_wakes = false;
    static inline std::int64_t microseconds = 0;

    static std::chrono::steady_clock::time_point now() noexcept
    {
        if (jumps && choose(2) == 0)
            microseconds += 2000;
        return std::chrono::steady_clock::time_point(
            std::chrono::hours(1) + std::chrono::microseconds(microseconds));
    }

    static void park_until(parker& p, deadline until) noexcept
    {
        p.park_until(until);
    }

    static bool read_usage(thread_usage&) noexcept
    {
        return false;
    }

    /// The time of a call is up whenever it looks.
    static bool passed(deadline) noexcept
    {
        return choose(4) == 0;
    }

    static deadline limit(std::chrono::microseconds at_most, deadline const* until) noexcept
    {
        return {(guard_wakes && at_most < std::chrono::seconds(1)) || (until && until->certain)};
    }

    static long microseconds_left(deadline until) noexcept
    {
        return until.certain ? job_driver::certain : job_driver::perhaps;
    }
};

struct model_traits
{
    struct facade : scheduler_identity
    {
    };

    using node = job;
    using link = job_link;
    using entry = job_entry;
    using driver = job_driver;
    using thread_slot = job_slot;
    using thread_entry = job_thread_entry;
    using pending = no_exception;
    using clock = jumping_clock;
    using worker_clock = jumping_clock;
    using single_task_steals = any_lesson;
    using trial = any_trial;
    using busy_poll = any_busy_poll;
    using timers = no_timers;
    using measures = no_measures;

    static constexpr std::uint32_t ring_capacity = 4;

    static inline bool fences = false;

    static bool has_process_fence() noexcept
    {
        return fences;
    }

    static unsigned processors() noexcept
    {
        return ~0u;
    }

    static std::uint32_t this_cpu() noexcept
    {
        return sleeper_set::any_cpu;
    }

    template <typename Ring>
    static void prefetch(Ring) noexcept
    {
    }

    // How often somebody may still be found at the descriptor of an event.
    static inline unsigned busy = 0;

    static bool is_busy(entry const&) noexcept
    {
        if (busy == 0 || choose(2) != 0)
            return false;
        --busy;
        return true;
    }

    static std::uint64_t function_of(entry const&) noexcept
    {
        return 0;
    }

    static run_level*& current() noexcept
    {
        return locals[this_thread()].innermost;
    }
};

using scheduler_under_test = basic_scheduler<model_traits>;
using worker = basic_worker<model_traits>;

} // namespace model

#endif // WEFT_TEST_MODEL_SCHEDULED_JOBS_HPP
