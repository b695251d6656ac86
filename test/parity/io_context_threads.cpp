// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include <set>

BOOST_AUTO_TEST_SUITE(io_context_threads)

BOOST_AUTO_TEST_CASE(every_post_is_run_exactly_once_whatever_the_number_of_threads)
{
    for (std::size_t threads : {1u, 2u, 3u, 4u, 8u})
    {
        constexpr int count = 20000;
        io_context context;
        std::vector<std::atomic<int>> calls(count);
        for (int i = 0; i != count; ++i)
            asio::post(context, [&calls, i] { ++calls[static_cast<std::size_t>(i)]; });
        BOOST_TEST(test::run_on(context, threads) == static_cast<std::size_t>(count));
        BOOST_TEST(context.stopped());
        BOOST_TEST(std::all_of(calls.begin(), calls.end(), [](const auto& n) { return n == 1; }));
    }
}

BOOST_AUTO_TEST_CASE(a_tree_of_posts_is_counted_exactly_over_all_threads)
{
    for (std::size_t threads : {1u, 2u, 4u})
    {
        io_context context;
        std::atomic<int> calls = 0;
        std::function<void(int)> node = [&](int depth)
        {
            ++calls;
            if (depth > 0)
                for (int i = 0; i != 2; ++i)
                    asio::post(context, [&node, depth] { node(depth - 1); });
        };
        asio::post(context, [&] { node(13); });
        BOOST_TEST(test::run_on(context, threads) == 16383u);
        BOOST_TEST(calls == 16383);
    }
}

BOOST_AUTO_TEST_CASE(posts_from_other_threads_are_all_run)
{
    io_context context;
    auto guard = asio::make_work_guard(context);
    std::atomic<int> calls = 0;
    test::thread_group runners(2, [&] { context.run(); });
    {
        test::thread_group posters(3,
            [&]
            {
                for (int i = 0; i != 5000; ++i)
                    asio::post(context, [&] { ++calls; });
            });
    }
    guard.reset();
    runners.join();
    BOOST_TEST(calls == 15000);
}

BOOST_AUTO_TEST_CASE(handlers_of_one_context_run_at_the_same_time_on_its_threads)
{
    constexpr std::size_t threads = 4;
    io_context context;
    std::latch all(threads);
    std::mutex mutex;
    std::set<std::thread::id> ids;
    for (std::size_t i = 0; i != threads; ++i)
        asio::post(context,
            [&]
            {
                all.arrive_and_wait();
                const std::lock_guard lock(mutex);
                ids.insert(std::this_thread::get_id());
            });
    BOOST_TEST(test::run_on(context, threads) == threads);
    BOOST_TEST(ids.size() == threads);
}

BOOST_AUTO_TEST_CASE(handlers_run_only_on_threads_inside_run)
{
    io_context context;
    std::thread::id ran_on;
    asio::post(context, [&] { ran_on = std::this_thread::get_id(); });
    asio::steady_timer timer(context, std::chrono::seconds(0));
    std::thread::id timer_on;
    timer.async_wait([&](error_code) { timer_on = std::this_thread::get_id(); });
    test::thread_group other;
    std::promise<std::thread::id> id;
    other.add(
        [&]
        {
            id.set_value(std::this_thread::get_id());
            context.run();
        });
    other.join();
    const auto expected = id.get_future().get();
    BOOST_TEST((ran_on == expected));
    BOOST_TEST((timer_on == expected));
}

BOOST_AUTO_TEST_CASE(stop_from_another_thread_ends_run_on_all_threads)
{
    for (int round = 0; round != 100; ++round)
    {
        io_context context;
        const auto guard = asio::make_work_guard(context);
        std::promise<void> started;
        asio::post(context, [&] { started.set_value(); });
        test::thread_group runners(3, [&] { context.run(); });
        started.get_future().wait();
        context.stop();
        runners.join();
        BOOST_TEST(context.stopped());
    }
}

BOOST_AUTO_TEST_CASE(stop_from_a_handler_ends_run_on_all_threads)
{
    for (int round = 0; round != 100; ++round)
    {
        io_context context;
        const auto guard = asio::make_work_guard(context);
        asio::post(context, [&] { context.stop(); });
        test::run_on(context, 3);
        BOOST_TEST(context.stopped());
    }
}

BOOST_AUTO_TEST_CASE(stop_ends_threads_that_wait_for_io)
{
    for (int round = 0; round != 100; ++round)
    {
        io_context context;
        asio::steady_timer timer(context, std::chrono::hours(1));
        timer.async_wait([](error_code) {});
        test::thread_group runners(2, [&] { context.run(); });
        context.stop();
        runners.join();
        BOOST_TEST(context.stopped());
    }
}

