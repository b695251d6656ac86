// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "model/scheduler_fixture.hpp"

namespace
{

using model::worker;
using model::workers;

// The guard of the outstanding work goes when the job is posted: somebody must see that nothing is
// left when all sleep, and nobody before the job is done.
template <int Workers>
struct workers_return_when_work_ends_outside
    : workers<workers_return_when_work_ends_outside<Workers>, Workers, 1>
{
    static constexpr unsigned early_wakes = 2;

    void outside()
    {
        this->post_from_outside(0);
        this->work_finished();
    }
};
WEFT_SCENARIO(by_priority{50000}, workers_return_when_work_ends_outside<1>);
WEFT_SCENARIO(by_priority{100000}, workers_return_when_work_ends_outside<2>);
WEFT_SCENARIO(by_priority{100000}, workers_return_when_work_ends_outside<3>);

// Several pieces of outstanding work end outside at once.
struct worker_returns_when_all_work_ends_outside
    : workers<worker_returns_when_all_work_ends_outside, 1, 1>
{
    static constexpr int threads = 4;
    static constexpr bool all_jobs_are_done = false;

    worker_returns_when_all_work_ends_outside()
    {
        work_started();
        work_started();
    }

    void outside()
    {
        work_finished();
    }
};
WEFT_SCENARIO(by_priority{50000}, worker_returns_when_all_work_ends_outside);

// The outstanding work ends in a job, whose worker counts it for itself until it sleeps.
template <int Workers>
struct workers_return_when_work_ends_inside
    : workers<workers_return_when_work_ends_inside<Workers>, Workers, 2>
{
    static constexpr unsigned early_wakes = 2;

    void work(worker& w, unsigned number)
    {
        if (number == 0)
            this->post(w, 1);
        else
            --w.work_delta;
    }
};
WEFT_SCENARIO(by_priority{100000}, workers_return_when_work_ends_inside<2>);
WEFT_SCENARIO(by_priority{100000}, workers_return_when_work_ends_inside<3>);

template <int Workers>
struct stop_wakes_everybody : workers<stop_wakes_everybody<Workers>, Workers, 1>
{
    static constexpr unsigned early_wakes = 2;
    static constexpr bool all_jobs_are_done = false;

    void outside()
    {
        this->stop();
    }
};
WEFT_SCENARIO(by_priority{100000}, stop_wakes_everybody<2>);
WEFT_SCENARIO(by_priority{100000}, stop_wakes_everybody<3>);

// One worker stays; the others leave after a job, or when their time is up. The wake that one of
// them had got must not leave with it.
template <int Workers>
struct leaving_worker_passes_its_wake_on
    : workers<leaving_worker_passes_its_wake_on<Workers>, Workers, 2>
{
    static constexpr unsigned early_wakes = 1;

    model::countdown left{2};

    void thread(unsigned index)
    {
        if (index == 0)
            this->run();
        else if (index < Workers)
            this->run(1, true);
        else
        {
            this->post_from_outside(0);
            this->post_from_outside(1);
        }
    }

    void work(worker&, unsigned)
    {
        if (left.is_last())
            this->stop();
    }
};
WEFT_SCENARIO(by_priority{100000}, leaving_worker_passes_its_wake_on<2>);
WEFT_SCENARIO(by_priority{100000}, leaving_worker_passes_its_wake_on<3>);

// The same, for a job in the ring of a worker that waits for it.
struct leaving_worker_passes_its_wake_on_inside
    : workers<leaving_worker_passes_its_wake_on_inside, 3, 2>
{
    static constexpr unsigned early_wakes = 1;

    void thread(unsigned index)
    {
        if (index < 2)
            run();
        else if (index == 2)
            run(1, true);
        else
            post_from_outside(0);
    }

    void work(worker& w, unsigned number)
    {
        if (number == 0)
        {
            post(w, 1);
            jobs.wait_for(1);
            stop();
        }
    }
};
WEFT_SCENARIO(by_priority{100000}, leaving_worker_passes_its_wake_on_inside);

// Workers that leave and outstanding work that ends: whoever is last tells those who sleep.
struct sleepers_return_when_the_others_have_left
    : workers<sleepers_return_when_the_others_have_left, 2, 1>
{
    static constexpr unsigned early_wakes = 1;

    void thread(unsigned index)
    {
        if (index == 0)
            run();
        else if (index == 1)
            run(1, true);
        else
        {
            post_from_outside(0);
            work_finished();
        }
    }
};
WEFT_SCENARIO(by_priority{100000}, sleepers_return_when_the_others_have_left);

// How the thread outside ends a context that is destroyed as soon as run() has returned.
enum class last
{
    post,
    work,
    stop
};

// One worker more than one: whoever is woken for the last job need not be the one that does it.
template <last How, int Workers>
struct context_is_destroyed_after_run
    : workers<context_is_destroyed_after_run<How, Workers>, Workers, 1>
{
    static constexpr unsigned early_wakes = 2;
    static constexpr bool all_jobs_are_done = How == last::post;

    model::countdown inside{Workers};

    void thread(unsigned index)
    {
        if (index < Workers)
        {
            this->run();
            if (inside.is_last())
                this->destroy();
            return;
        }
        if (How == last::stop)
            this->stop();
        else if (How == last::work)
            this->work_finished();
        else
            this->post_from_outside(0);
    }

    void work(worker& w, unsigned)
    {
        --w.work_delta;
    }
};
WEFT_SCENARIO(by_priority{200000}, context_is_destroyed_after_run<last::post, 1>);
WEFT_SCENARIO(by_priority{200000}, context_is_destroyed_after_run<last::post, 2>);
WEFT_SCENARIO(by_priority{100000}, context_is_destroyed_after_run<last::work, 2>);
WEFT_SCENARIO(by_priority{100000}, context_is_destroyed_after_run<last::stop, 2>);

// Two threads outside post a job each, and neither is through with the context when both are done.
struct context_is_destroyed_after_two_posts : workers<context_is_destroyed_after_two_posts, 1, 2>
{
    static constexpr int threads = 3;
    static constexpr unsigned early_wakes = 2;

