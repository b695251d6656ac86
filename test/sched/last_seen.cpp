// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/last_seen.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

using weft::detail::last_seen;
using time_point = last_seen::time_point;

BOOST_AUTO_TEST_CASE(what_nobody_has_seen_is_not_seen_lately)
{
    last_seen const s;
    BOOST_TEST(!s.is_lately(time_point()));
    BOOST_TEST(!s.is_lately(time_point(std::chrono::hours(24 * 365))));
}

BOOST_AUTO_TEST_CASE(what_has_been_seen_is_so_for_a_while)
{
    last_seen s;
    time_point const now(std::chrono::hours(1));
    s.note(now);
    BOOST_TEST(s.is_lately(now));
    BOOST_TEST(s.is_lately(now + last_seen::lately * 9 / 10));
    BOOST_TEST(!s.is_lately(now + last_seen::lately));
}

// Another worker may have read its clock before.
BOOST_AUTO_TEST_CASE(what_will_be_seen_is_seen_lately)
{
    last_seen s;
    time_point const now(std::chrono::hours(1));
    s.note(now);
    s.note(now - std::chrono::microseconds(50));
    BOOST_TEST(s.is_lately(now - std::chrono::microseconds(50)));
    BOOST_TEST(s.is_lately(now + last_seen::lately * 9 / 10));
}

BOOST_AUTO_TEST_CASE(what_is_seen_often_stays_so)
{
    last_seen s;
    time_point now(std::chrono::hours(1));
    s.note(now);
    for (int i = 0; i != 1000; ++i)
    {
        now += std::chrono::microseconds(50);
        s.note(now);
        BOOST_TEST(s.is_lately(now + last_seen::lately * 9 / 10));
    }
}
