// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/busy_poll.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace
{

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

struct some_sleeps
{
    void sleep(nanoseconds duration, int count = 1)
    {
        for (int i = 0; i != count; ++i)
        {
            polls.sleeps(now);
            now += duration;
            polls.wakes(now);
        }
    }

    void find(nanoseconds after, int count = 1)
    {
        for (int i = 0; i != count; ++i)
            polls.found(after);
    }

    void miss(int count = 1)
    {
        for (int i = 0; i != count; ++i)
            polls.missed(polls.longest);
    }

    /// How many short sleeps it takes until it is tried.
    int needed()
    {
        int count = 0;
        for (; !polls.pays(); ++count)
            sleep(microseconds(5));
        return count;
    }

    weft::detail::busy_poll polls;
    weft::detail::busy_poll::time_point now{hours(1)};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(busy_poll, some_sleeps)

BOOST_AUTO_TEST_CASE(a_few_short_sleeps_make_it_pay)
{
    BOOST_TEST(!polls.pays());
    BOOST_TEST(needed() == 4);
}

BOOST_AUTO_TEST_CASE(long_sleeps_do_not)
{
    sleep(microseconds(21), 1000);
    BOOST_TEST(!polls.pays());
    BOOST_TEST(needed() == 4);
}

BOOST_AUTO_TEST_CASE(nor_do_short_ones_among_as_many_long_ones)
{
    for (int i = 0; i != 1000; ++i)
    {
        sleep(microseconds(5));
        sleep(milliseconds(1));
    }
    BOOST_TEST(!polls.pays());
}

// What is gained is a sleep, less the time until something came.
BOOST_AUTO_TEST_CASE(it_pays_while_it_takes_less_time_than_the_sleeps_would)
{
    (void)needed();
    for (int i = 0; i != 1000; ++i)
    {
        find(microseconds(4), 2);
        miss();
        BOOST_TEST_REQUIRE(polls.pays());
    }
    for (int i = 0; i != 20 && polls.pays(); ++i)
    {
        find(microseconds(5), 2);
        miss();
    }
    BOOST_TEST(!polls.pays());
}

BOOST_AUTO_TEST_CASE(what_it_has_gained_it_loses_by_four_in_vain)
{
    (void)needed();
    find(microseconds(1), 1000);
    miss(3);
    BOOST_TEST(polls.pays());
    miss();
    BOOST_TEST(!polls.pays());
}

// As with spin_rounds = 0.
BOOST_AUTO_TEST_CASE(a_look_that_takes_no_time_counts_as_one_of_a_microsecond)
{
    (void)needed();
    for (int i = 0; i != 7; ++i)
        polls.missed(nanoseconds(0));
    BOOST_TEST(polls.pays());
    polls.missed(nanoseconds(0));
    BOOST_TEST(!polls.pays());
}

// As where whoever would send something waits for the core of this worker.
BOOST_AUTO_TEST_CASE(the_more_often_it_was_in_vain_the_later_it_is_tried_again)
{
    int last = needed();
    for (int i = 0; i != 8; ++i)
    {
        miss();
        int const next = needed();
        BOOST_TEST(next == 2 * last);
        last = next;
    }
    for (int i = 0; i != 10; ++i)
    {
        miss();
        BOOST_TEST(needed() == 1024);
    }
}

BOOST_AUTO_TEST_CASE(that_is_forgotten_once_it_has_paid_for_a_while)
{
    for (int i = 0; i != 10; ++i)
    {
        (void)needed();
        miss();
    }
    (void)needed();
    find(microseconds(4), 6);
    miss(4);
    BOOST_TEST(!polls.pays());
    BOOST_TEST(needed() == 8);
}

BOOST_AUTO_TEST_CASE(what_it_has_not_been_told_of_is_no_sleep)
{
    for (int i = 0; i != 100; ++i)
        polls.wakes(now);
    BOOST_TEST(!polls.pays());
}

BOOST_AUTO_TEST_SUITE_END()
