// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/context_scheduler.hpp>
#include <weft/sched/run_limits.hpp>
#include <weft/sched/scheduler.hpp>

#include "sched/context_under_test.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>
#include <vector>

using test::context_under_test;
using weft::detail::idle;
using weft::detail::run_limits;
using weft::detail::wait_mode;

BOOST_AUTO_TEST_CASE(operations_run_in_the_order_in_which_they_were_submitted)
{
    context_under_test c;
    std::vector<int> ran;
    for (int i = 0; i != 3; ++i)
        c->submit(c.operation([&ran, i] { ran.push_back(i); }));
    BOOST_TEST(!c->running_in_this_thread());
    BOOST_TEST(c->run() == 3u);
    BOOST_TEST(ran == (std::vector<int>{0, 1, 2}), boost::test_tools::per_element());
    BOOST_TEST(c->stopped());
    c->restart();
    BOOST_TEST(!c->stopped());
}

BOOST_AUTO_TEST_CASE(a_call_ends_after_as_many_as_it_may_run)
{
    context_under_test c;
    for (int i = 0; i != 3; ++i)
        c->submit(c.operation([] {}));
    BOOST_TEST(c->run({wait_mode::none, {}, 2}) == 2u);
    BOOST_TEST(c->run({wait_mode::none, {}, run_limits::unlimited}) == 1u);
}

BOOST_AUTO_TEST_CASE(a_thread_is_inside_while_an_operation_runs)
{
    context_under_test c;
    bool inside = false;
    c->submit(c.operation([&] { inside = c->running_in_this_thread(); }));
    (void)c->run();
    BOOST_TEST(inside);
}

BOOST_AUTO_TEST_CASE(a_worker_that_was_reserved_is_there)
{
    context_under_test c;
    c->reserve_workers(1);
    bool ran = false;
    c->submit(c.operation([&] { ran = true; }));
    c->run_reserved();
    BOOST_TEST(ran);
    c->reserve_workers(1);
    c->unreserve_worker();
    BOOST_CHECK_THROW(c->reserve_workers(idle::max_workers + 1), std::length_error);
}

BOOST_AUTO_TEST_CASE(what_is_queued_at_the_end_is_destroyed_and_not_run)
{
    auto const alive = std::make_shared<int>();
    {
        context_under_test c;
        c->submit(c.operation([alive] { BOOST_ERROR("it has run"); }));
        BOOST_TEST(alive.use_count() == 2);
    }
    BOOST_TEST(alive.use_count() == 1);
}
