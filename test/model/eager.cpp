// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Slots that are open to everybody: what is in one is found like what is in a ring, and nobody is
// on guard.

#include "model/scheduler_fixture.hpp"

namespace
{

using model::blocked_with_a_full_slot;
using model::worker;
using model::workers;

// Job 0 puts job 1 into its worker's slot and waits for it.
template <int Workers>
struct slot_of_a_blocked_worker_is_taken
    : blocked_with_a_full_slot<slot_of_a_blocked_worker_is_taken<Workers>, Workers>
{
    static constexpr bool eager = true;
    static constexpr unsigned early_wakes = 1;
};
WEFT_SCENARIO(by_priority{100000}, slot_of_a_blocked_worker_is_taken<2>);
WEFT_SCENARIO(by_priority{100000}, slot_of_a_blocked_worker_is_taken<3>);

// Job 0 posts job 1 to its worker's ring and puts job 2 into its slot; both wait for job 2. Who was
// woken for job 1 was searching when the slot was filled.
struct last_searcher_looks_into_slots : workers<last_searcher_looks_into_slots, 3, 3>
{
    static constexpr bool eager = true;
    static constexpr unsigned early_wakes = 1;

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
WEFT_SCENARIO(by_priority{200000}, last_searcher_looks_into_slots);

// Two workers put a job each into their slots, and wait for both. Who takes them has one in hand
// and the other in its ring, where it may be in the way of who looked there before.
struct slots_of_several_blocked_workers_are_taken
    : workers<slots_of_several_blocked_workers_are_taken, 4, 4>
{
    static constexpr bool eager = true;

    model::meeting<4> all_begun;

    void outside()
    {
        post_from_outside(0);
        post_from_outside(1);
    }

    void work(worker& w, unsigned number)
    {
        if (number < 2)
            post_continuation(w, number + 2);
        all_begun.arrive_and_wait();
        stop();
    }
};
WEFT_SCENARIO(by_priority{100000}, slots_of_several_blocked_workers_are_taken);

// Job 0 fills its slot twice: what is displaced moves to the ring.
struct displaced_jobs_are_found_too : workers<displaced_jobs_are_found_too, 3, 3>
{
    static constexpr bool eager = true;
    static constexpr unsigned early_wakes = 1;

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
WEFT_SCENARIO(by_priority{100000}, displaced_jobs_are_found_too);

// Job 0 puts job 1 into its worker's slot and waits for it. The worker may be alone and publish
// nothing: then the worker that joins must find job 1, whenever it comes.
struct joining_worker_finds_what_is_in_the_slot
    : blocked_with_a_full_slot<joining_worker_finds_what_is_in_the_slot, 2>
{
    static constexpr bool eager = true;
    static constexpr unsigned early_wakes = 1;
    static constexpr bool can_be_alone = true;
};
WEFT_SCENARIO(by_priority{100000}, joining_worker_finds_what_is_in_the_slot);

} // namespace
