// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/experimental/channel_error.hpp>
#include <boost/asio/experimental/concurrent_channel.hpp>

#include <numeric>

namespace
{

using asio::awaitable;
using asio::use_awaitable;
using asio::experimental::channel;
using asio::experimental::concurrent_channel;

} // namespace

BOOST_AUTO_TEST_SUITE(experimental_channel)

BOOST_AUTO_TEST_CASE(values_arrive_in_the_order_they_were_sent)
{
    for (std::size_t capacity : {0u, 1u, 5u})
    {
        io_context context;
        channel<void(error_code, int)> values(context, capacity);
        std::vector<int> received;
        asio::co_spawn(
            context,
            [&]() -> awaitable<void>
            {
                for (int i = 0; i != 100; ++i)
                    co_await values.async_send(error_code(), i, use_awaitable);
                values.close();
            },
            asio::detached);
        asio::co_spawn(
            context,
            [&]() -> awaitable<void>
            {
                for (;;)
                {
                    const auto [ec, value] =
                        co_await values.async_receive(asio::as_tuple(use_awaitable));
                    if (ec)
                        co_return;
                    received.push_back(value);
                }
            },
            asio::detached);
        context.run();
        std::vector<int> expected(100);
        std::iota(expected.begin(), expected.end(), 0);
        BOOST_TEST(received == expected, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(a_receive_waits_and_is_work)
{
    io_context context;
    channel<void(error_code, std::string)> values(context);
    std::string received;
    values.async_receive([&](error_code, std::string value) { received = std::move(value); });
    context.poll();
    BOOST_TEST(!context.stopped());
    BOOST_TEST(values.try_send(error_code(), "hello"));
    BOOST_TEST(received.empty());
    context.run();
    BOOST_TEST(received == "hello");
}

BOOST_AUTO_TEST_CASE(cancel_and_close_end_the_waiting_operations)
{
    io_context context;
    channel<void(error_code, int)> values(context);
    error_code result;
    values.async_receive([&](error_code ec, int) { result = ec; });
    context.poll();
    values.cancel();
    context.run();
    BOOST_TEST(result == asio::experimental::error::channel_cancelled);
    context.restart();
    values.async_receive([&](error_code ec, int) { result = ec; });
    context.poll();
    values.close();
    context.run();
    BOOST_TEST(result == asio::experimental::error::channel_closed);
}

BOOST_AUTO_TEST_CASE(pending_operations_are_destroyed_with_the_context)
{
    const auto token = std::make_shared<int>(0);
    {
        io_context context;
        channel<void(error_code, int)> values(context);
        values.async_receive([token](error_code, int) {});
        channel<void(error_code, int)> full(context);
        full.async_send(error_code(), 1, [token](error_code) {});
        context.poll();
        BOOST_TEST(token.use_count() == 3);
    }
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_concurrent_channel_loses_nothing_between_threads)
{
    for (std::size_t threads : {1u, 2u, 4u})
    {
        io_context context;
        concurrent_channel<void(error_code, int)> values(context, 8);
        constexpr int senders = 4;
        constexpr int each = 500;
        constexpr long count = senders * each;
        std::atomic<long> sum = 0;
        std::atomic<int> tickets = 0;
        for (int sender = 0; sender != senders; ++sender)
            asio::co_spawn(
                context,
                [&, sender]() -> awaitable<void>
                {
                    for (int i = 0; i != each; ++i)
                        co_await values.async_send(error_code(), sender * each + i, use_awaitable);
                },
                asio::detached);
        for (int receiver = 0; receiver != 3; ++receiver)
            asio::co_spawn(
                context,
                [&]() -> awaitable<void>
                {
                    while (tickets++ < count)
                        sum += co_await values.async_receive(use_awaitable);
                },
                asio::detached);
        test::run_on(context, threads);
        BOOST_TEST(sum == count * (count - 1) / 2);
    }
}

BOOST_AUTO_TEST_CASE(a_channel_connects_a_pool_and_a_foreign_thread)
{
    thread_pool pool(2);
    concurrent_channel<void(error_code, int)> values(pool, 4);
    int sum = 0;
    test::thread_group sender(1,
        [&]
        {
            for (int i = 1; i <= 100; ++i)
                values.async_send(error_code(), i, asio::use_future).get();
        });
    for (int i = 1; i <= 100; ++i)
        sum += values.async_receive(asio::use_future).get();
    sender.join();
    pool.join();
    BOOST_TEST(sum == 5050);
}

BOOST_AUTO_TEST_SUITE_END()
