// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/call_end.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>

namespace
{

using call_end = weft::detail::call_end<test::manual_traits>;

} // namespace

BOOST_FIXTURE_TEST_SUITE(end_of_a_call, test::manual_scheduler)

BOOST_AUTO_TEST_CASE(a_call_that_runs_all_there_is_does_not_sleep_and_looks_at_the_clock_once)
{
    driver.has_events = false;
    for (int i = 0; i != 10; ++i)
    {
        s.submit(make(i));
        std::size_t const looks = test::manual_clock::looks;
        BOOST_TEST(run() == 1u);
        BOOST_TEST(s.stopped.load());
        // But for the first, of which nothing is known.
        BOOST_TEST((i == 0 || test::manual_clock::looks - looks <= 1));
        s.stopped.store(false);
    }
    BOOST_TEST(s.full_sleeps.value() == 0u);
    BOOST_TEST(driver.waits.empty());
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_time_ends_so_too)
{
    s.submit(make(0));
    auto const until = test::manual_clock::time + std::chrono::seconds(1);
    BOOST_TEST(s.run({wait_mode::until, until}, weft::detail::joins_as::passing) == 1u);
    BOOST_TEST(s.stopped.load());
    BOOST_TEST(s.full_sleeps.value() == 0u);
}

BOOST_AUTO_TEST_CASE(it_does_not_end_while_work_is_outstanding)
{
    scheduler::run_level f(s);
    worker& w = acquire();
    BOOST_TEST(call_end::without_sleep(s, f, w));
    w.work_delta = 1;
    BOOST_TEST(!call_end::without_sleep(s, f, w));
    s.work.add(-1);
    BOOST_TEST(call_end::without_sleep(s, f, w));
    s.work.add(1);
    w.work_delta = 0;
    put(w, make(0));
    BOOST_TEST(!call_end::without_sleep(s, f, w));
}

// Nor where another one has a worker, whose queues may hold something.
BOOST_AUTO_TEST_CASE(nor_where_there_have_been_others)
{
    scheduler::run_level f(s);
    worker& w = acquire();
    (void)acquire();
    BOOST_TEST(!call_end::without_sleep(s, f, w));
    BOOST_TEST(!f.out_of_work);
}

// What is submitted from outside when the worker has seen that nothing is left belongs to the call.
BOOST_AUTO_TEST_CASE(what_comes_before_the_thread_is_counted_out_is_run_by_the_same_call)
{
    int posts = 3;
    s.submit(make(0));
    driver.on_work_finished = [&]
    {
        if (level().out_of_work && posts != 0)
            weft::detail::submission<test::manual_traits>::submit_outside(s, make(posts--));
    };
    BOOST_TEST(run() == 4u);
    BOOST_TEST(s.stopped.load());
}

BOOST_AUTO_TEST_SUITE_END()
