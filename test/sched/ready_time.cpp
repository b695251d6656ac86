// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/ready_time.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using weft::detail::age;
using weft::detail::is_estimated;
using weft::detail::is_sampled;
using weft::detail::ready_time;
using weft::detail::ready_time_at;

BOOST_AUTO_TEST_CASE(an_age_is_right_across_the_wrap)
{
    using clock = std::chrono::steady_clock;
    auto const wrap = nanoseconds(std::int64_t{1} << 40);
    for (auto const start : {nanoseconds(0), wrap - milliseconds(1), wrap, 3 * wrap})
    {
        auto const at = [&](nanoseconds after)
        {
            return ready_time_at(clock::time_point(start + after));
        };
        BOOST_TEST(age(at(nanoseconds(0)), at(milliseconds(5))).count() > 4'990'000);
        BOOST_TEST(age(at(nanoseconds(0)), at(milliseconds(5))).count() < 5'010'000);
        BOOST_TEST(age(at(milliseconds(5)), at(nanoseconds(0))).count() == 0);
        BOOST_TEST(
            (age(at(nanoseconds(0)), at(std::chrono::minutes(17))) > std::chrono::minutes(16)));
        // Not in the future: so long ago that it cannot be told apart.
        BOOST_TEST((age(at(milliseconds(2000)), at(nanoseconds(0))) > std::chrono::minutes(17)));
        // But for who looked at the clock some time ago.
        BOOST_TEST(
            age(at(std::chrono::minutes(1)), at(nanoseconds(0)), weft::detail::a_while).count() ==
            0);
    }
}

BOOST_AUTO_TEST_CASE(how_a_time_is_known_is_no_part_of_it)
{
    using clock = std::chrono::steady_clock;
    auto const earlier = ready_time_at(clock::time_point(milliseconds(7)));
    auto const later = ready_time_at(clock::time_point(milliseconds(8)));
    for (ready_time const how : {ready_time{0}, is_sampled, is_estimated})
        for (ready_time const other : {ready_time{0}, is_sampled, is_estimated})
        {
            BOOST_TEST((age(earlier | how, later | other) == age(earlier, later)));
            BOOST_TEST(age(earlier | how, earlier | other).count() == 0);
        }
}
