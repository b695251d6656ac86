// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "model/scheduler_fixture.hpp"

// In the library a worker stands aside for a moment. Here it does so until somebody calls it back:
// nothing is lost even then, unless those that run wait for something that nobody does.

namespace
{

using model::worker;
using model::workers;

template <int Workers, int Producers, unsigned Each>
struct injected_jobs_are_done
    : model::injected_jobs<injected_jobs_are_done<Workers, Producers, Each>, Workers, Producers,
          Each>
{
    static constexpr bool stands_aside = true;
    static constexpr unsigned early_wakes = 1;
};
WEFT_SCENARIO(by_priority{50000}, injected_jobs_are_done<2, 1, 2>);
WEFT_SCENARIO(by_priority{50000}, injected_jobs_are_done<2, 2, 2>);
WEFT_SCENARIO(by_priority{50000}, injected_jobs_are_done<3, 1, 3>);

// What job 0 leaves in its worker's ring and slot. The last piece of work that is outstanding ends
// everything.
template <int Workers>
struct jobs_from_inside_are_done : workers<jobs_from_inside_are_done<Workers>, Workers, 5>
{
    static constexpr bool stands_aside = true;

    model::countdown left{5};

    void work(worker& w, unsigned number)
    {
        if (number == 0)
        {
            this->post(w, 1);
            this->post(w, 2);
            this->post_continuation(w, 3);
        }
        if (number == 3)
            this->post(w, 4);
        if (left.is_last())
            this->work_finished();
    }
};
WEFT_SCENARIO(by_priority{50000}, jobs_from_inside_are_done<2>);
WEFT_SCENARIO(by_priority{50000}, jobs_from_inside_are_done<3>);

// One worker leaves after its first job, the other one does the rest.
struct who_is_left_does_the_rest : workers<who_is_left_does_the_rest, 2, 4>
{
    static constexpr bool stands_aside = true;

    model::countdown left{4};

    void thread(unsigned index)
    {
        if (index == 2)
            for (unsigned i = 0; i != 4; ++i)
                post_from_outside(i);
        else if (index == 0)
            run(1);
        else
            run();
    }

    void work(worker&, unsigned)
    {
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, who_is_left_does_the_rest);

// Job 0 blocks until job 1 is done, which it has left in its worker's ring.
struct who_is_left_does_what_another_waits_for
    : workers<who_is_left_does_what_another_waits_for, 2, 2>
{
    static constexpr bool stands_aside = true;

    model::countdown left{2};

    void work(worker& w, unsigned number)
    {
        if (number == 0)
        {
            post(w, 1);
            block([this] { jobs.wait_for(1); });
        }
        if (left.is_last())
            stop();
    }
};
WEFT_SCENARIO(by_priority{50000}, who_is_left_does_what_another_waits_for);

} // namespace
