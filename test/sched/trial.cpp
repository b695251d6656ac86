// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/trial.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>

namespace
{

using weft::detail::pace;
using weft::detail::trial;
using namespace std::chrono_literals;

// All run so many handlers in a microsecond with the worker, and without it.
struct cores
{
    cores()
    {
        turn.record(100, 10us);
    }

    void pass(std::chrono::microseconds time, unsigned rate)
    {
        now += time;
        done.handlers += static_cast<std::uint64_t>(time.count()) * rate;
    }

    bool is_due() const
    {
        return t.is_due(now, turn);
    }

    // How often the worker stands aside in one trial.
    unsigned rounds(unsigned with, unsigned without)
    {
        BOOST_TEST_REQUIRE(is_due());
        t.begin(now, done);
        BOOST_TEST(t.begun());
        BOOST_TEST(!is_due());
        pass(2 * trial::period, with);
        BOOST_TEST(is_due());
        BOOST_TEST(t.together(now, done));
        unsigned n = 0;
        bool again = true;
        while (again)
        {
            ++n;
            pass(trial::period, without);
            again = t.without(now, done);
        }
        t.end(now);
        BOOST_TEST(!t.begun());
        return n;
    }

    // A trial in which the worker stands aside, as in many before.
    void stand_aside_for_long()
    {
        for (int i = 0; i != 8; ++i)
            (void)rounds(10, 20);
        t.begin(now, done);
        pass(2 * trial::period, 10);
        BOOST_TEST(t.together(now, done));
    }

    // How long it is until the next trial is due.
    std::chrono::milliseconds wait()
    {
        auto const began = now;
        while (!is_due())
            pass(500us, 20);
        return std::chrono::duration_cast<std::chrono::milliseconds>(now - began);
    }

    trial t;
    pace turn{0};
    trial::time_point now{1s};
    weft::detail::tally done;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(a_trial, cores)

BOOST_AUTO_TEST_CASE(a_worker_that_is_of_use_is_tried_less_and_less_often)
{
    std::chrono::milliseconds expected = trial::shortest_interval;
    for (int i = 0; i != 20; ++i)
    {
        BOOST_TEST(rounds(20, 20) == 1u);
        BOOST_TEST(wait().count() == expected.count());
        expected = (std::min)(2 * expected, trial::longest_interval);
    }
}

BOOST_AUTO_TEST_CASE(a_worker_that_is_in_the_way_stands_aside_for_longer_and_longer)
{
    unsigned expected = 1;
    for (int i = 0; i != 10; ++i)
    {
        BOOST_TEST(rounds(10, 20) == expected);
        expected = (std::min)(4 * expected, trial::most_rounds);
    }
}

BOOST_AUTO_TEST_CASE(a_worker_comes_back_as_soon_as_less_is_done_without_it)
{
    stand_aside_for_long();
    for (int i = 0; i != 5; ++i)
    {
        pass(trial::period, 20);
        BOOST_TEST(t.without(now, done));
    }
    pass(trial::period, 0);
    BOOST_TEST(!t.without(now, done));
    t.end(now);
    BOOST_TEST(is_due());
}

// Both are as good, within the noise.
BOOST_AUTO_TEST_CASE(a_worker_that_is_not_in_the_way_does_not_stand_aside_for_a_little_more)
{
    BOOST_TEST(rounds(100, 114) == 1u);
    BOOST_TEST(!is_due());
}

BOOST_AUTO_TEST_CASE(one_trial_of_many_that_fails_takes_a_part_of_what_was_learned)
{
    for (int i = 0; i != 8; ++i)
        (void)rounds(10, 20);
    BOOST_TEST(rounds(20, 20) == 1u);
    (void)wait();
    BOOST_TEST(rounds(10, 20) == trial::most_rounds / 4);
}

BOOST_AUTO_TEST_CASE(what_is_done_while_there_is_nothing_to_do_tells_nothing)
{
    t.begin(now, done);
    pass(2 * trial::period, 10);
    ++done.full_sleeps;
    BOOST_TEST(!t.together(now, done));
    t.postpone(now);
    BOOST_TEST(!t.begun());
    BOOST_TEST(!is_due());
    BOOST_TEST((wait() == trial::shortest_interval));
}

BOOST_AUTO_TEST_CASE(what_is_done_in_a_long_time_tells_nothing)
{
    t.begin(now, done);
    pass(trial::most_periods * trial::period, 10);
    BOOST_TEST(t.together(now, done));
    t.postpone(now);
    t.begin(now, done);
    pass(trial::most_periods * trial::period + 1us, 10);
    BOOST_TEST(!t.together(now, done));
}

BOOST_AUTO_TEST_CASE(what_is_done_by_few_long_handlers_tells_nothing)
{
    for (unsigned const longer : {1u, 20u})
    {
        t.begin(now, done);
        pass(longer * 2 * trial::period, 0);
        done.handlers += longer * trial::least_handlers - 1;
        BOOST_TEST(!t.together(now, done));
        t.postpone(now);
        t.begin(now, done);
        pass(longer * 2 * trial::period, 0);
        done.handlers += longer * trial::least_handlers;
        BOOST_TEST(t.together(now, done));
        t.postpone(now);
    }
}

BOOST_AUTO_TEST_CASE(who_is_called_back_at_once_has_not_stood_aside)
{
    stand_aside_for_long();
    pass(trial::period / 2 - 1us, 100);
    BOOST_TEST(!t.without(now, done));
}

BOOST_AUTO_TEST_CASE(no_trial_is_due_for_who_looks_after_a_fixed_number_of_handlers)
{
    pace fixed{61};
    fixed.record(100, 10us);
    BOOST_TEST(!t.is_due(now, fixed));
}

BOOST_AUTO_TEST_CASE(no_trial_is_due_for_who_runs_long_handlers_or_has_run_none)
{
    BOOST_TEST(!t.is_due(now, pace{0}));
    pace longer{0};
    longer.record(1, 20us);
    BOOST_TEST(!t.is_due(now, longer));
}

BOOST_AUTO_TEST_SUITE_END()
