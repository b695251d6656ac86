// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_MODEL_JOBS_HPP
#define WEFT_TEST_MODEL_JOBS_HPP

// What the scheduler runs in its models: jobs have numbers, and each must be done exactly once.

#include <weft/platform/atomic.hpp>
#include <weft/queue/op_list.hpp>

#include "model/check.hpp"

#include <cstddef>
#include <cstdint>

namespace model
{

using namespace weft::detail;

struct job;

/// Runs jobs.
class job_runner
{
public:
    virtual ~job_runner() = default;
    virtual void execute(job& j) = 0;
};

struct job
{
    unsigned number = 0;
    job* next_job = nullptr;
    job_runner* runner = nullptr;

    // What a handler has captured: written by who posts it, and his who runs it then.
    cell<unsigned> captured;
};

struct job_link
{
    static job* next(job* j) noexcept
    {
        return j->next_job;
    }

    static void next(job* j, job* to) noexcept
    {
        j->next_job = to;
    }
};

/// Where jobs wait for each other.
template <unsigned Count>
class meeting
{
public:
    void arrive_and_wait() noexcept
    {
        arrived_.fetch_add(1, memory_order_acq_rel);
        futex_wake(arrived_, max_threads);
        for (std::uint32_t n; (n = arrived_.load(memory_order_acquire)) != Count;)
            futex_wait(arrived_, n);
    }

private:
    atomic<std::uint32_t> arrived_{0};
};

/// So many jobs, and how often each was done.
template <unsigned Jobs>
class job_book
{
public:
    explicit job_book(job_runner& runner)
    {
        for (unsigned i = 0; i != Jobs; ++i)
        {
            jobs_[i].number = i;
            jobs_[i].runner = &runner;
            done_[i].store(0, memory_order_relaxed);
        }
    }

    /// For who posts the job.
    job* get(unsigned number) noexcept
    {
        jobs_[number].captured.set(number);
        return &jobs_[number];
    }

    void begin(unsigned number)
    {
        jobs_[number].captured.set(number);
        ++times_done_[number];
        require(times_done_[number] == 1, "a job was done twice");
    }

    void end(unsigned number)
    {
        done_[number].store(1, memory_order_release);
        futex_wake(done_[number], max_threads);
    }

    /// Sleeps until a job is done.
    void wait_for(unsigned number)
    {
        while (done_[number].load(memory_order_acquire) == 0)
            futex_wait(done_[number], 0);
    }

    bool is_done(unsigned number) const
    {
        return done_[number].load(memory_order_acquire) != 0;
    }

    /// For a job that is posted again.
    void begin_again(unsigned number)
    {
        --times_done_[number];
    }

    /// For a job that nobody posts, or that may be left behind.
    void forget(unsigned number)
    {
        times_done_[number] = 1;
    }

    void require_all_done() const
    {
        for (unsigned const times : times_done_)
            require(times == 1, "a job was lost");
    }

private:
    job jobs_[Jobs];
    unsigned times_done_[Jobs] = {};
    atomic<std::uint32_t> done_[Jobs];
};

/// Tells the last of so many jobs.
class countdown
{
public:
    explicit countdown(unsigned count) : left_(count)
    {
    }

    bool is_last() noexcept
    {
        return left_.fetch_sub(1, memory_order_acq_rel) == 1;
    }

private:
    atomic<unsigned> left_;
};

} // namespace model

#endif // WEFT_TEST_MODEL_JOBS_HPP
