// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "model/scheduler_fixture.hpp"

namespace
{

using model::blocked_with_a_full_slot;
using model::worker;
using model::workers;

// Job 0 puts job 1 into its worker's slot and waits for it. Nothing but the guard can find it
// there.
template <int Workers>
struct slot_of_a_stuck_worker_is_taken
    : blocked_with_a_full_slot<slot_of_a_stuck_worker_is_taken<Workers>, Workers>
{
    static constexpr unsigned early_wakes = 1;
    static constexpr bool has_guard = true;
};
WEFT_SCENARIO(by_priority{50000}, slot_of_a_stuck_worker_is_taken<2>);
WEFT_SCENARIO(by_priority{50000}, slot_of_a_stuck_worker_is_taken<3>);

// The same, when everybody has slept before, and nobody on guard.
template <int Workers>
struct guard_is_armed_after_a_full_sleep
    : blocked_with_a_full_slot<guard_is_armed_after_a_full_sleep<Workers>, Workers>
{
    static constexpr bool has_guard = true;

    void outside()
    {
        this->await_full_sleep();
        this->post_from_outside(0);
    }
};
WEFT_SCENARIO(by_priority{50000}, guard_is_armed_after_a_full_sleep<2>);
WEFT_SCENARIO(by_priority{50000}, guard_is_armed_after_a_full_sleep<3>);

// Another job from outside keeps a second worker, which may be the one that was on guard.
struct busy_guard_is_replaced : workers<busy_guard_is_replaced, 3, 3>
{
    static constexpr int threads = 5;
    static constexpr bool has_guard = true;

    void thread(unsigned index)
    {
        if (index < 3)
            run();
        else
            post_from_outside(index == 3 ? 0 : 2);
    }

    model::countdown left{3};

    void work(worker& w, unsigned number)
    {
        if (number == 0)
            post_continuation(w, 1);
        if (number != 1)
            jobs.wait_for(1);
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, busy_guard_is_replaced);

// A worker with a full slot comes back from its job just when the guard is about to take what is
// there.
struct owner_and_guard_take_each_job_once : workers<owner_and_guard_take_each_job_once, 2, 2>
{
    static constexpr bool has_guard = true;

    model::countdown left{2};

    void work(worker& w, unsigned number)
    {
        if (number == 0)
        {
            post_continuation(w, 1);
            await_sleeps_of_others(w, 3);
        }
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, owner_and_guard_take_each_job_once);

} // namespace