    context_is_destroyed_after_two_posts()
    {
        work_started();
    }

    void thread(unsigned index)
    {
        if (index != 0)
        {
            post_from_outside(index - 1);
            return;
        }
        run();
        destroy();
    }

    void work(worker& w, unsigned)
    {
        --w.work_delta;
    }
};
WEFT_SCENARIO(by_priority{100000}, context_is_destroyed_after_two_posts);

// The owner looks whether the context is stopped, and is not inside then.
template <last How>
struct context_is_destroyed_when_it_is_stopped
    : workers<context_is_destroyed_when_it_is_stopped<How>, 1, 1>
{
    static constexpr unsigned early_wakes = 2;
    static constexpr bool all_jobs_are_done = false;

    void thread(unsigned index)
    {
        if (index == 1)
        {
            if (How == last::stop)
                this->stop();
            else
                this->work_finished();
            return;
        }
        while (!this->stopped())
            model::yield_thread();
        this->destroy();
    }
};
WEFT_SCENARIO(by_priority{50000}, context_is_destroyed_when_it_is_stopped<last::work>);
WEFT_SCENARIO(by_priority{50000}, context_is_destroyed_when_it_is_stopped<last::stop>);

// What a thread outside has done before it ends everything is seen by whoever run() returns to;
// also if other work ends last, in a job.
template <last How>
struct what_was_done_before_the_end_is_seen
    : workers<what_was_done_before_the_end_is_seen<How>, 2, 1>
{
    static constexpr unsigned early_wakes = 1;
    static constexpr bool all_jobs_are_done = How != last::stop;

    weft::detail::cell<unsigned> result;

    what_was_done_before_the_end_is_seen()
    {
        this->work_started();
    }

    void thread(unsigned index)
    {
        if (index < 2)
        {
            this->run();
            model::require(result.get() == 1, "what was done is not seen");
            return;
        }
        this->post_from_outside(0);
        result.set(1);
        if (How == last::stop)
            this->stop();
        else
            this->work_finished();
    }

    void work(worker& w, unsigned)
    {
        --w.work_delta;
    }
};
WEFT_SCENARIO(by_priority{50000}, what_was_done_before_the_end_is_seen<last::work>);
WEFT_SCENARIO(by_priority{50000}, what_was_done_before_the_end_is_seen<last::stop>);

} // namespace
