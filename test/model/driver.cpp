// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "model/scheduler_fixture.hpp"

namespace
{

using model::worker;
using model::workers;

// What the first event starts waits for what the second one starts: whoever left the reactor to run
// the first must have handed it over.
template <int Workers, bool AtOnce>
struct reactor_is_handed_over : workers<reactor_is_handed_over<Workers, AtOnce>, Workers, 2>
{
    static constexpr unsigned early_wakes = 1;

    model::countdown left{2};

    reactor_is_handed_over()
    {
        this->first_event(0);
    }

    void thread(unsigned index)
    {
        if (index < Workers)
            this->run();
        else if (AtOnce)
            this->happen(2);
        else
        {
            this->happen(1);
            this->happen(1);
        }
    }

    void work(worker&, unsigned number)
    {
        if (number == 0)
            this->jobs.wait_for(1);
        if (left.is_last())
            this->stop();
    }
};
WEFT_SCENARIO(by_priority{100000}, reactor_is_handed_over<2, true>);
WEFT_SCENARIO(by_priority{100000}, reactor_is_handed_over<2, false>);
WEFT_SCENARIO(by_priority{50000}, reactor_is_handed_over<3, false>);

// Job 0 comes from outside, keeps a worker, and waits for an event.
template <int Workers>
struct reactor_is_watched_while_a_job_runs
    : workers<reactor_is_watched_while_a_job_runs<Workers>, Workers, 2>
{
    static constexpr unsigned early_wakes = 1;

    reactor_is_watched_while_a_job_runs()
    {
        this->first_event(1);
    }

    void work(worker&, unsigned number)
    {
        if (number != 0)
            return;
        this->happen(1);
        this->jobs.wait_for(1);
        this->stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, reactor_is_watched_while_a_job_runs<2>);
WEFT_SCENARIO(by_priority{50000}, reactor_is_watched_while_a_job_runs<3>);

// Another thread is at the descriptor of the first event when a worker comes to it. What the second
// one starts keeps that worker, and waits for the first.
struct what_is_put_off_is_for_all : workers<what_is_put_off_is_for_all, 2, 2>
{
    static constexpr bool descriptors_are_busy = true;
    static constexpr unsigned early_wakes = 1;

    model::countdown left{2};

    what_is_put_off_is_for_all()
    {
        first_event(0);
    }

    void outside()
    {
        happen(2);
    }

    void work(worker&, unsigned number)
    {
        if (number == 1)
            jobs.wait_for(0);
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{100000}, what_is_put_off_is_for_all);

// A worker that sleeps in the reactor is woken for work from outside, although nothing happens
// there.
struct sleeper_in_the_reactor_is_woken : workers<sleeper_in_the_reactor_is_woken, 2, 2>
{
    static constexpr int threads = 4;
    static constexpr unsigned early_wakes = 1;

    model::countdown left{2};
    model::meeting<2> both_begun;

    void thread(unsigned index)
    {
        if (index < 2)
            run();
        else
            post_from_outside(index - 2);
    }

    void work(worker&, unsigned)
    {
        both_begun.arrive_and_wait();
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{100000}, sleeper_in_the_reactor_is_woken);

// All may sleep when something happens, and must have somebody in the reactor then.
template <int Workers>
struct what_happens_while_all_sleep_is_heard
    : workers<what_happens_while_all_sleep_is_heard<Workers>, Workers, 1>
{
    static constexpr unsigned early_wakes = 1;

    what_happens_while_all_sleep_is_heard()
    {
        this->first_event(0);
    }

    void outside()
    {
        if (model::choose(2) == 0)
            this->await_full_sleep();
        this->happen(1);
    }

    void work(worker&, unsigned)
    {
        this->stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, what_happens_while_all_sleep_is_heard<1>);
WEFT_SCENARIO(by_priority{100000}, what_happens_while_all_sleep_is_heard<2>);

// A worker that is alone looks once more before it sleeps, and may not be alone any more then.
template <int Workers>
struct lone_worker_looks_before_it_sleeps
    : workers<lone_worker_looks_before_it_sleeps<Workers>, Workers, 2>
{
    static constexpr bool polls = true;
    static constexpr unsigned early_wakes = 1;

    model::countdown left{2};

    lone_worker_looks_before_it_sleeps()
    {
        this->first_event(0);
    }

    void outside()
    {
        if (model::choose(2) == 0)
            this->await_full_sleep();
        this->happen(1);
        this->post_from_outside(1);
    }

    void work(worker&, unsigned)
    {
        if (left.is_last())
            this->stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, lone_worker_looks_before_it_sleeps<1>);
WEFT_SCENARIO(by_priority{100000}, lone_worker_looks_before_it_sleeps<2>);

// Jobs look into the reactor while they are at it, where a sleeper may be or another job. An event
// that a job has seen is no less somebody's work.
struct polls_and_waits_take_turns : workers<polls_and_waits_take_turns, 2, 4>
{
    model::countdown left{4};

    polls_and_waits_take_turns()
    {
        first_event(2);
    }

    void outside()
    {
        post_from_outside(0);
        post_from_outside(1);
    }

    void work(worker& w, unsigned number)
    {
        if (number < 2)
        {
            happen(1);
            poll_driver(w);
        }
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{100000}, polls_and_waits_take_turns);

// What is posted to Asio's scheduler reaches whoever waits, or is about to.
template <int Workers>
struct mail_is_heard : workers<mail_is_heard<Workers>, Workers, 2>
{
    static constexpr bool has_mail = true;
    static constexpr unsigned early_wakes = 1;

    model::countdown left{2};

    void outside()
    {
        if (model::choose(2) == 0)
            this->await_full_sleep();
        this->post_mail(0);
        this->post_mail(1);
    }

    void work(worker&, unsigned)
    {
        if (left.is_last())
            this->stop();
    }
};
WEFT_SCENARIO(by_priority{100000}, mail_is_heard<1>);
WEFT_SCENARIO(by_priority{100000}, mail_is_heard<2>);

// Job 0 starts work, and somebody outside takes away what was the last piece: run() must not return
// before the event that the job waits for.
template <int Workers>
struct work_started_by_mail_is_counted
    : workers<work_started_by_mail_is_counted<Workers>, Workers, 2>
{
    static constexpr bool has_mail = true;

    model::meeting<2> started;
    model::meeting<2> finished;

    work_started_by_mail_is_counted()
    {
        this->first_event(1);
    }

    void thread(unsigned index)
    {
        if (index < Workers)
        {
            this->run();
            return;
        }
        this->post_mail(0);
        started.arrive_and_wait();
        this->work_finished();
        finished.arrive_and_wait();
        this->happen(1);
    }

    void work(worker& w, unsigned number)
    {
        if (number == 1)
        {
            --w.work_delta;
            return;
        }
        ++w.work_delta;
        started.arrive_and_wait();
        finished.arrive_and_wait();
    }
};
WEFT_SCENARIO(by_priority{50000}, work_started_by_mail_is_counted<1>);
WEFT_SCENARIO(by_priority{50000}, work_started_by_mail_is_counted<2>);

// Job 0 keeps its worker, which is not one that sleeps: jobs 1 and 2, for the second of which it
// waits, wake the other one.
struct worker_with_mail_is_awake : workers<worker_with_mail_is_awake, 2, 3>
{
    static constexpr bool has_mail = true;

    model::countdown left{3};

    void outside()
    {
        post_mail(0);
        post_from_outside(1);
        jobs.wait_for(1);
        post_from_outside(2);
    }

    void work(worker&, unsigned number)
    {
        if (number == 0)
            jobs.wait_for(2);
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{100000}, worker_with_mail_is_awake);

} // namespace
