// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Threads that come, go and block in the middle of something: what they have, and what they have
// been told, is others' then. And a stop at any moment of that.

#include "model/scheduler_fixture.hpp"

#include <weft/platform/backoff.hpp>

namespace
{

using model::worker;
using model::workers;
using model::yield_thread;

/// What the scenarios have in common: job 0 is there from the beginning. With `Stops` a thread
/// outside stops all at any time: then nobody stays behind, but work may.
template <typename Model, int Threads, unsigned Jobs, bool Stops>
struct scenario : workers<Model, static_cast<std::size_t>(Threads), Jobs>
{
    static constexpr int threads = Threads + (Stops ? 1 : 0);
    static constexpr unsigned early_wakes = 1;
    static constexpr bool can_be_alone = true;
    static constexpr bool all_jobs_are_done = !Stops;

    scenario()
    {
        this->post_from_outside(0);
    }

    void thread(unsigned index)
    {
        if (index < static_cast<unsigned>(Threads))
            static_cast<Model&>(*this).visit(index);
        else
            this->stop();
    }

    void visit(unsigned)
    {
        this->run();
    }

    /// In a job that waits for another one, which a stop may leave behind.
    void await(unsigned number)
    {
        if (!Stops)
            this->jobs.wait_for(number);
        else
            while (!this->jobs.is_done(number) && !this->stopped())
                yield_thread();
    }
};

// Job 0 leaves one job in its worker's ring, another in its slot, and a third with Asio, and says
// that it blocks until all are done. Whoever else is there finds them: asleep, or about to join
// with a worker that is made.
template <bool Joins, bool Stops>
struct worker_is_handed_over : scenario<worker_is_handed_over<Joins, Stops>, 2, 4, Stops>
{
    void visit(unsigned index)
    {
        if (Joins && index == 1)
            this->run_as_another();
        else
            this->run();
    }

    void work(worker& w, unsigned number)
    {
        if (number != 0)
            return;
        this->post(w, 1);
        this->post_continuation(w, 2);
        this->post_inner(3);
        this->block(
            [this]
            {
                for (unsigned i = 1; i != 4; ++i)
                    this->await(i);
            });
        this->stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, worker_is_handed_over<false, false>);
WEFT_SCENARIO(by_priority{50000}, worker_is_handed_over<true, false>);
WEFT_SCENARIO(by_priority{20000}, worker_is_handed_over<true, true>);

// Job 0 blocks, and nothing else is there: who is left must not take that for the end, for it goes
// on and posts job 1, whoever may have its worker by then.
template <bool Stops>
struct blocked_job_is_work : scenario<blocked_job_is_work<Stops>, 3, 3, Stops>
{
    blocked_job_is_work()
    {
        this->post_from_outside(2);
        this->work_finished();
    }

    void work(worker& w, unsigned number)
    {
        if (number != 0)
            return;
        this->block([] { yield_thread(); });
        this->post(w, 1);
    }

    void after()
    {
        model::require(Stops || this->stopped(), "work has ended, and nobody has noticed");
        scenario<blocked_job_is_work<Stops>, 3, 3, Stops>::after();
    }
};
WEFT_SCENARIO(by_priority{50000}, blocked_job_is_work<false>);
WEFT_SCENARIO(by_priority{20000}, blocked_job_is_work<true>);

// The thread that blocks was single, and two others come meanwhile: who comes back is told nothing,
// and tells nobody wrongly.
template <bool Stops>
struct single_runner_blocks : scenario<single_runner_blocks<Stops>, 3, 4, Stops>
{
    void visit(unsigned index)
    {
        if (index == 2)
            this->run_as_another();
        else
            this->run();
    }

