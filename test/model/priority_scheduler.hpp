// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_MODEL_PRIORITY_SCHEDULER_HPP
#define WEFT_TEST_MODEL_PRIORITY_SCHEDULER_HPP

// Schedules at random for threads that take many steps. Where each step is that of any thread, next
// to no schedule leaves a thread in the midst of something while another one takes a hundred steps.
// Here the thread with the highest priority runs until it waits; priorities are given at random,
// and at a few steps, chosen at random as well, the running thread gets the lowest. With n threads
// and k steps a defect that needs d such steps is in one of n * k^(d-1) schedules at least.
//
// Source: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs" (2010). Every other schedule has a random thread at each step, which
// finds sooner what few steps lead to.

#include <relacy/relacy.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace model
{

template <rl::thread_id_t Threads>
class priority_scheduler
    : public rl::scheduler<priority_scheduler<Threads>, rl::scheduler_thread_info, Threads>
{
    using base = rl::scheduler<priority_scheduler<Threads>, rl::scheduler_thread_info, Threads>;

public:
    struct task_t
    {
    };

    priority_scheduler(rl::test_params& params, typename base::shared_context_t& shared,
        rl::thread_id_t dynamic_threads)
        : base(params, shared, dynamic_threads)
    {
    }

    // What rl::scheduler calls.

    rl::thread_id_t iteration_begin_impl()
    {
        random_.seed(this->iter_);
        by_priority_ = this->iter_ % 2 == 0;
        steps_before_ = (std::max)(steps_, least_steps);
        steps_ = 0;
        lowest_ = 0;
        for (std::int64_t& p : priorities_)
            p = 1 + random_.rand() % 1000;
        for (unsigned& s : changes_)
            s = random_.rand() % steps_before_;
        rl::unpark_reason reason;
        return schedule_impl(reason, 0);
    }

    bool iteration_end_impl()
    {
        return this->iter_ == this->params_.iteration_count;
    }

    rl::thread_id_t schedule_impl(rl::unpark_reason& reason, unsigned yield)
    {
        ++steps_;
        if (this->thread_ && (yield != 0 || is_change(steps_)))
            priorities_[this->thread_->index_] = --lowest_;

        rl::thread_id_t const ready = this->running_threads_count;
        reason = rl::unpark_reason_timeout;
        if (this->timed_thread_count_ != 0)
        {
            unsigned const which = random_.rand() % (ready ? this->timed_thread_count_ * 4
                                                           : this->timed_thread_count_);
            if (static_cast<rl::thread_id_t>(which) < this->timed_thread_count_)
                return wake(this->timed_threads_[which]->index_);
        }
        reason = rl::unpark_reason_spurious;
        if (this->spurious_thread_count_ != 0 && ready)
        {
            unsigned const which = random_.rand() % (this->spurious_thread_count_ * 8);
            if (static_cast<rl::thread_id_t>(which) < this->spurious_thread_count_)
                return wake(this->spurious_threads_[which]->index_);
        }
        reason = rl::unpark_reason_normal;
        if (!by_priority_)
            return this->running_threads[random_.rand() % ready];
        return *std::max_element(&this->running_threads[0], &this->running_threads[0] + ready,
            [this](rl::thread_id_t a, rl::thread_id_t b)
            { return priorities_[a] < priorities_[b]; });
    }

    unsigned rand_impl(unsigned limit, rl::sched_type)
    {
        return random_.rand() % limit;
    }

    rl::iteration_t iteration_count_impl()
    {
        return this->params_.iteration_count;
    }

    void get_state_impl(std::ostream&)
    {
    }

    void set_state_impl(std::istream&)
    {
    }

    void on_thread_block(rl::thread_id_t, bool)
    {
    }

private:
    static constexpr unsigned least_steps = 100;

    bool is_change(unsigned step) const
    {
        return std::find(std::begin(changes_), std::end(changes_), step) != std::end(changes_);
    }

    /// Nothing has told the thread to go on. It does so at once.
    rl::thread_id_t wake(rl::thread_id_t thread)
    {
        this->unpark_thread(thread);
        priorities_[thread] = 1000;
        return thread;
    }

    rl::random_generator random_;
    bool by_priority_ = false;

    // The larger comes first.
    std::int64_t priorities_[Threads] = {};
    std::int64_t lowest_ = 0;

    // Steps of this schedule and of the one before, and those after which the priorities change.
    unsigned steps_ = 0;
    unsigned steps_before_ = least_steps;
    unsigned changes_[3] = {};
};

} // namespace model

#endif // WEFT_TEST_MODEL_PRIORITY_SCHEDULER_HPP
