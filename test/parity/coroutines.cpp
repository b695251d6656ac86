// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include "parity/echo.hpp"

namespace
{

using asio::awaitable;
using asio::use_awaitable;
using asio::ip::tcp;

awaitable<int> sum(int n)
{
    if (n == 0)
        co_return 0;
    co_return n + co_await sum(n - 1);
}

awaitable<void> yield_to(auto executor)
{
    co_await asio::post(executor, use_awaitable);
}

awaitable<int> fails()
{
    co_await asio::post(use_awaitable);
    throw std::runtime_error("failed");
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(coroutines, test::with_context)

BOOST_AUTO_TEST_CASE(a_spawned_coroutine_starts_inside_run_and_delivers_its_result)
{
    int result = 0;
    asio::co_spawn(context, sum(10),
        [&](std::exception_ptr error, int value)
        {
            BOOST_TEST(!error);
            result = value;
        });
    BOOST_TEST(result == 0);
    context.run();
    BOOST_TEST(result == 55);
}

BOOST_AUTO_TEST_CASE(a_coroutine_can_be_spawned_on_context_executor_strand_and_pool)
{
    std::atomic<int> calls = 0;
    const auto body = [&]() -> awaitable<void>
    {
        ++calls;
        co_return;
    };
    auto strand = asio::make_strand(context);
    asio::co_spawn(context, body, asio::detached);
    asio::co_spawn(context.get_executor(), body, asio::detached);
    asio::co_spawn(strand, body, asio::detached);
    asio::co_spawn(asio::any_io_executor(context.get_executor()), body, asio::detached);
    context.run();
    thread_pool pool(1);
    asio::co_spawn(pool, body, asio::detached);
    pool.join();
    BOOST_TEST(calls == 5);
}

BOOST_AUTO_TEST_CASE(deep_recursion_of_coroutines_returns)
{
    int result = 0;
    asio::co_spawn(context, sum(10000), [&](std::exception_ptr, int value) { result = value; });
    context.run();
    BOOST_TEST(result == 50005000);
}

BOOST_AUTO_TEST_CASE(an_exception_reaches_the_awaiting_coroutine)
{
    std::string what;
    asio::co_spawn(
        context,
        [&]() -> awaitable<void>
        {
            try
            {
                co_await fails();
            }
            catch (const std::runtime_error& error)
            {
                what = error.what();
            }
        },
        asio::detached);
    context.run();
    BOOST_TEST(what == "failed");
}

BOOST_AUTO_TEST_CASE(an_uncaught_exception_reaches_the_completion_handler)
{
    std::exception_ptr caught;
    asio::co_spawn(context, fails(), [&](std::exception_ptr error, int) { caught = error; });
    context.run();
    BOOST_TEST_REQUIRE((caught != nullptr));
    BOOST_CHECK_THROW(std::rethrow_exception(caught), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(the_exception_of_a_detached_coroutine_is_dropped)
{
    asio::co_spawn(context, fails(), asio::detached);
    BOOST_CHECK_NO_THROW(context.run());
}

BOOST_AUTO_TEST_CASE(this_coro_executor_is_the_one_spawned_on)
{
    bool same = false;
    asio::co_spawn(
        context,
        [&]() -> awaitable<void>
        { same = (co_await asio::this_coro::executor) == context.get_executor(); },
        asio::detached);
    context.run();
    BOOST_TEST(same);
}

BOOST_AUTO_TEST_CASE(a_coroutine_resumes_on_its_own_executor_after_another_context_completed)
{
    thread_pool pool(1);
    std::vector<std::thread::id> ids;
    asio::co_spawn(
        context,
        [&]() -> awaitable<void>
        {
            ids.push_back(std::this_thread::get_id());
            co_await asio::post(pool, use_awaitable);
            ids.push_back(std::this_thread::get_id());
            co_await yield_to(context.get_executor());
            ids.push_back(std::this_thread::get_id());
            const int value = co_await asio::co_spawn(pool, sum(3), use_awaitable);
            BOOST_TEST(value == 6);
            ids.push_back(std::this_thread::get_id());
        },
        asio::detached);
    context.run();
    BOOST_TEST(ids.size() == 4u);
    for (auto id : ids)
        BOOST_TEST((id == std::this_thread::get_id()));
    pool.join();
}

BOOST_AUTO_TEST_CASE(timers_and_sockets_can_be_awaited)
{
    auto [client, server] = test::tcp_pair(context);
    const std::string sent = test::pattern(100000, 1);
    std::string received;
    asio::co_spawn(
        context,
        [&]() -> awaitable<void>
        {
            asio::steady_timer timer(co_await asio::this_coro::executor);
            for (std::size_t at = 0; at < sent.size(); at += 10000)
            {
                timer.expires_after(std::chrono::microseconds(10));
                co_await timer.async_wait(use_awaitable);
                co_await asio::async_write(
                    client, asio::buffer(sent.data() + at, 10000), use_awaitable);
            }
            client.shutdown(tcp::socket::shutdown_send);
        },
        asio::detached);
    asio::co_spawn(
        context,
        [&]() -> awaitable<void>
        {
            char buffer[4096];
            try
            {
                for (;;)
                {
                    const std::size_t n =
                        co_await server.async_read_some(asio::buffer(buffer), use_awaitable);
                    received.append(buffer, n);
                }
            }
            catch (const boost::system::system_error& error)
            {
                BOOST_TEST(error.code() == asio::error::eof);
            }
        },
        asio::detached);
    context.run();
    BOOST_TEST((received == sent));
}

BOOST_FIXTURE_TEST_CASE(many_coroutines_run_on_several_threads, test::context_of_its_own)
{
    for (std::size_t threads : {1u, 2u, 4u})
    {
        io_context context;
        constexpr int count = 200;
        constexpr int steps = 50;
        std::atomic<int> steps_done = 0;
        std::atomic<int> finished = 0;
        for (int i = 0; i != count; ++i)
            asio::co_spawn(
                context,
                [&, i]() -> awaitable<void>
                {
                    const auto executor = co_await asio::this_coro::executor;
                    asio::steady_timer timer(executor);
                    for (int step = 0; step != steps; ++step)
                    {
                        ++steps_done;
                        if ((i + step) % 10 == 0)
                        {
                            timer.expires_after(std::chrono::microseconds(i));
                            co_await timer.async_wait(use_awaitable);
                        }
                        else
                            co_await asio::post(executor, use_awaitable);
                    }
                    ++finished;
                },
                asio::detached);
        test::run_on(context, threads);
        BOOST_TEST(steps_done == count * steps);
        BOOST_TEST(finished == count);
    }
}

BOOST_AUTO_TEST_CASE(coroutines_on_one_strand_never_overlap)
{
    auto strand = asio::make_strand(context);
    std::atomic<bool> inside = false;
    std::atomic<int> collisions = 0;
    int entries = 0;
    for (int i = 0; i != 20; ++i)
        asio::co_spawn(
            strand,
            [&]() -> awaitable<void>
            {
                for (int step = 0; step != 100; ++step)
                {
                    collisions += inside.exchange(true) ? 1 : 0;
                    ++entries;
                    inside = false;
                    co_await asio::post(co_await asio::this_coro::executor, use_awaitable);
                }
            },
            asio::detached);
    test::run_on(context, 4);
    BOOST_TEST(collisions == 0);
    BOOST_TEST(entries == 2000);
}

BOOST_AUTO_TEST_CASE(a_coroutine_spawns_others_and_awaits_them)
{
    int total = 0;
    asio::co_spawn(
        context,
        [&]() -> awaitable<void>
        {
            const auto executor = co_await asio::this_coro::executor;
            for (int i = 1; i <= 100; ++i)
                total += co_await asio::co_spawn(executor, sum(i), use_awaitable);
        },
        asio::detached);
    context.run();
    BOOST_TEST(total == 171700);
}

BOOST_AUTO_TEST_CASE(an_awaitable_that_is_never_awaited_is_destroyed)
{
    const auto token = std::make_shared<int>(0);
    {
        const auto unused = [](std::shared_ptr<int>) -> awaitable<void>
        {
            co_return;
        }(token);
        BOOST_TEST(token.use_count() == 2);
    }
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_coroutine_that_keeps_posting_does_not_starve_a_timer)
{
    bool stop = false;
    int turns = 0;
    asio::co_spawn(
        context,
        [&]() -> awaitable<void>
        {
            while (!stop)
            {
                ++turns;
                co_await asio::post(co_await asio::this_coro::executor, use_awaitable);
            }
        },
        asio::detached);
    asio::steady_timer timer(context, std::chrono::milliseconds(1));
    timer.async_wait([&](error_code) { stop = true; });
    context.run();
    BOOST_TEST(turns > 0);
}

BOOST_AUTO_TEST_SUITE_END()