    void work(worker& w, unsigned number)
    {
        if (number != 0)
            return;
        this->post(w, 1);
        this->block([this] { this->await(1); });
        this->post(w, 2);
        this->await(2);
        this->post(w, 3);
        this->await(3);
        this->stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, single_runner_blocks<false>);
WEFT_SCENARIO(by_priority{20000}, single_runner_blocks<true>);

// Job 0 has left jobs in its worker's ring, in its slot and with Asio, runs one of them from
// inside, and waits for all: the others are somebody else's.
template <bool Stops>
struct nested_run_shares_the_worker : scenario<nested_run_shares_the_worker<Stops>, 2, 4, Stops>
{
    void work(worker& w, unsigned number)
    {
        if (number != 0)
            return;
        this->post(w, 1);
        this->post_continuation(w, 2);
        this->post_inner(3);
        // For a while: others may have taken them all. A call whose time is up at once leaves them
        // where they are.
        while (w.asio.has_posted() && !this->stopped())
            this->run(1, true, true);
        for (unsigned i = 1; i != 4; ++i)
            this->await(i);
        this->stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, nested_run_shares_the_worker<false>);
WEFT_SCENARIO(by_priority{20000}, nested_run_shares_the_worker<true>);

// The outer job is outstanding: a run() inside of it does not end everything when nothing is left,
// but returns when job 1, from outside, has been done and stops all.
template <bool Stops>
struct nested_run_is_not_the_end : scenario<nested_run_is_not_the_end<Stops>, 2, 2, Stops>
{
    void visit(unsigned index)
    {
        if (index == 0)
            this->run();
        else
        {
            // Whatever thread is inside counts the job as work.
            this->work_finished();
            for (unsigned i = 0; i != 6; ++i)
                yield_thread();
            model::require(
                Stops || !this->stopped() || this->jobs.is_done(0), "the outer job is no work");
            this->post_from_outside(1);
        }
    }

    void work(worker&, unsigned number)
    {
        if (number == 0)
        {
            this->run();
            model::require(this->stopped(), "returned too early");
        }
        else
            this->stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, nested_run_is_not_the_end<false>);
WEFT_SCENARIO(by_priority{20000}, nested_run_is_not_the_end<true>);

// Where the nested call was woken as a searcher, or has the driver lock, it leaves both to others:
// job 0 runs one job, and waits for an event.
template <bool Stops>
struct nested_run_leaves_the_reactor : scenario<nested_run_leaves_the_reactor<Stops>, 2, 3, Stops>
{
    nested_run_leaves_the_reactor()
    {
        this->first_event(2);
    }

    void visit(unsigned)
    {
        this->run();
    }

    void work(worker&, unsigned number)
    {
        if (number == 0)
        {
            // Nothing comes, or job 1.
            this->run(1, true, true);
            this->happen(1);
            this->await(2);
            this->post_from_outside(1);
            this->await(1);
            this->stop();
        }
    }
};
WEFT_SCENARIO(by_priority{50000}, nested_run_leaves_the_reactor<false>);
WEFT_SCENARIO(by_priority{20000}, nested_run_leaves_the_reactor<true>);

// Two jobs that Asio has posted to the worker's own thread wait for each other.
template <bool Stops>
struct inner_jobs_are_published : scenario<inner_jobs_are_published<Stops>, 2, 3, Stops>
{
    model::atomic<unsigned> begun{0};

    void work(worker&, unsigned number)
    {
        if (number == 0)
        {
            this->post_inner(1);
            this->post_inner(2);
            return;
        }
        begun.fetch_add(1, model::memory_order_acq_rel);
        while (begun.load(model::memory_order_acquire) != 2 && !this->stopped())
            yield_thread();
        this->stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, inner_jobs_are_published<false>);
WEFT_SCENARIO(by_priority{20000}, inner_jobs_are_published<true>);

// What Asio has posted during a handler is older than what the handler submits after it. One thread
// runs all in that order.
struct inner_jobs_come_first : scenario<inner_jobs_come_first, 1, 3, false>
{
    unsigned last = 0;

