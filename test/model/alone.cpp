// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "model/scheduler_fixture.hpp"

namespace
{

using model::worker;
using model::workers;

// Job 0 posts job 1 and waits for it. Its worker may be alone and publish nothing: then the worker
// that joins must find job 1, whenever it comes.
template <int Joining>
struct joining_worker_finds_what_was_not_published
    : workers<joining_worker_finds_what_was_not_published<Joining>, 1 + Joining, 2>
{
    static constexpr unsigned early_wakes = 1;
    static constexpr bool can_be_alone = true;

    void work(worker& w, unsigned number)
    {
        if (number != 0)
            return;
        this->post(w, 1);
        this->jobs.wait_for(1);
        this->stop();
    }
};
WEFT_SCENARIO(by_priority{100000}, joining_worker_finds_what_was_not_published<1>);
WEFT_SCENARIO(by_priority{100000}, joining_worker_finds_what_was_not_published<2>);

// The same with what has completed at once in job 0, whose end is job 2: the continuation of job 0,
// which nobody else takes, waits for that.
struct joining_worker_finds_what_has_completed
    : workers<joining_worker_finds_what_has_completed, 2, 3>
{
    static constexpr bool can_be_alone = true;
    static constexpr bool completes_at_once = true;

    void work(worker& w, unsigned number)
    {
        if (number == 0)
        {
            post_continuation(w, 1);
            post_inner(2);
        }
        if (number == 1)
        {
            jobs.wait_for(2);
            stop();
        }
    }
};
WEFT_SCENARIO(by_priority{100000}, joining_worker_finds_what_has_completed);

// As the first one, with a worker that leaves so that another is alone again.
struct worker_is_alone_again : workers<worker_is_alone_again, 3, 3>
{
    static constexpr unsigned early_wakes = 1;
    static constexpr bool can_be_alone = true;

    void thread(unsigned index)
    {
        if (index == 0)
            run();
        else if (index < 3)
        {
            run(1, true);
            run();
        }
        else
        {
            post_from_outside(0);
            post_from_outside(2);
        }
    }

    void work(worker& w, unsigned number)
    {
        if (number != 0)
            return;
        post(w, 1);
        jobs.wait_for(1);
        jobs.wait_for(2);
        stop();
    }
};
WEFT_SCENARIO(by_priority{100000}, worker_is_alone_again);

// A worker blocks in job 0, and another thread is single meanwhile: job 1 posts job 2 and waits for
// it. The one that comes back into its job ends that, and looks for nothing; a third one joins at
// any time, and must find job 2.
struct worker_that_does_not_look_comes_first : workers<worker_that_does_not_look_comes_first, 3, 3>
{
    static constexpr int threads = 3;
    static constexpr bool can_be_alone = true;

    worker_that_does_not_look_comes_first()
    {
        post_from_outside(0);
        post_from_outside(1);
    }

    void thread(unsigned)
    {
        run();
    }

    void work(worker& w, unsigned number)
    {
        if (number == 0)
        {
            block([] { model::yield_thread(); });
            jobs.wait_for(2);
        }
        if (number == 1)
        {
            post(w, 2);
            jobs.wait_for(2);
            stop();
        }
    }
};
WEFT_SCENARIO(by_priority{100000}, worker_that_does_not_look_comes_first);

} // namespace
