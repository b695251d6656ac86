// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/deadline.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <ratio>

using weft::detail::deadline;
using weft::detail::deadline_after;
using weft::detail::deadline_at;

BOOST_AUTO_TEST_SUITE(platform_deadline)

BOOST_AUTO_TEST_CASE(a_time_that_has_passed_is_now)
{
    for (auto const time :
        {std::chrono::seconds(0), std::chrono::seconds(-5), (std::chrono::seconds::min)()})
    {
        auto const before = deadline::clock::now();
        deadline const d = deadline_after(time);
        BOOST_TEST((d >= before));
        BOOST_TEST((d <= deadline::clock::now()));
    }
}

BOOST_AUTO_TEST_CASE(a_time_is_never_cut_short)
{
    // Two thirds of the clock's unit.
    using unit = std::chrono::duration<std::int64_t,
        std::ratio_multiply<deadline::period, std::ratio<2, 3>>>;
    auto const before = deadline::clock::now();
    BOOST_TEST((deadline_after(unit(1)) >= before + deadline::duration(1)));
    BOOST_TEST((deadline_after(std::chrono::hours(1)) >= before + std::chrono::hours(1)));
}

BOOST_AUTO_TEST_CASE(what_the_clock_cannot_tell_is_its_last_point)
{
    BOOST_TEST((deadline_after((std::chrono::hours::max)()) == (deadline::max)()));
    BOOST_TEST((deadline_after((deadline::duration::max)()) == (deadline::max)()));
    BOOST_TEST((deadline_after(std::chrono::duration<double>(
                    std::numeric_limits<double>::infinity())) == (deadline::max)()));
}

BOOST_AUTO_TEST_CASE(a_point_in_another_unit_is_the_same)
{
    using weft::detail::deadline_of;
    using clock = deadline::clock;
    auto const now = clock::now();
    BOOST_TEST((deadline_of(now) == now));
    using hours = std::chrono::time_point<clock, std::chrono::hours>;
    BOOST_TEST((deadline_of(hours(std::chrono::hours(7))) == deadline(std::chrono::hours(7))));
    BOOST_TEST((deadline_of((hours::max)()) == (deadline::max)()));
    BOOST_TEST((deadline_of((hours::min)()) == (deadline::min)()));
    BOOST_TEST((deadline_of((deadline::max)()) == (deadline::max)()));
    BOOST_TEST((deadline_of((deadline::min)()) == (deadline::min)()));
}

BOOST_AUTO_TEST_CASE(points_that_no_clock_comes_to_are_far_away)
{
    using std::chrono::system_clock;
    using weft::detail::time_until;
    using hours = std::chrono::time_point<system_clock, std::chrono::hours>;
    BOOST_TEST(time_until((hours::max)()).count() > 1e9);
    BOOST_TEST(time_until((hours::min)()).count() < -1e9);
    BOOST_TEST(time_until(system_clock::now() - std::chrono::nanoseconds(1)).count() < 0);
}

BOOST_AUTO_TEST_CASE(a_point_of_another_clock_is_as_far_away)
{
    using std::chrono::system_clock;
    auto const before = deadline::clock::now();
    auto const in_an_hour = system_clock::now() + std::chrono::hours(1);
    deadline const d = deadline_at(in_an_hour);
    auto const latest = deadline::clock::now() + std::chrono::hours(1);
    // Somebody may set it meanwhile.
    auto const tolerance = std::chrono::minutes(10);
    BOOST_TEST((d > before + std::chrono::hours(1) - tolerance));
    BOOST_TEST((d < latest + tolerance));
}

BOOST_AUTO_TEST_CASE(a_point_that_has_passed_is_now_and_one_without_end_comes_late)
{
    using std::chrono::system_clock;
    auto const before = deadline::clock::now();
    auto const centuries = std::chrono::time_point<system_clock, std::chrono::hours>(
        std::chrono::hours(24 * 365 * 1000));
    for (deadline const d :
        {deadline_at((deadline::min)()), deadline_at((system_clock::time_point::min)()),
            deadline_at(system_clock::time_point()), deadline_at(before)})
    {
        BOOST_TEST((d >= before));
        BOOST_TEST((d <= deadline::clock::now()));
    }
    for (deadline const d : {deadline_at((deadline::max)()),
             deadline_at((system_clock::time_point::max)()), deadline_at(centuries)})
        BOOST_TEST((d > before + std::chrono::hours(24 * 365)));
}

BOOST_AUTO_TEST_SUITE_END()
