// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/ready_time.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using weft::detail::age;
using weft::detail::ready_time_at;

BOOST_AUTO_TEST_CASE(an_age_is_right_across_the_wrap)
{
    using clock = std::chrono::steady_clock;
    auto const wrap = nanoseconds(std::int64_t{1} << 42);
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
            (age(at(nanoseconds(0)), at(std::chrono::minutes(70))) > std::chrono::minutes(69)));
        // Not in the future: so long ago that it cannot be told apart.
        BOOST_TEST((age(at(milliseconds(2000)), at(nanoseconds(0))) > std::chrono::minutes(60)));
    }
}
