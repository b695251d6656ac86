// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/ending.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

namespace
{

using ending_of = weft::detail::ending<test::manual_traits>;

} // namespace

BOOST_FIXTURE_TEST_SUITE(ending, test::manual_scheduler)

BOOST_AUTO_TEST_CASE(what_is_queued_anywhere_or_outstanding_is_work_that_is_left)
{
    worker& w = acquire();
    BOOST_TEST(ending_of::no_work_left(s));
    s.work_started();
    BOOST_TEST(!ending_of::no_work_left(s));
    s.work_finished();
    // By Asio's count alone.
    driver.outstanding = 1;
    BOOST_TEST(!ending_of::no_work_left(s));
    driver.outstanding = 0;
    put(w, make(0));
    BOOST_TEST(!ending_of::no_work_left(s));
    test::task_entry taken;
    BOOST_TEST(w.owned_ring().pop(taken));
    BOOST_TEST(!w.lifo.put(make(1)));
    BOOST_TEST(!ending_of::no_work_left(s));
    (void)w.lifo.take();
    s.submit(make(2));
    BOOST_TEST(!ending_of::no_work_left(s));
    s.stopped.store(false);
    run();
    BOOST_TEST(ending_of::no_work_left(s));
}

BOOST_AUTO_TEST_CASE(work_that_a_task_starts_and_ends_is_counted_by_its_worker)
{
    s.submit(make(0,
        [&]
        {
            s.work_started();
            BOOST_TEST(s.work.value() == 0);
            BOOST_TEST(here().work_delta == 1);
            driver.events.emplace_back(make(1, [&] { s.work_finished(); }));
        }));
    BOOST_TEST(run() == 2u);
    BOOST_TEST(s.work.value() == 0);
}

BOOST_AUTO_TEST_CASE(the_last_work_that_ends_outside_stops_an_idle_scheduler)
{
    s.work_started();
    s.work_started();
    s.work_finished();
    BOOST_TEST(!s.stopped.load());
    s.work_finished();
    BOOST_TEST(s.stopped.load());
}

BOOST_AUTO_TEST_CASE(all_that_is_queued_is_destroyed_without_being_run)
{
    worker& w = acquire();
    put(w, make(0));
    BOOST_TEST(!w.lifo.put(make(1)));
    w.asio.posted.push_back(make(2));
    s.submit(make(3));
    s.destroy_queued();
    for (test::task const& t : tasks)
        BOOST_TEST(t.destroyed);
    BOOST_TEST(ran.empty());
}

BOOST_AUTO_TEST_SUITE_END()
