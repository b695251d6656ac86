// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/run_call.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <vector>

BOOST_FIXTURE_TEST_SUITE(run_call, test::manual_scheduler)

BOOST_AUTO_TEST_CASE(a_call_runs_as_many_as_it_may)
{
    for (int i = 0; i != 5; ++i)
        s.submit(make(i));
    BOOST_TEST(run(2) == 2u);
    BOOST_TEST(run(1, wait_mode::none) == 1u);
    BOOST_TEST(run() == 2u);
    BOOST_TEST(s.stopped.load());
    BOOST_TEST(run() == 0u);
}

BOOST_AUTO_TEST_CASE(a_poll_does_not_wait)
{
    s.work_started();
    BOOST_TEST(run(10, wait_mode::none) == 0u);
    for (long const usec : driver.waits)
        BOOST_TEST(usec == 0);
    s.work_finished();
}

BOOST_AUTO_TEST_CASE(a_nested_call_has_the_same_worker_and_is_not_the_end)
{
    s.submit(make(0,
        [&]
        {
            worker* const outer = &here();
            s.submit_continuation(make(1, [&, outer] { BOOST_TEST(outer == &here()); }));
            BOOST_TEST(run(1) == 1u);
            BOOST_TEST(!s.stopped.load());
            BOOST_TEST(s.sleepers.active() == 1u);
            s.submit(make(2));
        }));
    BOOST_TEST(run() == 2u);
    std::vector<int> const expected{0, 1, 2};
    BOOST_TEST(ran == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_the_outer_handler_has_captured_leaves_the_outer_call)
{
    s.submit(make(0,
        [&]
        {
            try
            {
                throw std::runtime_error("captured");
            }
            catch (...)
            {
                level().pending.capture_current();
            }
            s.submit(make(1));
            BOOST_CHECK_NO_THROW(run(1));
        }));
    BOOST_CHECK_THROW(run(), std::runtime_error);
    BOOST_TEST(ran.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
