// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include <numeric>

namespace
{

std::vector<int> ascending(int count)
{
    std::vector<int> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 0);
    return values;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(io_context_order, test::with_context)

WEFT_TEST_CASE_WITH_HINTS(posts_before_run_are_run_in_order)
{
    std::vector<int> order;
    for (int i = 0; i != 5000; ++i)
        asio::post(context, [&order, i] { order.push_back(i); });
    BOOST_TEST(context.run() == 5000u);
    BOOST_TEST(order == ascending(5000), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(posts_from_one_handler_are_run_in_order, test::context_of_its_own)
{
    for (int hint : {1, 2})
    {
        for (int count : {1, 2, 3, 255, 256, 257, 511, 512, 513, 5000})
        {
            io_context context(hint);
            std::vector<int> order;
            asio::post(context,
                [&]
                {
                    for (int i = 0; i != count; ++i)
                        asio::post(context, [&order, i] { order.push_back(i); });
                });
            BOOST_TEST(context.run() == static_cast<std::size_t>(count) + 1);
            BOOST_TEST(order == ascending(count), boost::test_tools::per_element());
        }
    }
}

WEFT_TEST_CASE_WITH_HINTS(posts_of_a_handler_go_behind_what_was_posted_before_run)
{
    std::vector<int> order;
    asio::post(context,
        [&]
        {
            order.push_back(0);
            asio::post(context, [&] { order.push_back(3); });
        });
    asio::post(context,
        [&]
        {
            order.push_back(1);
            asio::post(context, [&] { order.push_back(4); });
        });
    asio::post(context, [&] { order.push_back(2); });
    BOOST_TEST(context.run() == 5u);
    BOOST_TEST(order == ascending(5), boost::test_tools::per_element());
}

// Breadth first: with 3 handlers for each, generation by generation, over 1000 at once.
WEFT_TEST_CASE_WITH_HINTS(a_growing_fan_out_is_run_breadth_first)
{
    std::vector<int> generations;
    std::function<void(int)> node = [&](int generation)
    {
        generations.push_back(generation);
        if (generation < 7)
            for (int i = 0; i != 3; ++i)
                asio::post(context, [&node, generation] { node(generation + 1); });
    };
    asio::post(context, [&] { node(0); });
    context.run();
    BOOST_TEST(generations.size() == 3280u);
    BOOST_TEST(std::is_sorted(generations.begin(), generations.end()));
}

WEFT_TEST_CASE_WITH_HINTS(two_chains_of_posts_alternate)
{
    std::vector<int> turns;
    std::function<void(int)> turn = [&](int who)
    {
        turns.push_back(who);
        if (turns.size() < 1000)
            asio::post(context, [&turn, who] { turn(who); });
    };
    asio::post(context, [&] { turn(0); });
    asio::post(context, [&] { turn(1); });
    context.run();
    for (std::size_t i = 0; i != turns.size(); ++i)
        BOOST_TEST_REQUIRE(turns[i] == static_cast<int>(i % 2));
}

BOOST_AUTO_TEST_CASE(posts_of_another_thread_are_run_in_its_order)
{
    std::vector<int> order;
    std::thread other(
        [&]
        {
            for (int i = 0; i != 5000; ++i)
                asio::post(context, [&order, i] { order.push_back(i); });
        });
    while (order.size() != 5000)
    {
        context.run();
        context.restart();
    }
    other.join();
    BOOST_TEST(order == ascending(5000), boost::test_tools::per_element());
}

WEFT_TEST_CASE_WITH_HINTS(order_is_kept_across_single_steps_and_restarts)
{
    std::vector<int> order;
    for (int i = 0; i != 3; ++i)
        asio::post(context,
            [&, i]
            {
                order.push_back(i);
                asio::post(context, [&, i] { order.push_back(i + 3); });
            });
    BOOST_TEST(context.run_one() == 1u);
    BOOST_TEST(context.poll_one() == 1u);
    context.stop();
    context.restart();
    BOOST_TEST(context.run() == 4u);
    BOOST_TEST(order == ascending(6), boost::test_tools::per_element());
}

WEFT_TEST_CASE_WITH_HINTS(dispatch_inside_runs_before_it_returns)
{
    std::vector<int> order;
    asio::post(context,
        [&]
        {
            asio::dispatch(context,
                [&]
                {
                    order.push_back(0);
                    asio::dispatch(context, [&] { order.push_back(1); });
                    order.push_back(2);
                });
            order.push_back(3);
        });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(order == ascending(4), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(dispatch_outside_is_queued_like_a_post)
{
    std::vector<int> order;
    asio::post(context, [&] { order.push_back(0); });
    asio::dispatch(context, [&] { order.push_back(1); });
    asio::post(context, [&] { order.push_back(2); });
    BOOST_TEST(order.empty());
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST(order == ascending(3), boost::test_tools::per_element());
}

WEFT_TEST_CASE_WITH_HINTS(post_and_defer_inside_never_run_before_they_return)
{
    int posted = 0;
    int deferred = 0;
    asio::post(context,
        [&]
        {
            asio::post(context, [&] { ++posted; });
            BOOST_TEST(posted == 0);
            asio::defer(context, [&] { ++deferred; });
            BOOST_TEST(deferred == 0);
        });
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST(posted == 1);
    BOOST_TEST(deferred == 1);
}

BOOST_AUTO_TEST_CASE(defer_outside_is_queued_like_a_post)
{
    std::vector<int> order;
    asio::post(context, [&] { order.push_back(0); });
    asio::defer(context, [&] { order.push_back(1); });
    asio::post(context, [&] { order.push_back(2); });
    BOOST_TEST(order.empty());
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST(order == ascending(3), boost::test_tools::per_element());
}

WEFT_TEST_CASE_WITH_HINTS(a_lone_chain_of_defers_is_run_in_order)
{
    std::vector<int> order;
    std::function<void(int)> link = [&](int i)
    {
        order.push_back(i);
        if (i + 1 < 1000)
            asio::defer(context, [&link, i] { link(i + 1); });
    };
    asio::defer(context, [&] { link(0); });
    BOOST_TEST(context.run() == 1000u);
    BOOST_TEST(order == ascending(1000), boost::test_tools::per_element());
}

WEFT_TEST_CASE_WITH_HINTS(a_flood_of_posts_does_not_starve_an_expired_timer)
{
    asio::steady_timer timer(context);
    timer.expires_at(asio::steady_timer::time_point::min());
    bool fired = false;
    std::function<void()> flood = [&]
    {
        if (!fired)
            asio::post(context, flood);
    };
    timer.async_wait([&](error_code) { fired = true; });
    asio::post(context, flood);
    asio::post(context, flood);
    context.run();
    BOOST_TEST(fired);
}

BOOST_AUTO_TEST_CASE(a_handler_is_destroyed_before_what_it_posted_runs)
{
    const auto token = std::make_shared<int>(0);
    asio::post(context,
        [this, token, watch = std::weak_ptr<int>(token)]
        {
            // The handler that runs and the test each hold one.
            asio::post(context, [watch] { BOOST_TEST(watch.use_count() == 1); });
            BOOST_TEST(watch.use_count() == 2);
        });
    BOOST_TEST(context.run() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
