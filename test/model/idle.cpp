// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "model/scheduler_fixture.hpp"

namespace
{

using model::worker;
using model::workers;

// The last job stops everything. A wake that is lost leaves everybody asleep.
template <int Workers, int Producers, unsigned Each>
struct injected_jobs_are_done
    : model::injected_jobs<injected_jobs_are_done<Workers, Producers, Each>, Workers, Producers,
          Each>
{
    static constexpr unsigned early_wakes = 2;
};
WEFT_SCENARIO(by_priority{50000}, injected_jobs_are_done<2, 1, 2>);
WEFT_SCENARIO(by_priority{50000}, injected_jobs_are_done<2, 2, 2>);
WEFT_SCENARIO(by_priority{50000}, injected_jobs_are_done<3, 2, 1>);

// Each of the jobs waits for all others to have begun: they need as many workers as there are jobs.
template <int Workers>
struct blocking_jobs_from_outside_occupy_all_workers
    : workers<blocking_jobs_from_outside_occupy_all_workers<Workers>, Workers, Workers>
{
    static constexpr unsigned early_wakes = 1;

    model::meeting<Workers> all_begun;

    void thread(unsigned index)
    {
        if (index < Workers)
            this->run();
        else
            for (unsigned i = 0; i != Workers; ++i)
                this->post_from_outside(i);
    }

    void work(worker&, unsigned)
    {
        all_begun.arrive_and_wait();
        this->stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, blocking_jobs_from_outside_occupy_all_workers<2>);
WEFT_SCENARIO(by_priority{50000}, blocking_jobs_from_outside_occupy_all_workers<3>);

// The same, with jobs that another job has posted to its worker's ring.
template <int Workers>
struct blocking_jobs_from_inside_occupy_all_workers
    : workers<blocking_jobs_from_inside_occupy_all_workers<Workers>, Workers, Workers + 1>
{
    static constexpr unsigned early_wakes = 1;

    model::meeting<Workers> all_begun;

    void outside()
    {
        this->post_from_outside(Workers);
    }

    void work(worker& w, unsigned number)
    {
        if (number == Workers)
        {
            for (unsigned i = 0; i != Workers; ++i)
                this->post(w, i);
            return;
        }
        all_begun.arrive_and_wait();
        this->stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, blocking_jobs_from_inside_occupy_all_workers<2>);
WEFT_SCENARIO(by_priority{50000}, blocking_jobs_from_inside_occupy_all_workers<3>);

// Job 0 posts the others to its worker's ring, and all wait for each other: two thieves are after
// two jobs, and one of them finds the other at work. Thieves are searchers or, if they relieve,
// busy.
template <bool Relieve>
struct a_blocking_job_and_those_it_posted_occupy_three_workers
    : workers<a_blocking_job_and_those_it_posted_occupy_three_workers<Relieve>, 3, 3>
{
    static constexpr bool time_passes = Relieve;
    static constexpr unsigned early_wakes = 1;

    model::meeting<3> all_begun;

    void work(worker& w, unsigned number)
    {
        if (number == 0)
        {
            this->post(w, 1);
            this->post(w, 2);
        }
        all_begun.arrive_and_wait();
        this->stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, a_blocking_job_and_those_it_posted_occupy_three_workers<false>);
WEFT_SCENARIO(by_priority{50000}, a_blocking_job_and_those_it_posted_occupy_three_workers<true>);

// Job 0 posts the others to its worker's ring, from where they may move to the queue of all while
// somebody looks for work there: they wait for each other.
struct shared_jobs_occupy_both_workers : workers<shared_jobs_occupy_both_workers, 2, 3>
{
    static constexpr bool time_passes = true;
    static constexpr unsigned early_wakes = 1;

    model::meeting<2> both_begun;

    void work(worker& w, unsigned number)
    {
        if (number == 0)
        {
            post(w, 1);
            post(w, 2);
            return;
        }
        both_begun.arrive_and_wait();
        stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, shared_jobs_occupy_both_workers);

// Once a job has been long, its worker shares. Then job 1 begins what completes at once, whose end,
// job 3, continues it and does the same again: job 4 changes places with what is in the queue of
// all, and nobody is told. Jobs 2 and 4 wait for each other.
struct exchanged_jobs_occupy_both_workers : workers<exchanged_jobs_occupy_both_workers, 2, 5>
{
    static constexpr bool time_passes = true;
    static constexpr bool completes_at_once = true;
    static constexpr unsigned early_wakes = 1;

    model::meeting<2> both_begun;

    void outside()
    {
        for (unsigned i = 0; i != 3; ++i)
            post_from_outside(i);
    }

    void work(worker&, unsigned number)
    {
        if (number == 1 || number == 3)
            post_inner(number == 1 ? 3 : 4);
        else if (number != 0)
        {
            both_begun.arrive_and_wait();
            stop();
        }
    }
};
WEFT_SCENARIO(by_priority{50000}, exchanged_jobs_occupy_both_workers);

// Job 0 posts two others to its worker's ring; the first waits for the second, which a patient
// thief may take for the first.
struct a_patient_thief_leaves_nothing_behind : workers<a_patient_thief_leaves_nothing_behind, 2, 3>
{
    static constexpr bool patient = true;
    static constexpr unsigned early_wakes = 1;

    model::countdown left{3};

    void work(worker& w, unsigned number)
    {
        if (number == 0)
        {
            post(w, 1);
            post(w, 2);
        }
        if (number == 1)
            jobs.wait_for(2);
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, a_patient_thief_leaves_nothing_behind);

// Two rings with one job each, and one moment for both. Jobs 0 and 1, from outside, post jobs 2
// and 3. The worker that takes job 2 in that moment waits for job 3, like the one that has posted
// it.
struct a_patient_thief_sees_every_ring : workers<a_patient_thief_sees_every_ring, 3, 4>
{
    static constexpr bool patient = true;
    static constexpr unsigned early_wakes = 1;

    model::countdown left{4};

    void outside()
    {
        post_from_outside(0);
        post_from_outside(1);
    }

    void work(worker& w, unsigned number)
    {
        if (number < 2)
            post(w, number + 2);
        if (number == 1 || number == 2)
            jobs.wait_for(3);
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, a_patient_thief_sees_every_ring);

// Job 0 posts job 1 to its own ring and waits for it; job 2, from outside, waits for it too. Two
// workers sit in jobs: the third must find job 1, although the wake for it may have gone to whoever
// took job 2.
struct last_searcher_passes_the_wake_on : workers<last_searcher_passes_the_wake_on, 3, 3>
{
    static constexpr unsigned early_wakes = 1;

    model::countdown left{3};

    void outside()
    {
        post_from_outside(0);
        post_from_outside(2);
    }

    void work(worker& w, unsigned number)
    {
        if (number == 0)
            post(w, 1);
        if (number != 1)
            jobs.wait_for(1);
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, last_searcher_passes_the_wake_on);

} // namespace