    void work(worker& w, unsigned number)
    {
        model::require(number == 0 || number == last + 1, "another order");
        last = number;
        if (number == 0)
        {
            post_inner(1);
            post(w, 2);
        }
        if (number == 2)
            stop();
    }
};
WEFT_SCENARIO(by_priority{20000}, inner_jobs_come_first);

// How a thread leaves with work left.
enum class way_out
{
    by_run_one,
    by_an_exception
};

// Job 0 leaves jobs in its worker's ring, in its slot and with Asio, and its thread leaves. Nobody
// else may come: the other sleeps, or looks, or has not joined yet.
template <way_out How, bool Stops>
struct leaving_thread_leaves_all_behind
    : scenario<leaving_thread_leaves_all_behind<How, Stops>, 2, 4, Stops>
{
    model::countdown left{3};

    void visit(unsigned index)
    {
        if (index == 0)
            leave_after_one();
        else
        {
            if (How == way_out::by_an_exception)
                leave_after_one();
            this->run();
        }
    }

    void leave_after_one()
    {
        try
        {
            this->run(1);
        }
        catch (unsigned)
        {
        }
    }

    void work(worker& w, unsigned number)
    {
        if (number == 0)
        {
            this->post(w, 1);
            this->post_continuation(w, 2);
            this->post_inner(3);
            if (How == way_out::by_an_exception)
                throw number;
        }
        else if (left.is_last())
            this->stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, leaving_thread_leaves_all_behind<way_out::by_run_one, false>);
WEFT_SCENARIO(by_priority{20000}, leaving_thread_leaves_all_behind<way_out::by_run_one, true>);
WEFT_SCENARIO(
    by_priority{50000}, leaving_thread_leaves_all_behind<way_out::by_an_exception, false>);
WEFT_SCENARIO(by_priority{20000}, leaving_thread_leaves_all_behind<way_out::by_an_exception, true>);

// The work that a thread has counted leaves with it: job 0 ends the last there is.
template <bool Stops>
struct leaving_thread_settles_its_work
    : scenario<leaving_thread_settles_its_work<Stops>, 2, 1, Stops>
{
    void visit(unsigned)
    {
        this->run(1);
    }

    void work(worker&, unsigned)
    {
        this->work_finished();
    }
};
WEFT_SCENARIO(by_priority{50000}, leaving_thread_settles_its_work<false>);
WEFT_SCENARIO(by_priority{20000}, leaving_thread_settles_its_work<true>);

// Job 0 fills its worker's ring and slot, and does not end. The other thread has always something
// to do: job 1 comes again and again until what is behind job 0 has been done.
template <bool InTheSlot, bool Stops>
struct busy_worker_takes_from_a_stuck_one
    : scenario<busy_worker_takes_from_a_stuck_one<InTheSlot, Stops>, 2, 3, Stops>
{
    static constexpr bool time_passes = true;

    busy_worker_takes_from_a_stuck_one()
    {
        this->post_from_outside(1);
    }

    model::atomic<bool> filled{false};

    void work(worker& w, unsigned number)
    {
        if (number == 0)
        {
            if (InTheSlot)
                this->post_continuation(w, 2);
            else
                this->post(w, 2);
            filled.store(true, model::memory_order_release);
            this->await(2);
        }
        if (number == 1)
        {
            // No handler is so short that the worker runs hundreds before it looks elsewhere.
            model::jumping_clock::microseconds += 300;
            yield_thread();
            if (this->jobs.is_done(2) || this->stopped())
                this->stop();
            else
            {
                this->jobs.begin_again(1);
                this->post(w, 1);
            }
        }
    }
};
WEFT_SCENARIO(by_priority{20000}, busy_worker_takes_from_a_stuck_one<false, false>);
WEFT_SCENARIO(by_priority{20000}, busy_worker_takes_from_a_stuck_one<true, false>);
WEFT_SCENARIO(by_priority{20000}, busy_worker_takes_from_a_stuck_one<false, true>);

} // namespace
