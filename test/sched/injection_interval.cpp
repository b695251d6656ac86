// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/injection_interval.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>

using std::chrono::nanoseconds;
using weft::detail::injection_interval;

namespace
{

// As many turns of 61 handlers as leave nothing of what was recorded before.
void settle(injection_interval& i, nanoseconds per_handler)
{
    for (int turn = 0; turn != 20; ++turn)
        i.record(61, 61 * per_handler);
}

} // namespace

BOOST_AUTO_TEST_CASE(tuned_interval_starts_at_sixty_one)
{
    injection_interval const i(0);
    BOOST_TEST(i.value() == 61u);
}

BOOST_AUTO_TEST_CASE(fixed_interval_stays)
{
    injection_interval i(7);
    settle(i, nanoseconds(1'000'000));
    BOOST_TEST(i.value() == 7u);
}

BOOST_AUTO_TEST_CASE(two_hundred_microseconds_pass_between_two_looks)
{
    injection_interval i(0);
    settle(i, nanoseconds(10'000));
    BOOST_TEST(i.value() >= 18u);
    BOOST_TEST(i.value() <= 22u);
    settle(i, nanoseconds(2'000));
    BOOST_TEST(i.value() >= 98u);
    BOOST_TEST(i.value() <= 102u);
}

BOOST_AUTO_TEST_CASE(handlers_per_target_has_no_upper_bound_and_is_tuned_when_the_interval_is_fixed)
{
    injection_interval i(7);
    settle(i, nanoseconds(20));
    BOOST_TEST(i.handlers_per_target() >= 9'900u);
    BOOST_TEST(i.handlers_per_target() <= 10'100u);
    settle(i, nanoseconds(1'000'000));
    BOOST_TEST(i.handlers_per_target() == 1u);
    BOOST_TEST(i.value() == 7u);
}

BOOST_AUTO_TEST_CASE(bounds_hold_for_the_shortest_and_the_longest_handlers)
{
    injection_interval i(0);
    settle(i, nanoseconds(0));
    BOOST_TEST(i.value() == injection_interval::max);
    settle(i, std::chrono::seconds(10));
    BOOST_TEST(i.value() == injection_interval::min);
    settle(i, nanoseconds(0));
    BOOST_TEST(i.value() == injection_interval::max);
}

BOOST_AUTO_TEST_CASE(nothing_recorded_changes_nothing)
{
    injection_interval i(0);
    i.record(0, std::chrono::seconds(1));
    BOOST_TEST(i.value() == 61u);
}

BOOST_AUTO_TEST_CASE(small_changes_are_ignored)
{
    injection_interval i(0);
    // 200 us / 63: two more than at the start.
    settle(i, nanoseconds(3'174));
    BOOST_TEST(i.value() == 61u);
    settle(i, nanoseconds(3'076));
    BOOST_TEST(i.value() > 61u);
}

BOOST_AUTO_TEST_CASE(mean_is_weighted_by_handlers_and_not_by_batches)
{
    injection_interval one_by_one(0);
    injection_interval at_once(0);
    for (int n = 0; n != 10; ++n)
        one_by_one.record(1, nanoseconds(100'000));
    at_once.record(10, nanoseconds(1'000'000));
    BOOST_TEST(one_by_one.value() == at_once.value());
    BOOST_TEST(at_once.value() < 61u);
}
