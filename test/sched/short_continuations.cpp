// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/short_continuations.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>

namespace
{

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

struct some_continuations
{
    void run(nanoseconds duration, int count = 1, std::uint64_t function = 1)
    {
        for (int i = 0; i != count; ++i)
        {
            (void)all.expected(function);
            all.begin(now);
            now += duration;
            all.look(now, false);
        }
    }

    /// How many of so many are expected to be short, or tried.
    unsigned expected(unsigned count, std::uint64_t function = 1)
    {
        unsigned result = 0;
        for (unsigned i = 0; i != count; ++i)
            result += all.expected(function);
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

BOOST_AUTO_TEST_CASE(each_kind_counts_for_itself)
{
    for (int i = 0; i != 200; ++i)
    {
        run(microseconds(1), 1, 1);
        run(microseconds(25), 1, 2);
    }
    BOOST_TEST(expected(100, 1) == 100u);
    BOOST_TEST(expected(100 * period, 2) == 100u);
    BOOST_TEST(!all.is_short());
}

BOOST_AUTO_TEST_CASE(kinds_that_come_once_do_not_take_the_place_of_those_that_come_often)
{
    std::uint64_t rare = 10;
    unsigned refused = 0;
    unsigned let_through = 0;
    for (int i = 0; i != 10'000; ++i)
    {
        refused += 1 - expected(1, 1);
        run(microseconds(1), 1, 1);
        if (expected(1, 2) != 0)
        {
            let_through += i >= 100;
            run(microseconds(50), 1, 2);
        }
        if (i % 10 == 0 && expected(1, ++rare) != 0)
            run(microseconds(50), 1, rare);
    }
    BOOST_TEST(refused == 0u);
    BOOST_TEST(let_through <= 2 * 10'000 / period);
}

BOOST_AUTO_TEST_CASE(one_of_too_many_kinds_is_expected_to_take_as_long_as_all)
{
    for (bool const are_long : {false, true})
    {
        unsigned let_through = 0;
        for (std::uint64_t kind = 1; kind <= 10'000; ++kind)
            if (expected(1, kind) != 0)
            {
                ++let_through;
                run(microseconds(are_long ? 50 : 1), 1, kind);
            }
        if (are_long)
            BOOST_TEST(let_through <= 100u);
        else
            BOOST_TEST(let_through == 10'000u);
    }
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
