// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/thread_count.hpp>

#include "platform/this_thread.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

namespace
{

using weft::detail::thread_count;
using weft::detail::unknown_cpu;

} // namespace

BOOST_AUTO_TEST_CASE(with_more_threads_than_processors_the_callers_cpu_matters)
{
    std::vector<unsigned> const cpus = weft::detail::cpus_of_this_thread();
    BOOST_TEST_REQUIRE(!cpus.empty());
    thread_count inside(2);
    inside.set(3);
    for (unsigned const cpu : cpus)
    {
        BOOST_TEST_REQUIRE(weft::detail::run_this_thread_on({cpu}));
        BOOST_TEST(inside.cpu_if_crowded() == cpu);
    }
    BOOST_TEST(weft::detail::run_this_thread_on(cpus));
}

BOOST_AUTO_TEST_CASE(with_no_more_threads_than_processors_no_cpu_does)
{
    thread_count inside(2);
    BOOST_TEST(inside.get() == 0u);
    BOOST_TEST(inside.cpu_if_crowded() == unknown_cpu);
    inside.set(2);
    BOOST_TEST(inside.get() == 2u);
    BOOST_TEST(inside.cpu_if_crowded() == unknown_cpu);
}

BOOST_AUTO_TEST_CASE(where_the_number_of_processors_is_not_known_no_cpu_does)
{
    thread_count inside(unknown_cpu);
    inside.set(1000);
    BOOST_TEST(inside.cpu_if_crowded() == unknown_cpu);
}
