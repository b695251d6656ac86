// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "platform/this_thread.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <thread>

BOOST_AUTO_TEST_SUITE(this_thread)

BOOST_AUTO_TEST_CASE(a_thread_that_computes_has_used_cpu)
{
    weft::detail::thread_usage before;
    BOOST_TEST_REQUIRE(weft::detail::read_usage_of_this_thread(before));
    weft::detail::thread_usage after;
    do
        BOOST_TEST_REQUIRE(weft::detail::read_usage_of_this_thread(after));
    while (after.cpu - before.cpu < std::chrono::milliseconds(1));
    BOOST_TEST((after.cpu > before.cpu));
}

BOOST_AUTO_TEST_CASE(a_thread_that_sleeps_has_waited)
{
    weft::detail::thread_usage before;
    BOOST_TEST_REQUIRE(weft::detail::read_usage_of_this_thread(before));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    weft::detail::thread_usage after;
    BOOST_TEST_REQUIRE(weft::detail::read_usage_of_this_thread(after));
    BOOST_TEST(after.waits > before.waits);
}

BOOST_AUTO_TEST_SUITE_END()
