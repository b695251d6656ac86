// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_MODEL_SCHEDULER_FIXTURE_HPP
#define WEFT_TEST_MODEL_SCHEDULER_FIXTURE_HPP

// A scheduler, the jobs it runs, and what threads of a model do with it.

#include "model/check.hpp"
#include "model/jobs.hpp"
#include "model/reactor.hpp"
#include "model/scheduled_jobs.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace model
{

/// Runs jobs on workers. `Model` derives from it and says what a job does in `work()`.
template <typename Model, std::size_t Workers, unsigned Jobs>
class workers : private job_runner
{
public:
    // What follows is so unless a model says something else. Its threads are the workers, and one
    // that is outside.
    static constexpr int threads = static_cast<int>(Workers) + 1;

    // Whether somebody is on guard, who looks into the slots of others.
    static constexpr bool has_guard = false;

    // Whether a worker may be alone, and publish nothing.
    static constexpr bool can_be_alone = false;

    // Whether time passes: busy workers then look at others, and share what they have.
    static constexpr bool time_passes = false;

    // Whether thieves may leave the only entry of a ring to its owner.
    static constexpr bool patient = false;

    // Whether workers stand aside. Nothing but others ends that, as if time stood still.
    static constexpr bool stands_aside = false;

    // Whether a worker that is alone may look once more before it sleeps.
    static constexpr bool polls = false;

    // Whether jobs come through Asio's scheduler.
    static constexpr bool has_mail = false;

    // Whether a sleeper may watch the reactor for whoever has left it.
    static constexpr bool has_standby = false;

    // Whether events are of descriptors at which others are.
    static constexpr bool descriptors_are_busy = false;

    // Whether what jobs begin, as Asio's objects do, completes at once.
    static constexpr bool completes_at_once = false;

    // Whether everybody takes from a slot at once. There is no guard then.
    static constexpr bool eager = false;

    // Whether every job is done in the end.
    static constexpr bool all_jobs_are_done = true;

    workers() : jobs(*this)
    {
        for (thread_locals& l : locals)
            l = {};
        jumping_clock::jumps = false;
        jumping_clock::microseconds = 0;
        jumping_clock::guard_wakes = Model::has_guard;
        any_lesson::varies = Model::patient;
        any_trial::varies = Model::stands_aside;
        any_busy_poll::varies = Model::polls;
        job_slot::completes = Model::completes_at_once;
        model_traits::fences = Model::can_be_alone;
        model_traits::busy = Model::descriptors_are_busy ? 2 : 0;
        weft::options how;
        how.lifo_stealing =
            Model::eager ? weft::lifo_stealing::eager : weft::lifo_stealing::guarded;
        how.spin_rounds = 0;
        how.yield_rounds = 0;
        scheduler_ = std::make_unique<scheduler_under_test>(how);
        scheduler_->driver = &driver_;
        scheduler_->workers.reserve(Workers, scheduler_->sleepers);
        jumping_clock::jumps = Model::time_passes;
        driver_.has_mail(Model::has_mail);
        driver_.watch().has_reactor(Model::has_standby);
        driver_.events_of_descriptors(Model::descriptors_are_busy);
        work_started();
    }

    // What threads and jobs do, unless a model says something else.

    void thread(unsigned index)
    {
        if (index < Workers)
            run();
        else
            static_cast<Model&>(*this).outside();
    }

    void outside()
    {
        post_from_outside(0);
    }

    void work(worker&, unsigned)
    {
    }

    /// What must hold at the end of every model.
    void after()
    {
        if (scheduler_)
        {
            require(scheduler_->sleepers.parked() == 0, "somebody is counted as asleep");
            require(scheduler_->sleepers.searching() == 0, "somebody is counted as searching");
            require(scheduler_->sleepers.active() == 0, "somebody is counted as active");
        }
        if (Model::all_jobs_are_done)
            jobs.require_all_done();
    }

protected:
    // For threads that are no workers, and for jobs.

    job_book<Jobs> jobs;

    /// The job that the first event in the reactor makes ready; the next one makes the next ready.
    void first_event(unsigned number)
    {
        driver_.jobs_of_events(jobs.get(number));
    }

    void post_from_outside(unsigned number)
    {
        scheduler_->submit(jobs.get(number));
    }

    void post(worker&, unsigned number)
    {
        scheduler_->submit(jobs.get(number));
    }

    void post_continuation(worker&, unsigned number)
    {
        scheduler_->submit_continuation(jobs.get(number));
    }

    /// As an object of Asio does inside a handler: to the thread itself, or else to the reactor.
    void post_inner(unsigned number)
    {
        if (job_slot* const slot = locals[this_thread()].slot)
            slot->post(jobs.get(number));
        else
            driver_.post(jobs.get(number));
    }

    void stop()
    {
        scheduler_->stop();
    }

    /// For an owner that does not ask run() whether it is over.
    bool stopped() const
    {
        return scheduler_->stopped.load(memory_order_acquire);
    }

    /// The end of the context. What others do with it from now on is an error.
    void destroy()
    {
        scheduler_->await_outsiders();
        scheduler_.reset();
        driver_.end();
    }

    /// There is one piece of outstanding work from the beginning: without it run() may return at
    /// once.
    void work_started()
    {
        scheduler_->work_started();
    }

    void work_finished()
    {
        scheduler_->work_finished();
    }

    /// For whoever waits in the reactor, through Asio's scheduler.
    void post_mail(unsigned number)
    {
        driver_.post(jobs.get(number));
    }

    void happen(std::uint32_t count)
    {
        driver_.happen(count);
    }

    /// Returns when everybody has slept for a while.
    void await_full_sleep()
    {
        for (unsigned calm = 0; calm != 8;
             calm = scheduler_->sleepers.parked() == Workers ? calm + 1 : 0)
            yield_thread();
    }

    /// Returns when others than `w` have gone to sleep so often, or look for work.
    void await_sleeps_of_others(worker const& w, std::uint64_t times)
    {
        for (;;)
        {
            std::uint64_t sleeps = 0;
            for (std::size_t i = 0; i != scheduler_->workers.size(); ++i)
                if (i != w.index)
                    sleeps += scheduler_->workers[i].count.parks.value();
            if (sleeps >= times)
                return;
            yield_thread();
        }
    }

    /// As a worker does now and then between two jobs.
    void poll_driver(worker& w)
    {
        driver_access<model_traits>::poll_driver(*scheduler_, w);
    }

    /// As the calls of io_context: a worker until stopped, until it has done `limit` jobs, or until
    /// its time is up, if it `gives_up`.
    void run(std::size_t limit = run_limits::unlimited, bool gives_up = false,
        bool time_is_certain = false)
    {
        run_limits limits;
        limits.handlers = limit;
        if (gives_up)
        {
            limits.mode = wait_mode::until;
            limits.until.certain = time_is_certain;
        }
        scheduler_->run(limits, joins_as::recurring);
    }

    /// As a thread that nobody has counted with: its worker is made.
    void run_as_another()
    {
        scheduler_->run({}, joins_as::passing);
    }

    /// In a job: as run_blocking().
    template <typename Function>
    void block(Function function)
    {
        auto& here =
            static_cast<scheduler_under_test::run_level&>(*locals[this_thread()].innermost);
        scheduler_->hand_off(here);
        function();
        scheduler_->take_back(here);
    }

    scheduler_under_test& tested() noexcept
    {
        return *scheduler_;
    }

private:
    void execute(job& j) override
    {
        // What a job throws is thrown when it is done.
        struct end
        {
            workers& self;
            unsigned number;

            ~end()
            {
                self.jobs.end(number);
            }
        } const on_exit{*this, j.number};
        jobs.begin(j.number);
        worker& w = *static_cast<worker*>(locals[this_thread()].innermost->w);
        static_cast<Model&>(*this).work(w, j.number);
    }

    job_driver driver_;
    std::unique_ptr<scheduler_under_test> scheduler_;
};

/// Producers outside post so many jobs each, of which the last one stops everything.
template <typename Model, int Workers, int Producers, unsigned Each>
class injected_jobs : public workers<Model, Workers, Producers * Each>
{
public:
    static constexpr int threads = Workers + Producers;

    void thread(unsigned index)
    {
        if (index < Workers)
            this->run();
        else
            for (unsigned i = 0; i != Each; ++i)
                this->post_from_outside((index - Workers) * Each + i);
    }

    void work(worker&, unsigned)
    {
        if (left_.is_last())
            this->stop();
    }

private:
    countdown left_{Producers * Each};
};

/// Job 0 puts job 1 into its worker's slot, and waits for it.
template <typename Model, std::size_t Workers>
class blocked_with_a_full_slot : public workers<Model, Workers, 2>
{
public:
    void work(worker& w, unsigned number)
    {
        if (number != 0)
            return;
        this->post_continuation(w, 1);
        this->jobs.wait_for(1);
        this->stop();
    }
};

} // namespace model

#endif // WEFT_TEST_MODEL_SCHEDULER_FIXTURE_HPP
