// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include <numeric>

namespace
{

using namespace std::chrono_literals;

// A handler posts two others, and runs so many of them by `call`.
template <class Call>
void call_behind_two_posts(Call call, std::size_t inside)
{
    io_context context;
    std::size_t calls = 0;
    asio::post(context,
        [&]
        {
            asio::post(context, [&] { ++calls; });
            asio::post(context, [&] { ++calls; });
            BOOST_TEST(call(context) == inside);
            BOOST_TEST(calls == inside);
            BOOST_TEST(!context.stopped());
        });
    BOOST_TEST(context.run() == 3 - inside);
    BOOST_TEST(calls == 2u);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(io_context_nested, test::with_context)

WEFT_TEST_CASE_WITH_HINTS(poll_inside_a_handler_runs_what_is_queued_behind_it)
{
    std::vector<int> order;
    asio::post(context,
        [&]
        {
            order.push_back(0);
            BOOST_TEST(context.poll() == 2u);
            order.push_back(3);
        });
    asio::post(context, [&] { order.push_back(1); });
    asio::post(context, [&] { order.push_back(2); });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(order == (std::vector<int>{0, 1, 2, 3}), boost::test_tools::per_element());
    BOOST_TEST(context.stopped());
}

// Not with hint 1, where Asio miscounts its work in this case.
BOOST_AUTO_TEST_CASE(poll_inside_a_handler_runs_what_the_handler_itself_posted)
{
    call_behind_two_posts([](io_context& c) { return c.poll(); }, 2);
}

BOOST_AUTO_TEST_CASE(poll_one_inside_a_handler_runs_one)
{
    call_behind_two_posts([](io_context& c) { return c.poll_one(); }, 1);
}

BOOST_AUTO_TEST_CASE(poll_with_nothing_queued_inside_a_handler_returns_zero_and_does_not_stop)
{
    asio::post(context,
        [&]
        {
            BOOST_TEST(context.poll() == 0u);
            BOOST_TEST(context.poll_one() == 0u);
            BOOST_TEST(!context.stopped());
        });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(run_one_inside_a_handler_runs_one)
{
    call_behind_two_posts([](io_context& c) { return c.run_one(); }, 1);
}

BOOST_AUTO_TEST_CASE(run_one_inside_a_handler_waits_for_a_timer)
{
    bool fired = false;
    asio::post(context,
        [&]
        {
            asio::steady_timer timer(context, 1ms);
            timer.async_wait([&](error_code ec) { fired = !ec; });
            BOOST_TEST(context.run_one() == 1u);
            BOOST_TEST(fired);
        });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(fired);
}

BOOST_AUTO_TEST_CASE(run_one_for_inside_a_handler_gives_up_at_its_deadline)
{
    asio::post(context,
        [&]
        {
            BOOST_TEST(context.run_one_for(1ms) == 0u);
            BOOST_TEST(!context.stopped());
        });
    BOOST_TEST(context.run() == 1u);
}

// The handler that gave up goes on, and what becomes ready meanwhile is for the other thread.
BOOST_FIXTURE_TEST_CASE(a_handler_can_wait_for_another_thread_after_a_nested_call_has_given_up,
    test::context_of_its_own)
{
    for (int round = 0; round != 50; ++round)
    {
        io_context context;
        auto guard = asio::make_work_guard(context);
        asio::steady_timer timer(context);
        std::promise<void> posted;
        std::promise<void> fired;
        asio::post(context,
            [&]
            {
                for (int i = 0; i != 3; ++i)
                    context.run_one_for(100us);
                timer.expires_after(0ms);
                timer.async_wait([&](error_code) { fired.set_value(); });
                fired.get_future().wait();
                std::thread([&] { asio::post(context, [&] { posted.set_value(); }); }).join();
                posted.get_future().wait();
                guard.reset();
            });
        test::run_on(context, 2);
        BOOST_TEST(context.stopped());
    }
}

BOOST_AUTO_TEST_CASE(poll_inside_a_handler_delivers_socket_events)
{
    auto [near, far] = test::local_pair(context);
    std::array<char, 4> buffer{};
    std::size_t received = 0;
    asio::post(context,
        [&]
        {
            near.async_read_some(
                asio::buffer(buffer), [&](error_code, std::size_t n) { received = n; });
            BOOST_TEST(context.poll() == 0u);
            asio::write(far, asio::buffer("abcd", 4));
            while (received == 0)
                context.poll();
        });
    context.run();
    BOOST_TEST(received == 4u);
}

// The outer handler counts as work: a nested run() ends by stop(), as the outer one then does.
BOOST_AUTO_TEST_CASE(run_inside_a_handler_ends_by_stop_and_ends_the_outer_run)
{
    std::vector<int> order;
    asio::post(context,
        [&]
        {
            order.push_back(0);
            BOOST_TEST(context.run() == 2u);
            BOOST_TEST(context.stopped());
            order.push_back(3);
        });
    asio::post(context, [&] { order.push_back(1); });
    asio::post(context,
        [&]
        {
            order.push_back(2);
            context.stop();
        });
    asio::post(context, [&] { order.push_back(4); });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(order == (std::vector<int>{0, 1, 2, 3}), boost::test_tools::per_element());
    context.restart();
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(order.back() == 4);
}

BOOST_AUTO_TEST_CASE(nested_polls_recurse_as_deep_as_the_handlers_are)
{
    constexpr int depth = 100;
    std::vector<int> entered;
    std::vector<int> left;
    std::function<void(int)> descend = [&](int level)
    {
        entered.push_back(level);
        if (level + 1 < depth)
        {
            asio::post(context, [&, level] { descend(level + 1); });
            BOOST_TEST(context.poll() == 1u);
        }
        left.push_back(level);
    };
    asio::post(context, [&] { descend(0); });
    BOOST_TEST(context.run() == 1u);
    std::vector<int> expected(depth);
    std::iota(expected.begin(), expected.end(), 0);
    BOOST_TEST(entered == expected, boost::test_tools::per_element());
    BOOST_TEST(left == std::vector<int>(expected.rbegin(), expected.rend()),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_exception_leaves_the_nested_poll_and_can_be_caught_by_the_outer_handler)
{
    int calls = 0;
    bool caught = false;
    asio::post(context,
        [&]
        {
            asio::post(context, [] { throw std::runtime_error("inner"); });
            asio::post(context, [&] { ++calls; });
            try
            {
                context.poll();
            }
            catch (const std::runtime_error&)
            {
                caught = true;
            }
        });
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST(caught);
    BOOST_TEST(calls == 1);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(running_another_context_inside_a_handler_keeps_them_apart)
{
    io_context outer;
    io_context inner;
    std::vector<int> order;
    asio::post(outer,
        [&]
        {
            asio::post(inner,
                [&]
                {
                    order.push_back(0);
                    BOOST_TEST(outer.get_executor().running_in_this_thread());
                    BOOST_TEST(inner.get_executor().running_in_this_thread());
                    asio::dispatch(outer, [&] { order.push_back(1); });
                    asio::post(outer, [&] { order.push_back(3); });
                });
            BOOST_TEST(inner.run() == 1u);
            BOOST_TEST(!inner.get_executor().running_in_this_thread());
            order.push_back(2);
        });
    BOOST_TEST(outer.run() == 2u);
    BOOST_TEST(order == (std::vector<int>{0, 1, 2, 3}), boost::test_tools::per_element());
}

// A handler with an executor of its own runs wherever its operation is completed.
BOOST_FIXTURE_TEST_CASE(
    a_handler_of_another_executor_may_poll_the_context_that_completes_it, test::context_of_its_own)
{
    for (int threads : {1, 2})
    {
        io_context context;
        auto guard = asio::make_work_guard(context);
        asio::steady_timer timer(context, 1h);
        auto [near, far] = test::local_pair(context);
        std::array<char, 8> buffer{};
        std::atomic<int> order = 0;
        std::atomic<int> nested = 0;
        std::promise<void> ended;
        timer.async_wait(asio::bind_executor(asio::system_executor(),
            [&](error_code)
            {
                ++order;
                // All that run() can do, it can do here.
                near.async_read_some(
                    asio::buffer(buffer), [&](error_code, std::size_t) { ++nested; });
                asio::post(context,
                    [&]
                    {
                        asio::write(far, asio::buffer("x", 1));
                        ++nested;
                    });
                while (nested != 2)
                    context.poll();
                ended.set_value();
            }));
        test::thread_group runners(static_cast<std::size_t>(threads), [&] { context.run(); });
        // From here, so that the operation reaches the context from outside.
        asio::post(context, [] {});
        timer.cancel();
        ended.get_future().wait();
        std::promise<void> still;
        asio::post(context, [&] { still.set_value(); });
        still.get_future().wait();
        guard.reset();
        runners.join();
        BOOST_TEST(order == 1);
        BOOST_TEST(nested == 2);
    }
}

// What completes at once is queued for the thread, around the handler and in both calls inside it.
BOOST_AUTO_TEST_CASE(operations_that_complete_at_once_are_seen_by_every_poll_in_such_a_handler)
{
    asio::steady_timer timer(context, 1h);
    auto [near, far] = test::local_pair(context);
    int written = 0;
    auto const write = [&]
    {
        near.async_write_some(asio::buffer("x", 1), [&](error_code, std::size_t) { ++written; });
    };
    std::vector<int> seen;
    timer.async_wait(asio::bind_executor(asio::system_executor(),
        [&](error_code)
        {
            write();
            context.poll();
            seen.push_back(written);
            write();
            asio::post(context, write);
            context.poll();
            seen.push_back(written);
        }));
    std::thread([&] { timer.cancel(); }).join();
    context.run();
    BOOST_TEST(seen == (std::vector<int>{1, 3}), boost::test_tools::per_element());
    BOOST_TEST(written == 3);
}

BOOST_AUTO_TEST_CASE(what_a_dispatched_function_throws_leaves_the_outer_run)
{
    bool out_of_poll = false;
    int calls = 0;
    asio::post(context,
        [&]
        {
            asio::post(context, [&] { ++calls; });
            context.get_executor().execute([] { throw std::runtime_error("captured"); });
            try
            {
                context.poll();
            }
            catch (const std::runtime_error&)
            {
                out_of_poll = true;
            }
        });
    BOOST_CHECK_THROW(context.run(), std::runtime_error);
    BOOST_TEST(!out_of_poll);
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_SUITE_END()
