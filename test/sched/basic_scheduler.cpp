// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/basic_scheduler.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

BOOST_FIXTURE_TEST_SUITE(basic_scheduler, test::manual_scheduler)

BOOST_AUTO_TEST_CASE(a_task_may_be_run_in_the_submitters_call_only_inside)
{
    BOOST_TEST(!s.enter_dispatch());
    s.submit(make(0,
        [&]
        {
            here().asio.posted.push_back(make(1));
            BOOST_TEST(s.enter_dispatch());
            BOOST_TEST(here().asio.posted.empty());
            BOOST_TEST(here().ring.size() == 1u);
        }));
    BOOST_TEST(run() == 2u);
}

BOOST_AUTO_TEST_CASE(statistics_tell_what_was_run_and_what_is_queued)
{
    s.submit(make(0,
        [&]
        {
            s.submit(make(1));
            s.submit_continuation(make(2));
        }));
    s.submit(make(3));
    run(1);
    auto const now = s.snapshot();
    BOOST_TEST(now.workers.size() == 1u);
    BOOST_TEST(now.total.handlers == 1u);
    BOOST_TEST(now.total.remote_pushes >= 2u);
    BOOST_TEST(now.injection_depth + now.total.queue_depth == 3u);
    run();
    BOOST_TEST(s.snapshot().total.handlers == 4u);
}

BOOST_AUTO_TEST_SUITE_END()
