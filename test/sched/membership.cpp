// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/membership.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

BOOST_FIXTURE_TEST_SUITE(membership, test::manual_scheduler)

BOOST_AUTO_TEST_CASE(a_thread_is_counted_while_it_is_inside)
{
    s.submit(make(0, [&] { BOOST_TEST(s.sleepers.active() == 1u); }));
    run();
    BOOST_TEST(s.sleepers.active() == 0u);
    BOOST_TEST(!test::manual_traits::innermost);
}

BOOST_AUTO_TEST_CASE(a_thread_that_leaves_empties_its_slot_for_others)
{
    s.submit(make(0,
        [&]
        {
            s.submit_continuation(make(1));
            here().asio.posted.push_back(make(2));
        }));
    BOOST_TEST(run(1) == 1u);
    BOOST_TEST(s.workers[0].lifo.empty());
    BOOST_TEST(s.workers[0].ring.size() == 2u);
    BOOST_TEST(run() == 2u);
}

BOOST_AUTO_TEST_CASE(a_thread_that_blocks_has_no_worker_and_is_outstanding_work)
{
    s.submit(make(0,
        [&]
        {
            auto& f = level();
            s.submit_continuation(make(1));
            here().asio.posted.push_back(make(2));
            s.hand_off(f);
            BOOST_TEST(!f.w);
            BOOST_TEST(f.entry->hidden);
            BOOST_TEST(s.sleepers.active() == 0u);
            BOOST_TEST(s.work.value() == 1);
            BOOST_TEST(s.workers[0].ring.size() == 2u);
            s.submit(make(3));
            BOOST_TEST(s.injected.size() == 1u);
            s.take_back(f);
            BOOST_TEST(f.w);
            BOOST_TEST(!f.entry->hidden);
            BOOST_TEST(s.sleepers.active() == 1u);
        }));
    BOOST_TEST(run() == 4u);
    BOOST_TEST(s.work.value() == 0);
}

BOOST_AUTO_TEST_CASE(a_scheduler_that_is_destroyed_inside_leaves_its_worker_to_the_thread)
{
    s.submit(make(0,
        [&]
        {
            s.orphan_this_thread();
            BOOST_TEST(!level().sched);
            BOOST_TEST(level().kept.get() == &here());
            BOOST_TEST(s.sleepers.active() == 0u);
        }));
    s.submit(make(1));
    BOOST_TEST(run() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