BOOST_AUTO_TEST_CASE(threads_may_enter_and_leave_run_while_others_stay)
{
    io_context context;
    auto guard = asio::make_work_guard(context);
    std::atomic<int> calls = 0;
    std::atomic<bool> done = false;
    test::thread_group stays(1, [&] { context.run(); });
    test::thread_group visitors(2,
        [&]
        {
            while (!done)
            {
                context.run_one();
                context.poll();
            }
        });
    for (int i = 0; i != 5000; ++i)
        asio::post(context, [&] { ++calls; });
    std::promise<void> last;
    asio::post(context, [&] { last.set_value(); });
    last.get_future().wait();
    done = true;
    guard.reset();
    visitors.join();
    stays.join();
    BOOST_TEST(calls == 5000);
}

// A thread that leaves after one handler must not take along what that handler posted.
BOOST_AUTO_TEST_CASE(what_a_leaving_thread_posted_is_run_by_those_who_stay)
{
    for (int round = 0; round != 200; ++round)
    {
        io_context context;
        int calls = 0;
        asio::post(context,
            [&]
            {
                for (int i = 0; i != 10; ++i)
                    asio::post(context, [&] { ++calls; });
            });
        test::thread_group leaves(1, [&] { BOOST_TEST_REQUIRE(context.run_one() == 1u); });
        leaves.join();
        BOOST_TEST(context.run() == 10u);
        BOOST_TEST(calls == 10);
    }
}

BOOST_AUTO_TEST_CASE(run_one_on_several_threads_runs_one_each)
{
    io_context context;
    std::atomic<int> calls = 0;
    for (int i = 0; i != 10; ++i)
        asio::post(context, [&] { ++calls; });
    std::atomic<std::size_t> ran = 0;
    test::thread_group runners(4, [&] { ran += context.run_one(); });
    runners.join();
    BOOST_TEST(ran == 4u);
    BOOST_TEST(calls == 4);
    BOOST_TEST(context.run() == 6u);
}

BOOST_AUTO_TEST_CASE(a_waiting_thread_is_woken_for_each_post_from_outside)
{
    io_context context;
    auto guard = asio::make_work_guard(context);
    test::thread_group runners(2, [&] { context.run(); });
    for (int i = 0; i != 2000; ++i)
    {
        std::promise<void> ran;
        asio::post(context, [&] { ran.set_value(); });
        ran.get_future().wait();
    }
    guard.reset();
    runners.join();
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(a_blocked_handler_does_not_hold_up_the_handlers_behind_it)
{
    io_context context;
    std::latch released(1);
    asio::post(context, [&] { released.wait(); });
    asio::post(context, [&] { asio::post(context, [&] { released.count_down(); }); });
    BOOST_TEST(test::run_on(context, 2) == 3u);
}

BOOST_AUTO_TEST_CASE(a_handler_may_wait_for_the_posts_it_made_when_another_thread_runs)
{
    io_context context;
    std::latch released(3);
    asio::post(context,
        [&]
        {
            for (int i = 0; i != 3; ++i)
                asio::post(context, [&] { released.count_down(); });
            released.wait();
        });
    BOOST_TEST(test::run_on(context, 2) == 4u);
}

BOOST_AUTO_TEST_CASE(timers_fire_while_another_thread_is_held_by_a_handler)
{
    for (int round = 0; round != 20; ++round)
    {
        io_context context;
        std::latch released(1);
        asio::steady_timer timer(context);
        asio::post(context,
            [&]
            {
                timer.expires_after(std::chrono::milliseconds(1));
                timer.async_wait([&](error_code) { released.count_down(); });
                released.wait();
            });
        BOOST_TEST(test::run_on(context, 2) == 2u);
    }
}

BOOST_AUTO_TEST_CASE(contexts_pass_work_back_and_forth_between_their_threads)
{
    io_context left;
    io_context right;
    auto left_guard = asio::make_work_guard(left);
    auto right_guard = asio::make_work_guard(right);
    int passes = 0;
    std::function<void()> play = [&]
    {
        if (++passes == 2000)
        {
            left_guard.reset();
            right_guard.reset();
        }
        else if (passes % 2 != 0)
            asio::post(right, play);
        else
            asio::post(left, play);
    };
    asio::post(left, play);
    test::thread_group runners;
    runners.add([&] { left.run(); });
    runners.add([&] { right.run(); });
    runners.join();
    BOOST_TEST(passes == 2000);
}

BOOST_AUTO_TEST_SUITE_END()
