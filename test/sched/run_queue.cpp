// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/run_queue.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <numeric>
#include <vector>

namespace
{

using queue = weft::detail::run_queue<test::manual_traits>;

std::vector<int> numbers(int count)
{
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(run_queue, test::manual_scheduler)

BOOST_AUTO_TEST_CASE(more_tasks_than_the_ring_holds_keep_their_order_while_one_thread_is_inside)
{
    s.submit(make(0,
        [&]
        {
            for (int i = 1; i != 40; ++i)
                s.submit(make(i));
        }));
    BOOST_TEST(run() == 40u);
    BOOST_TEST(ran == numbers(40), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_continuation_runs_before_what_is_queued)
{
    s.submit(make(0,
        [&]
        {
            s.submit(make(2));
            s.submit_continuation(make(1));
        }));
    run();
    BOOST_TEST(ran == numbers(3), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_a_task_has_posted_to_its_thread_runs_before_what_it_submits_then)
{
    s.submit(make(0,
        [&]
        {
            here().asio.posted.push_back(make(1));
            s.submit(make(2));
        }));
    run();
    BOOST_TEST(ran == numbers(3), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_full_ring_gives_its_newest_half_to_all)
{
    worker& w = acquire();
    for (int i = 0; i != 9; ++i)
        put(w, make(i));
    BOOST_TEST(w.ring.size() == 5u);
    BOOST_TEST(s.injected.size() == 4u);
    BOOST_TEST(w.count.overflows.value() == 1u);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_linked_has_room_that_others_leave)
{
    worker& w = acquire();
    for (int i = 0; i != 8; ++i)
        queue::place(
            s, w, test::task_entry(make(i)), w.ready_now(), test::task_driver::max_unlinkable);
    BOOST_TEST(w.owned_ring().free_slots() == test::task_driver::max_unlinkable);
    queue::place(s, w, test::task_entry(make(8), 1), w.ready_now());
    BOOST_TEST(w.ring.size() == 7u);
    BOOST_TEST(s.injected.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
