// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/standby.hpp"

#include <boost/test/unit_test.hpp>

using weft::detail::standby;

BOOST_AUTO_TEST_SUITE(who_stands_by)

BOOST_AUTO_TEST_CASE(without_a_standby_nobody_watches)
{
    standby s;
    BOOST_TEST(!s.is_there());
    BOOST_TEST(!s.begin());
    BOOST_TEST(!s.is_watching());
}

BOOST_AUTO_TEST_CASE(there_is_one_at_a_time)
{
    standby s;
    BOOST_TEST(s.enter());
    BOOST_TEST(!s.enter());
    BOOST_TEST(!s.leave());
    BOOST_TEST(s.enter());
    BOOST_TEST(!s.leave());
}

BOOST_AUTO_TEST_CASE(nobody_watches_with_what_is_not_made)
{
    standby s;
    BOOST_TEST(s.enter());
    BOOST_TEST(!s.is_there());
    BOOST_TEST(!s.begin());
    s.is_ready();
    BOOST_TEST(s.is_there());
    BOOST_TEST(s.begin());
    BOOST_TEST(s.leave());
}

BOOST_AUTO_TEST_CASE(a_watch_that_goes_on_may_begin_again)
{
    standby s;
    BOOST_TEST(s.enter());
    s.is_ready();
    BOOST_TEST(s.begin());
    BOOST_TEST(s.begin());
    BOOST_TEST(s.is_watching());
    BOOST_TEST(s.leave());
    BOOST_TEST(!s.is_watching());
}

BOOST_AUTO_TEST_CASE(who_comes_back_ends_the_watch_and_not_the_sleep)
{
    standby s;
    BOOST_TEST(s.enter());
    s.is_ready();
    BOOST_TEST(s.begin());
    s.end();
    BOOST_TEST(!s.is_watching());
    BOOST_TEST(s.is_there());
    BOOST_TEST(!s.leave());
    s.end();
    BOOST_TEST(!s.is_there());
}

// Posts from outside wake the standby of a server again and again.
BOOST_AUTO_TEST_CASE(there_is_none_where_nobody_could_use_one)
{
    standby s;
    unsigned entered = 0;
    for (int i = 0; i != 100 && s.enter(); ++i)
    {
        ++entered;
        s.is_ready();
        BOOST_TEST(!s.leave());
    }
    BOOST_TEST(entered == 8u);
    s.is_of_use();
    BOOST_TEST(s.enter());
    s.is_ready();
    BOOST_TEST(s.begin());
    BOOST_TEST(s.leave());
    BOOST_TEST(s.enter());
}

BOOST_AUTO_TEST_SUITE_END()
