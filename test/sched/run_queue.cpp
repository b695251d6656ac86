// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/run_queue.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
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

/// What Asio has completed at once at the end of a handler of the only thread inside.
struct only_thread : test::manual_scheduler
{
    only_thread() : w(acquire())
    {
        (void)s.sleepers.join(
            [this](std::uint32_t others) { (void)s.runner.thread_joins(others); });
        w.now.store(weft::detail::ready_time_at(test::manual_clock::now()));
        put(w, make(0));
    }

    void has_completed(int count)
    {
        for (int i = 1; i <= count; ++i)
            w.asio.posted.push_back(make(i));
        queue::collect_at_end(s, w);
        BOOST_TEST(!w.asio.has_posted());
    }

    /// Whether these are what the ring holds.
    bool holds(std::vector<int> const& expected)
    {
        test::task_entry op;
        for (std::uint32_t since = 0; w.owned_ring().pop(op, since);)
        {
            BOOST_TEST(since == w.ready_now());
            op.op->run();
        }
        return ran == expected;
    }

    worker& w;
};

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

BOOST_FIXTURE_TEST_CASE(what_has_completed_at_once_goes_behind_what_is_queued, only_thread)
{
    has_completed(1);
    BOOST_TEST(holds({0, 1}));
}

BOOST_FIXTURE_TEST_CASE(several_that_have_completed_keep_their_order, only_thread)
{
    has_completed(3);
    BOOST_TEST(holds({0, 1, 2, 3}));
}

BOOST_FIXTURE_TEST_CASE(what_has_been_cancelled_goes_there_too, only_thread)
{
    w.asio.cancelled = true;
    has_completed(1);
    BOOST_TEST(holds({0, 1}));
}

BOOST_FIXTURE_TEST_CASE(what_has_completed_goes_behind_what_came_from_outside, only_thread)
{
    s.injected.push(make(9), w.ready_now());
    has_completed(1);
    BOOST_TEST(holds({0}));
    BOOST_TEST(s.injected.size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(what_has_completed_finds_a_place_if_the_ring_is_full, only_thread)
{
    for (int i = 10; w.owned_ring().free_slots() != 0; ++i)
        put(w, make(i));
    has_completed(1);
    BOOST_TEST(w.ring.size() + s.injected.size() == std::size_t{9});
    BOOST_TEST(s.injected.size() == 4u);
}

BOOST_AUTO_TEST_SUITE_END()
