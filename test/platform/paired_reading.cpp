// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "platform/paired_reading.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <vector>

namespace
{

// A counter that goes by one with each reading of either, and further when the thread is away.
struct two_clocks
{
    std::uint64_t count = 1000;
    int readings = 0;

    // How long it is away at each of the next readings of the clock, the last one first.
    std::vector<std::uint64_t> away;

    auto read(std::uint64_t enough)
    {
        return weft::detail::read_paired(
            [this]
            {
                ++readings;
                std::uint64_t const time = ++count;
                if (!away.empty())
                {
                    count += away.back();
                    away.pop_back();
                }
                return time;
            },
            [this] { return ++count; }, enough);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(platform_paired_reading, two_clocks)

BOOST_AUTO_TEST_CASE(one_reading_is_enough_if_nothing_comes_between)
{
    auto const both = read(2);
    BOOST_TEST(readings == 1);
    BOOST_TEST(both.time == both.count + 1);
    BOOST_TEST(both.passed == 2u);
}

BOOST_AUTO_TEST_CASE(it_is_repeated_until_little_has_passed)
{
    away = {500, 7, 600, 600};
    auto const both = read(10);
    BOOST_TEST(readings == 3);
    BOOST_TEST(both.time == both.count + 1);
    BOOST_TEST(both.passed == 9u);
}

BOOST_AUTO_TEST_CASE(the_best_of_all_is_taken_if_none_is_good_enough)
{
    away = {500, 400, 300, 600};
    auto const both = read(10);
    BOOST_TEST(readings == 4);
    BOOST_TEST(both.time == both.count + 1);
    BOOST_TEST(both.passed == 302u);
}

BOOST_AUTO_TEST_SUITE_END()
