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
using weft::detail::waits;

struct some_continuations
{
    void run(nanoseconds duration, int count = 1, std::uint64_t function = 1, bool finds = true)
    {
        for (int i = 0; i != count; ++i)
        {
            (void)all.expected(function, waits::not_at_all, gains);
            all.begin(now, gains);
            now += duration;
            if (finds)
                all.finds();
            all.look(now, false, gains);
        }
    }

    /// So many that have waited.
    void run_waited(int count, bool finds, std::uint64_t function = 1)
    {
        for (int i = 0; i != count; ++i)
        {
            all.begin_waited(function);
            now += microseconds(1);
            if (finds)
                all.finds();
            all.look(now, false, gains);
        }
    }

    /// How many of so many are expected to be short, or tried.
    unsigned expected(unsigned count, std::uint64_t function = 1, waits when = waits::not_at_all)
    {
        unsigned result = 0;
        for (unsigned i = 0; i != count; ++i)
            result += all.expected(function, when, gains);
        return result;
    }

    /// The same, where others wait.
    unsigned before_others(unsigned count, std::uint64_t function = 1)
    {
        return expected(count, function, waits::if_it_gains);
    }

    /// The same, where handlers are long as well.
    unsigned before_long_ones(unsigned count)
    {
        return expected(count, 1, waits::if_it_finds);
    }

    static constexpr unsigned period = weft::detail::short_continuations::trial_period;
    weft::detail::gains_of_waiting gains;
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
        (void)expected(1);
        all.begin(now, gains);
        now += milliseconds(1);
        all.look(now, true, gains);
        now += microseconds(1);
        all.look(now, false, gains);
    }
    BOOST_TEST(expected(100) == 100u);
}

BOOST_AUTO_TEST_CASE(nor_does_one_that_is_forgotten_or_a_look_without_one)
{
    for (int i = 0; i != 100; ++i)
    {
        (void)expected(1);
        all.begin(now, gains);
        all.forget();
        now += milliseconds(1);
        all.look(now, false, gains);
        now += milliseconds(1);
        all.look(now, false, gains);
    }
    BOOST_TEST(expected(100) == 100u);
}

// As where clients have answered by then.
BOOST_AUTO_TEST_CASE(they_wait_as_long_as_those_that_wait_find_something)
{
    BOOST_TEST(before_others(1000) == 0u);
    // Unless nothing waits beside them.
    BOOST_TEST(expected(1000) == 1000u);
    run_waited(100 * period, true);
    BOOST_TEST(before_others(1000) == 0u);
    run_waited(100 * period, false);
    BOOST_TEST(before_others(100 * period) == 100 * (period - 1));
}

BOOST_AUTO_TEST_CASE(those_that_come_at_once_are_made_to_wait_now_and_then)
{
    (void)expected(1);
    run_waited(100 * period, false);
    BOOST_TEST(before_others(100 * period) == 100 * (period - 1));
    run_waited(16, true);
    BOOST_TEST(before_others(1000) == 0u);
}

BOOST_AUTO_TEST_CASE(what_they_have_found_is_known_though_that_comes_next_at_once)
{
    (void)expected(1);
    run_waited(100 * period, false);
    BOOST_TEST_REQUIRE(before_others(1) == 1u);
    for (int i = 0; i != 16; ++i)
    {
        all.begin_waited(1);
        all.finds();
        (void)expected(1, 2);
        all.begin(now, gains);
        all.look(now, false, gains);
    }
    BOOST_TEST(before_others(1000) == 0u);
}

// As where a client sends without waiting for answers.
BOOST_AUTO_TEST_CASE(there_is_no_gain_where_those_that_come_at_once_find_something_too)
{
    for (bool const finds : {true, false})
    {
        run(microseconds(1), 100 * period, 1, finds);
        run_waited(100 * period, true);
        BOOST_TEST((before_others(period) != 0u) == finds);
    }
}

BOOST_AUTO_TEST_CASE(beside_long_handlers_they_wait_if_they_find_something_then_gain_or_not)
{
    run(microseconds(1), 100 * period, 1, true);
    run_waited(100 * period, true);
    BOOST_TEST_REQUIRE(before_others(period) != 0u);
    BOOST_TEST(before_long_ones(1000) == 0u);
    run_waited(100 * period, false);
    BOOST_TEST(before_long_ones(100 * period) == 100 * (period - 1));
    run_waited(16, true);
    BOOST_TEST(before_long_ones(1000) == 0u);
}

// Of those that all wait one in so many is watched, of those that have been made to wait each.
BOOST_AUTO_TEST_CASE(what_is_watched_is_seen_as_soon_whether_they_gain_or_not)
{
    run(microseconds(1), 100 * period, 1, true);
    run_waited(100 * period, true);
    BOOST_TEST_REQUIRE(before_others(period) != 0u);
    run_waited(32, false);
    BOOST_TEST(before_long_ones(2) != 0u);
    run_waited(32, true);
    BOOST_TEST(before_long_ones(2) == 0u);
    run_waited(32, false);
    BOOST_TEST(before_long_ones(2) == 0u);
}

BOOST_AUTO_TEST_CASE(what_other_kinds_find_does_not_count)
{
    for (std::uint64_t kind = 1; kind <= 10; ++kind)
        (void)expected(1, kind);
    for (std::uint64_t kind = 1; kind <= 10; ++kind)
        run_waited(100 * period, kind != 7, kind);
    for (std::uint64_t kind = 1; kind <= 10; ++kind)
        BOOST_TEST((before_others(2, kind) != 0u) == (kind == 7));
}

BOOST_AUTO_TEST_CASE(another_worker_does_as_the_first_one_has_found)
{
    weft::detail::short_continuations other;
    BOOST_TEST(!other.expected(1, waits::if_it_gains, gains));
    (void)expected(1);
    run_waited(100 * period, false);
    BOOST_TEST(other.expected(1, waits::if_it_gains, gains));
    BOOST_TEST(other.expected(1, waits::if_it_gains, gains));
}

BOOST_AUTO_TEST_CASE(one_that_comes_at_once_is_not_taken_for_one_that_has_waited)
{
    for (unsigned i = 0; i != 100 * period; ++i)
    {
        (void)expected(1);
        all.begin(now, gains);
        all.begin_waited(1);
        all.look(now, false, gains);
        // Nor one of a kind that is not known.
        all.begin_waited(2);
        all.look(now, false, gains);
    }
    BOOST_TEST(before_others(1000) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
