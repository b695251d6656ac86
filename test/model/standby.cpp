// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Who leaves the reactor to run the one handler that there is wakes nobody: a sleeper watches it.

#include "model/scheduler_fixture.hpp"

namespace
{

using model::worker;
using model::workers;

// What the first event starts waits for what the second one starts, with whatever else may wake
// the standby in between.
template <int Workers>
struct reactor_is_handed_over : workers<reactor_is_handed_over<Workers>, Workers, 2>
{
    static constexpr bool has_standby = true;
    static constexpr unsigned early_wakes = 1;

    model::countdown left{2};

    reactor_is_handed_over()
    {
        this->first_event(0);
    }

    void outside()
    {
        if (model::choose(2) == 0)
            this->await_full_sleep();
        this->happen(1);
        this->happen(1);
    }

    void work(worker&, unsigned number)
    {
        if (number == 0)
            this->jobs.wait_for(1);
        if (left.is_last())
            this->stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, reactor_is_handed_over<2>);
WEFT_SCENARIO(by_priority{50000}, reactor_is_handed_over<3>);

// Two events at one look: the second is for whoever comes.
struct two_events_are_for_two : workers<two_events_are_for_two, 2, 2>
{
    static constexpr bool has_standby = true;

    model::countdown left{2};
    model::meeting<2> both_begun;

    two_events_are_for_two()
    {
        first_event(0);
    }

    void outside()
    {
        if (model::choose(2) == 0)
            await_full_sleep();
        happen(2);
    }

    void work(worker&, unsigned)
    {
        both_begun.arrive_and_wait();
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, two_events_are_for_two);

// Job 2 comes from outside and keeps its worker, which may be the standby, until job 1 is done, of
// the second event; job 0, of the first one, keeps another worker.
struct standby_is_woken_for_work : workers<standby_is_woken_for_work, 3, 3>
{
    static constexpr bool has_standby = true;
    static constexpr unsigned early_wakes = 1;
    static constexpr int threads = 5;

    model::countdown left{3};

    standby_is_woken_for_work()
    {
        first_event(0);
    }

    void thread(unsigned index)
    {
        if (index < 3)
            run();
        else if (index == 3)
            post_from_outside(2);
        else
        {
            happen(1);
            happen(1);
        }
    }

    void work(worker&, unsigned number)
    {
        if (number != 1)
            jobs.wait_for(1);
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{100000}, standby_is_woken_for_work);

// What is posted to Asio's scheduler while the worker that it woke runs what came before.
struct mail_is_heard : workers<mail_is_heard, 2, 2>
{
    static constexpr bool has_standby = true;
    static constexpr bool has_mail = true;
    static constexpr unsigned early_wakes = 1;

    model::countdown left{2};

    void outside()
    {
        if (model::choose(2) == 0)
            await_full_sleep();
        post_mail(0);
        post_mail(1);
    }

    void work(worker&, unsigned number)
    {
        if (number == 0)
            jobs.wait_for(1);
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, mail_is_heard);

// Job 0, of an event, posts job 1; jobs 2 and 3 come from outside, and keep a worker each until job
// 4 is done, which is posted to Asio's scheduler. Who has begun a watch, looks into the reactor
// again and wakes somebody for it has told Asio's threads that they need not interrupt.
struct watch_is_called_off : workers<watch_is_called_off, 3, 5>
{
    static constexpr bool has_standby = true;
    static constexpr bool has_mail = true;
    static constexpr int threads = 5;

    model::countdown left{5};
    model::meeting<2> begun;

    watch_is_called_off()
    {
        first_event(0);
    }

    void thread(unsigned index)
    {
        if (index < 3)
            run();
        else if (index == 3)
        {
            if (model::choose(2) == 0)
                await_full_sleep();
            happen(1);
            post_from_outside(2);
            post_from_outside(3);
        }
        else
        {
            begun.arrive_and_wait();
            post_mail(4);
        }
    }

    void work(worker& w, unsigned number)
    {
        if (number == 0)
            post(w, 1);
        if (number == 2)
            begun.arrive_and_wait();
        if (number == 2 || number == 3)
            jobs.wait_for(4);
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, watch_is_called_off);

// The job of an event puts job 1 into its worker's slot and waits for it, while the reactor is
// watched by somebody who is no guard.
struct slot_is_guarded : workers<slot_is_guarded, 2, 2>
{
    static constexpr bool has_standby = true;
    static constexpr bool has_guard = true;

    model::countdown left{2};

    slot_is_guarded()
    {
        first_event(0);
    }

    void outside()
    {
        if (model::choose(2) == 0)
            await_full_sleep();
        happen(1);
    }

    void work(worker& w, unsigned number)
    {
        if (number == 0)
        {
            post_continuation(w, 1);
            jobs.wait_for(1);
        }
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, slot_is_guarded);

// Jobs 0 to 2 are of events. Job 0 fills its worker's slot, and gets a guard, who may sleep as the
// standby when job 2 fills the slot and waits for what is there.
struct guard_that_stands_by_is_none : workers<guard_that_stands_by_is_none, 2, 5>
{
    static constexpr bool has_standby = true;
    static constexpr bool has_guard = true;

    model::countdown left{5};

    guard_that_stands_by_is_none()
    {
        first_event(0);
    }

    void outside()
    {
        if (model::choose(2) == 0)
            await_full_sleep();
        for (int i = 0; i != 3; ++i)
            happen(1);
    }

    void work(worker& w, unsigned number)
    {
        if (number == 0)
            post_continuation(w, 3);
        if (number == 2)
        {
            post_continuation(w, 4);
            jobs.wait_for(4);
        }
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, guard_that_stands_by_is_none);

// The last work ends while somebody watches.
struct watch_ends_with_the_work : workers<watch_ends_with_the_work, 2, 1>
{
    static constexpr bool has_standby = true;
    static constexpr unsigned early_wakes = 1;

    watch_ends_with_the_work()
    {
        first_event(0);
    }

    void outside()
    {
        if (model::choose(2) == 0)
            await_full_sleep();
        happen(1);
        jobs.wait_for(0);
        work_finished();
    }
};
WEFT_SCENARIO(by_priority{50000}, watch_ends_with_the_work);

} // namespace
