// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/short_continuations.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace
{

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

struct some_continuations
{
    void run(nanoseconds duration, int count = 1)
    {
        for (int i = 0; i != count; ++i)
        {
            all.begin(now);
            now += duration;
            all.look(now, false);
        }
    }

    /// How many of so many are expected to be short, or tried.
    unsigned expected(unsigned count)
    {
        unsigned result = 0;
        for (unsigned i = 0; i != count; ++i)
            result += all.expected();
        return result;
    }

    static constexpr unsigned period = weft::detail::short_continuations::trial_period;
    weft::detail::short_continuations all;
    weft::detail::short_continuations::time_point now{hours(1)};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(short_continuations, some_continuations)

BOOST_AUTO_TEST_CASE(they_are_short_until_they_have_been_long)
{
    BOOST_TEST(expected(100) == 100u);
    run(microseconds(1), 100);
    BOOST_TEST(expected(100) == 100u);
    run(microseconds(15), 100);
    BOOST_TEST(expected(100 * period) == 100u);
    run(microseconds(1), 100);
    BOOST_TEST(expected(100) == 100u);
}

BOOST_AUTO_TEST_CASE(one_in_many_may_take_as_long_as_it_will)
{
    for (int i = 0; i != 100; ++i)
    {
        run(microseconds(1), 20);
        run(milliseconds(4));
        BOOST_TEST_REQUIRE(expected(10) == 10u);
    }
}

BOOST_AUTO_TEST_CASE(what_comes_before_it_does_not_count)
{
    for (int i = 0; i != 100; ++i)
    {
        all.begin(now);
        now += milliseconds(1);
        all.look(now, true);
        now += microseconds(1);
        all.look(now, false);
    }
    BOOST_TEST(expected(100) == 100u);
}

BOOST_AUTO_TEST_CASE(nor_does_one_that_is_forgotten_or_a_look_without_one)
{
    for (int i = 0; i != 100; ++i)
    {
        all.begin(now);
        all.forget();
        now += milliseconds(1);
        all.look(now, false);
        now += milliseconds(1);
        all.look(now, false);
    }
    BOOST_TEST(expected(100) == 100u);
}

BOOST_AUTO_TEST_SUITE_END()
