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
    static constexpr int threads = Workers + 1;
    static constexpr unsigned early_wakes = 2;
    static constexpr bool has_guard = false;
    static constexpr bool can_be_alone = false;

    void thread(unsigned index)
    {
        if (index < Workers)
            this->run();
        else
        {
            this->post_from_outside(0);
            this->work_finished();
        }
    }

    void work(worker&, unsigned)
    {
    }
};

// Several pieces of outstanding work end outside at once.
struct worker_returns_when_all_work_ends_outside
    : workers<worker_returns_when_all_work_ends_outside, 1, 1>
{
    static constexpr int threads = 4;
    static constexpr unsigned early_wakes = 0;
    static constexpr bool has_guard = false;
    static constexpr bool can_be_alone = false;

    worker_returns_when_all_work_ends_outside()
    {
        work_started();
        work_started();
    }

    void thread(unsigned index)
    {
        if (index == 0)
            run();
        else
            work_finished();
    }

    void work(worker&, unsigned)
    {
    }

    void after()
    {
        jobs.forget(0);
        workers<worker_returns_when_all_work_ends_outside, 1, 1>::after();
    }
};

// The outstanding work ends in a job, whose worker counts it for itself until it sleeps.
template <int Workers>
struct workers_return_when_work_ends_inside
    : workers<workers_return_when_work_ends_inside<Workers>, Workers, 2>
{
    static constexpr int threads = Workers + 1;
    static constexpr unsigned early_wakes = 2;
    static constexpr bool has_guard = false;
    static constexpr bool can_be_alone = false;

    void thread(unsigned index)
    {
        if (index < Workers)
            this->run();
        else
            this->post_from_outside(0);
    }

    void work(worker& w, unsigned number)
    {
        if (number == 0)
            this->post(w, 1);
        else
            --w.work_delta;
    }
};

template <int Workers>
struct stop_wakes_everybody : workers<stop_wakes_everybody<Workers>, Workers, 1>
{
    static constexpr int threads = Workers + 1;
    static constexpr unsigned early_wakes = 2;
    static constexpr bool has_guard = false;
    static constexpr bool can_be_alone = false;

    void thread(unsigned index)
    {
        if (index < Workers)
            this->run();
        else
            this->stop();
    }

    void work(worker&, unsigned)
    {
    }

    void after()
    {
        this->jobs.forget(0);
        workers<stop_wakes_everybody<Workers>, Workers, 1>::after();
    }
};

// One worker stays; the others leave after a job, or when their time is up. The wake that one of
// them had got must not leave with it.
template <int Workers>
struct leaving_worker_passes_its_wake_on
    : workers<leaving_worker_passes_its_wake_on<Workers>, Workers, 2>
{
    static constexpr int threads = Workers + 1;
    static constexpr unsigned early_wakes = 1;
    static constexpr bool has_guard = false;
    static constexpr bool can_be_alone = false;

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

// The same, for a job in the ring of a worker that waits for it.
struct leaving_worker_passes_its_wake_on_inside
    : workers<leaving_worker_passes_its_wake_on_inside, 3, 2>
{
    static constexpr int threads = 4;
    static constexpr unsigned early_wakes = 1;
    static constexpr bool has_guard = false;
    static constexpr bool can_be_alone = false;

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

// Workers that leave and outstanding work that ends: whoever is last tells those who sleep.
struct sleepers_return_when_the_others_have_left
    : workers<sleepers_return_when_the_others_have_left, 2, 1>
{
    static constexpr int threads = 3;
    static constexpr unsigned early_wakes = 1;
    static constexpr bool has_guard = false;
    static constexpr bool can_be_alone = false;

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

    void work(worker&, unsigned)
    {
    }
};

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
    static constexpr int threads = Workers + 1;
    static constexpr unsigned early_wakes = 2;
    static constexpr bool has_guard = false;
    static constexpr bool can_be_alone = false;

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

    void after()
    {
        if (How != last::post)
            this->jobs.forget(0);
        workers<context_is_destroyed_after_run<How, Workers>, Workers, 1>::after();
    }
};

// Two threads outside post a job each, and neither is through with the context when both are done.
struct context_is_destroyed_after_two_posts : workers<context_is_destroyed_after_two_posts, 1, 2>
{
    static constexpr int threads = 3;
    static constexpr unsigned early_wakes = 2;
    static constexpr bool has_guard = false;
    static constexpr bool can_be_alone = false;

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

// The owner looks whether the context is stopped, and is not inside then.
template <last How>
struct context_is_destroyed_when_it_is_stopped
    : workers<context_is_destroyed_when_it_is_stopped<How>, 1, 1>
{
    static constexpr int threads = 2;
    static constexpr unsigned early_wakes = 2;
    static constexpr bool has_guard = false;
    static constexpr bool can_be_alone = false;

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

    void work(worker&, unsigned)
    {
    }

    void after()
    {
        this->jobs.forget(0);
        workers<context_is_destroyed_when_it_is_stopped<How>, 1, 1>::after();
    }
};

} // namespace

int main(int argc, char** argv)
{
    using model::by_priority;
    using model::make_check;
    return model::run(argc, argv,
        {
            make_check<workers_return_when_work_ends_outside<2>>(
                "workers_return_when_work_ends_outside.2", by_priority{100000}),
            make_check<workers_return_when_work_ends_outside<3>>(
                "workers_return_when_work_ends_outside.3", by_priority{100000}),
            make_check<worker_returns_when_all_work_ends_outside>(
                "worker_returns_when_all_work_ends_outside", by_priority{50000}),
            make_check<workers_return_when_work_ends_inside<2>>(
                "workers_return_when_work_ends_inside.2", by_priority{100000}),
            make_check<workers_return_when_work_ends_inside<3>>(
                "workers_return_when_work_ends_inside.3", by_priority{100000}),
            make_check<stop_wakes_everybody<2>>("stop_wakes_everybody.2", by_priority{100000}),
            make_check<stop_wakes_everybody<3>>("stop_wakes_everybody.3", by_priority{100000}),
            make_check<leaving_worker_passes_its_wake_on<2>>(
                "leaving_worker_passes_its_wake_on.2", by_priority{100000}),
            make_check<leaving_worker_passes_its_wake_on<3>>(
                "leaving_worker_passes_its_wake_on.3", by_priority{100000}),
            make_check<leaving_worker_passes_its_wake_on_inside>(
                "leaving_worker_passes_its_wake_on_inside", by_priority{100000}),
            make_check<sleepers_return_when_the_others_have_left>(
                "sleepers_return_when_the_others_have_left", by_priority{100000}),
            make_check<context_is_destroyed_after_run<last::post, 1>>(
                "context_is_destroyed_after_run.1_post", by_priority{200000}),
            make_check<context_is_destroyed_after_run<last::post, 2>>(
                "context_is_destroyed_after_run.2_post", by_priority{200000}),
            make_check<context_is_destroyed_after_run<last::work, 2>>(
                "context_is_destroyed_after_run.2_work", by_priority{100000}),
            make_check<context_is_destroyed_after_run<last::stop, 2>>(
                "context_is_destroyed_after_run.2_stop", by_priority{100000}),
            make_check<context_is_destroyed_after_two_posts>(
                "context_is_destroyed_after_two_posts", by_priority{100000}),
            make_check<context_is_destroyed_when_it_is_stopped<last::work>>(
                "context_is_destroyed_when_it_is_stopped.work", by_priority{50000}),
            make_check<context_is_destroyed_when_it_is_stopped<last::stop>>(
                "context_is_destroyed_when_it_is_stopped.stop", by_priority{50000}),
        });
}
