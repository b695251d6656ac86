// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/submission.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <future>
#include <thread>
#include <vector>

BOOST_FIXTURE_TEST_SUITE(submission, test::manual_scheduler)

BOOST_AUTO_TEST_CASE(a_thread_outside_submits_to_the_injection_queue)
{
    s.submit(make(0));
    s.submit_continuation(make(1));
    s.submit_granted(make(2));
    BOOST_TEST(s.injected.size() == 3u);
    BOOST_TEST(run() == 3u);
}

BOOST_AUTO_TEST_CASE(a_task_of_another_scheduler_is_outside)
{
    test::manual_scheduler other;
    other.s.submit(other.make(0, [&] { s.submit(make(0)); }));
    other.run();
    BOOST_TEST(s.injected.size() == 1u);
    run();
}

BOOST_AUTO_TEST_CASE(a_task_finds_its_worker_from_inside_another_scheduler)
{
    test::manual_scheduler inner;
    s.submit(make(0,
        [&]
        {
            worker& mine = here();
            inner.s.submit(inner.make(0, [&] { s.submit(make(1)); }));
            inner.run();
            BOOST_TEST(mine.ring.size() == 1u);
        }));
    BOOST_TEST(run() == 2u);
}

BOOST_AUTO_TEST_CASE(the_only_one_that_is_granted_continues_and_several_keep_their_order)
{
    s.submit(make(0,
        [&]
        {
            s.submit(make(2));
            s.submit_granted(make(1));
        }));
    s.submit(make(3,
        [&]
        {
            s.submit(make(4));
            s.submit_granted(make(5));
            s.submit_granted(make(6));
        }));
    run();
    std::vector<int> const expected{0, 1, 3, 2, 4, 5, 6};
    BOOST_TEST(ran == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_completes_at_once_keeps_its_place_while_one_thread_runs)
{
    s.submit(make(0,
        [&]
        {
            s.submit(make(1));
            s.submit_completed(make(2));
        }));
    run();
    std::vector<int> const expected{0, 1, 2};
    BOOST_TEST(ran == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_completes_at_once_continues_while_several_threads_run)
{
    // Another thread is inside, and sees nothing of what follows.
    std::promise<void> inside;
    std::promise<void> end;
    std::thread other(
        [&]
        {
            manual_scheduler elsewhere;
            s.submit(elsewhere.make(0,
                [&]
                {
                    inside.set_value();
                    end.get_future().wait();
                }));
            s.run({wait_mode::forever, {}, 1}, weft::detail::joins_as::passing);
        });
    inside.get_future().wait();

    auto const order_of = [&](auto submit_all)
    {
        ran.clear();
        s.submit(make(0,
            [&]
            {
                s.submit(make(1));
                submit_all();
            }));
        run(weft::detail::run_limits::unlimited, wait_mode::none);
        return ran;
    };
    std::vector<int> const one{0, 2, 1};
    std::vector<int> const two{0, 1, 2, 3};
    std::vector<int> const after_grant{0, 2, 1, 3};
    std::vector<int> const before_grant{0, 1, 2, 3};
    auto const found_one = order_of([&] { s.submit_completed(make(2)); });
    auto const found_two = order_of(
        [&]
        {
            s.submit_completed(make(2));
            s.submit_completed(make(3));
        });
    auto const found_after = order_of(
        [&]
        {
            s.submit_granted(make(2));
            s.submit_completed(make(3));
        });
    auto const found_before = order_of(
        [&]
        {
            s.submit_completed(make(2));
            s.submit_granted(make(3));
        });
    auto const found_long = order_of(
        [&]
        {
            here().shares = true;
            s.submit_completed(make(2));
            here().shares = false;
        });
    // At the end of a turn: once more, and then in turn.
    auto const found_last = order_of(
        [&]
        {
            here().run_left = 0;
            s.submit_completed(make(2,
                [&]
                {
                    here().run_left = 0;
                    s.submit_completed(make(3));
                }));
        });
    end.set_value();
    other.join();
    std::vector<int> const in_turn{0, 1, 2};
    std::vector<int> const once_more{0, 2, 1, 3};
    BOOST_TEST(found_one == one, boost::test_tools::per_element());
    BOOST_TEST(found_two == two, boost::test_tools::per_element());
    BOOST_TEST(found_after == after_grant, boost::test_tools::per_element());
    BOOST_TEST(found_before == before_grant, boost::test_tools::per_element());
    BOOST_TEST(found_long == in_turn, boost::test_tools::per_element());
    BOOST_TEST(found_last == once_more, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
