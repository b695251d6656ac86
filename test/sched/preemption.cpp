// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/preemption.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>

namespace
{

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

struct told_thread
{
    weft::detail::preemption preempted;
    weft::detail::thread_usage usage;
    weft::detail::preemption::time_point now{std::chrono::hours(1)};
    std::uint64_t handlers = 0;

    void run(nanoseconds time)
    {
        now += time;
        usage.cpu += time;
    }

    // A turn that ends now.
    nanoseconds without(nanoseconds elapsed)
    {
        handlers += 1000;
        return preempted.without(elapsed, now, handlers, usage);
    }

    void know()
    {
        (void)without(milliseconds(1));
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(preemption, told_thread)

BOOST_AUTO_TEST_CASE(a_turn_took_what_its_thread_has_run)
{
    know();
    run(milliseconds(5));
    now += milliseconds(9);
    BOOST_TEST(without(milliseconds(10)).count() == nanoseconds(milliseconds(1)).count());
}

BOOST_AUTO_TEST_CASE(all_of_it_if_the_thread_has_not_been_preempted)
{
    know();
    run(milliseconds(50));
    BOOST_TEST(without(milliseconds(10)).count() == nanoseconds(milliseconds(10)).count());
}

BOOST_AUTO_TEST_CASE(however_long_a_turn_is_what_was_read_before_it_is_of_use)
{
    know();
    run(milliseconds(400));
    now += milliseconds(100);
    BOOST_TEST(without(milliseconds(500)).count() == nanoseconds(milliseconds(400)).count());
}

BOOST_AUTO_TEST_CASE(what_a_thread_has_run_counts_also_if_it_has_waited)
{
    know();
    run(milliseconds(3));
    now += milliseconds(4);
    ++usage.waits;
    BOOST_TEST(without(milliseconds(7)).count() == nanoseconds(milliseconds(3)).count());
}

// The clocks are not read at once.
BOOST_AUTO_TEST_CASE(no_turn_took_less_than_nothing_or_more_than_it_did)
{
    know();
    now += milliseconds(9);
    BOOST_TEST(without(milliseconds(8)).count() == 0);
    run(milliseconds(1));
    usage.cpu += milliseconds(5);
    BOOST_TEST(without(milliseconds(1)).count() == nanoseconds(milliseconds(1)).count());
}

BOOST_AUTO_TEST_CASE(one_wait_is_no_long_handler_but_several_are)
{
    know();
    for (int i = 0; i != 5; ++i)
    {
        now += milliseconds(7);
        ++usage.waits;
        BOOST_TEST(without(milliseconds(7)).count() == preempted.doubtful.count());
    }
    for (int i = 0; i != 5; ++i)
    {
        now += milliseconds(7);
        ++usage.waits;
        handlers -= 900;
        BOOST_TEST(without(milliseconds(7)).count() == nanoseconds(milliseconds(7)).count());
    }
}

BOOST_AUTO_TEST_CASE(who_has_slept_or_was_not_asked_for_a_while_is_not_known)
{
    know();
    preempted.forget();
    now += milliseconds(5);
    BOOST_TEST(without(milliseconds(5)).count() == preempted.doubtful.count());
    now += milliseconds(5);
    BOOST_TEST(without(milliseconds(5)).count() == 0);
    now += milliseconds(500);
    BOOST_TEST(without(milliseconds(5)).count() == preempted.doubtful.count());
}

BOOST_AUTO_TEST_SUITE_END()
