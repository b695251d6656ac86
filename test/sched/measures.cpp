// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/measures.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>

namespace
{

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using weft::detail::ready_time;
using weft::detail::standing_delay;
using weft::detail::time_in_state;

constexpr ready_time window = standing_delay::window;

} // namespace

BOOST_AUTO_TEST_SUITE(measures)

BOOST_AUTO_TEST_CASE(a_recorded_histogram_reads_as_what_was_recorded)
{
    weft::detail::recorded_histogram recorded;
    weft::duration_histogram expected;
    for (std::int64_t ns : {-1, 0, 1, 3, 4, 1000, 123'456'789})
    {
        recorded.record(nanoseconds(ns), 3);
        expected.record(nanoseconds(ns), 3);
    }
    BOOST_TEST((recorded.read() == expected));
}

// What a reader sees whose clock says `now`.
std::chrono::nanoseconds read(time_in_state const& t, std::int64_t now)
{
    return t.read([now] { return now; });
}

BOOST_AUTO_TEST_CASE(time_in_a_state_is_added_up_and_includes_what_lasts)
{
    time_in_state t;
    BOOST_TEST(read(t, 500).count() == 0);
    t.begin(1000);
    BOOST_TEST(read(t, 1400).count() == 400);
    t.end(1500);
    BOOST_TEST(read(t, 9000).count() == 500);
    t.begin(10'000);
    t.begin(10'500);
    BOOST_TEST(read(t, 11'000).count() == 1500);
    t.end(11'000);
    t.end(12'000);
    BOOST_TEST(read(t, 99'000).count() == 1500);
}

BOOST_AUTO_TEST_CASE(a_reader_whose_clock_is_behind_sees_no_negative_time)
{
    time_in_state t;
    t.begin(1000);
    BOOST_TEST(read(t, 900).count() == 0);
}

BOOST_AUTO_TEST_CASE(a_state_that_has_changed_under_a_slow_reader_is_read_again)
{
    time_in_state t;
    t.begin(1000);
    std::int64_t now = 2000;
    auto const slow = [&]
    {
        // Another time of 500 in it, of 8000 out of it, and 600 in it again.
        if (now == 2000)
        {
            t.end(2500);
            t.begin(10'500);
            now = 11'100;
            return std::int64_t{2000};
        }
        return now;
    };
    BOOST_TEST(t.read(slow).count() == 2100);
}

BOOST_AUTO_TEST_CASE(a_state_that_has_ended_under_a_slow_reader_lasts_no_longer)
{
    time_in_state t;
    t.begin(1000);
    auto const slow = [&]
    {
        t.end(1500);
        return std::int64_t{9000};
    };
    BOOST_TEST(t.read(slow).count() == 500);
}

BOOST_AUTO_TEST_CASE(the_standing_delay_is_the_least_of_the_last_whole_window)
{
    standing_delay d;
    d.fold(milliseconds(9), 5 * window);
    d.fold(milliseconds(7), 5 * window + 10);
    d.fold(milliseconds(8), 5 * window + 20);
    BOOST_TEST(d.last().count() == 0);
    d.fold(milliseconds(50), 6 * window);
    BOOST_TEST((d.last() > milliseconds(6) && d.last() <= milliseconds(7)));
    d.fold(milliseconds(60), 7 * window);
    BOOST_TEST((d.last() > milliseconds(49) && d.last() <= milliseconds(50)));
}

BOOST_AUTO_TEST_CASE(nothing_stands_when_somebody_has_nothing_to_do)
{
    standing_delay d;
    d.fold(milliseconds(9), 5 * window);
    d.fold(milliseconds(9), 6 * window);
    BOOST_TEST(d.last().count() > 0);
    d.clear();
    BOOST_TEST(d.last().count() == 0);
    d.fold(milliseconds(9), 6 * window + 1);
    BOOST_TEST(d.last().count() == 0);
}

BOOST_AUTO_TEST_CASE(a_delay_too_long_to_tell_is_the_longest)
{
    standing_delay d;
    d.fold(std::chrono::hours(1), 5 * window);
    d.fold(std::chrono::hours(1), 6 * window);
    BOOST_TEST((d.last() > std::chrono::seconds(17)));
}

BOOST_AUTO_TEST_SUITE_END()
