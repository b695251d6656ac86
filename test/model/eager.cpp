// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Slots that are open to everybody: what is in one is found like what is in a ring, and nobody is
// on guard.

#include "model/scheduler_fixture.hpp"

namespace
{

using model::blocked_with_a_full_slot;
using model::fed_workers;
using model::worker;
using model::workers;

// Job 0 puts job 1 into its worker's slot and waits for it.
template <int Workers>
struct slot_of_a_blocked_worker_is_taken
    : blocked_with_a_full_slot<slot_of_a_blocked_worker_is_taken<Workers>, Workers>
{
    static constexpr bool eager = true;
    static constexpr unsigned early_wakes = 1;
    static constexpr bool has_guard = false;
    static constexpr bool can_be_alone = false;
};

// Job 0 posts job 1 to its worker's ring and puts job 2 into its slot; both wait for job 2. Who was
// woken for job 1 was searching when the slot was filled.
struct last_searcher_looks_into_slots : fed_workers<last_searcher_looks_into_slots, 3, 3>
{
    static constexpr bool eager = true;
    static constexpr unsigned early_wakes = 1;
    static constexpr bool has_guard = false;
    static constexpr bool can_be_alone = false;

    model::countdown left{3};

    void work(worker& w, unsigned number)
    {
        if (number == 0)
        {
            post(w, 1);
            post_continuation(w, 2);
        }
        if (number != 2)
            jobs.wait_for(2);
        if (left.is_last())
            stop();
    }
};

// Two workers put a job each into their slots, and wait for both. Who takes them has one in hand
// and the other in its ring, where it may be in the way of who looked there before.
struct slots_of_several_blocked_workers_are_taken
    : workers<slots_of_several_blocked_workers_are_taken, 4, 4>
{
    static constexpr bool eager = true;
    static constexpr int threads = 5;
    static constexpr unsigned early_wakes = 0;
    static constexpr bool has_guard = false;
    static constexpr bool can_be_alone = false;

    model::meeting<4> all_begun;

    void thread(unsigned index)
    {
        if (index < 4)
            run();
        else
        {
            post_from_outside(0);
            post_from_outside(1);
        }
    }

    void work(worker& w, unsigned number)
    {
        if (number < 2)
            post_continuation(w, number + 2);
        all_begun.arrive_and_wait();
        stop();
    }
};

// Job 0 fills its slot twice: what is displaced moves to the ring.
struct displaced_jobs_are_found_too : fed_workers<displaced_jobs_are_found_too, 3, 3>
{
    static constexpr bool eager = true;
    static constexpr unsigned early_wakes = 1;
    static constexpr bool has_guard = false;
    static constexpr bool can_be_alone = false;

    model::meeting<3> all_begun;

    void work(worker& w, unsigned number)
    {
        if (number == 0)
        {
            post_continuation(w, 1);
            post_continuation(w, 2);
        }
        all_begun.arrive_and_wait();
        stop();
    }
};

// Job 0 puts job 1 into its worker's slot and waits for it. The worker may be alone and publish
// nothing: then the worker that joins must find job 1, whenever it comes.
struct joining_worker_finds_what_is_in_the_slot
    : blocked_with_a_full_slot<joining_worker_finds_what_is_in_the_slot, 2>
{
    static constexpr bool eager = true;
    static constexpr unsigned early_wakes = 1;
    static constexpr bool has_guard = false;
    static constexpr bool can_be_alone = true;
};

} // namespace

int main(int argc, char** argv)
{
    using model::by_priority;
    using model::make_check;
    return model::run(argc, argv,
        {
            make_check<slot_of_a_blocked_worker_is_taken<2>>(
                "slot_of_a_blocked_worker_is_taken.2", by_priority{100000}),
            make_check<slot_of_a_blocked_worker_is_taken<3>>(
                "slot_of_a_blocked_worker_is_taken.3", by_priority{100000}),
            make_check<last_searcher_looks_into_slots>(
                "last_searcher_looks_into_slots", by_priority{200000}),
            make_check<slots_of_several_blocked_workers_are_taken>(
                "slots_of_several_blocked_workers_are_taken", by_priority{100000}),
            make_check<displaced_jobs_are_found_too>(
                "displaced_jobs_are_found_too", by_priority{100000}),
            make_check<joining_worker_finds_what_is_in_the_slot>(
                "joining_worker_finds_what_is_in_the_slot", by_priority{100000}),
        });
}
