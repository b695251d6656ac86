// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/late_searcher.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>

using weft::detail::late_searcher;
using weft::detail::ready_time;
using namespace std::chrono_literals;

namespace
{

ready_time at(std::chrono::nanoseconds time)
{
    return weft::detail::ready_time_at(std::chrono::steady_clock::time_point(1h + time));
}

// Somebody is woken at 0, when five have been taken.
struct woken_fixture
{
    woken_fixture()
    {
        (void)is_late(5, -1ms, -1ms);
        searcher.woken(at(0ns));
    }

    bool is_late(std::uint64_t taken, std::chrono::nanoseconds looked, std::chrono::nanoseconds now)
    {
        return searcher.is_late(taken, at(looked),
            [&]
            {
                ++looks;
                return at(now);
            });
    }

    late_searcher searcher;
    int looks = 0;
};

constexpr std::chrono::nanoseconds patience = late_searcher::patience;

} // namespace

BOOST_FIXTURE_TEST_SUITE(late, woken_fixture)

BOOST_AUTO_TEST_CASE(who_does_not_come_for_long_is_late)
{
    BOOST_TEST(!is_late(5, -1ms, 1us));
    BOOST_TEST(!is_late(5, -1ms, patience - 2us));
    BOOST_TEST(is_late(5, -1ms, patience + 2us));
}

BOOST_AUTO_TEST_CASE(and_again_after_as_long)
{
    BOOST_TEST(is_late(5, -1ms, patience + 2us));
    BOOST_TEST(!is_late(5, -1ms, patience + 4us));
    BOOST_TEST(is_late(5, -1ms, 2 * patience + 4us));
}

BOOST_AUTO_TEST_CASE(the_next_one_who_is_woken_has_as_long)
{
    searcher.woken(at(patience));
    BOOST_TEST(!is_late(5, -1ms, patience + 2us));
    BOOST_TEST(is_late(5, -1ms, 2 * patience + 2us));
}

// Somebody else runs: until it has looked at the clock for the last time, at least.
BOOST_AUTO_TEST_CASE(nobody_is_late_while_others_take_what_there_is)
{
    BOOST_TEST(!is_late(6, 2 * patience, 2 * patience + 10us));
    BOOST_TEST(!is_late(7, 3 * patience, 3 * patience + 10us));
    BOOST_TEST(looks == 0);
    BOOST_TEST(!is_late(7, 3 * patience, 4 * patience - 2us));
    BOOST_TEST(is_late(7, 3 * patience, 4 * patience + 2us));
}

BOOST_AUTO_TEST_SUITE_END()
