// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include "parity/echo.hpp"

#include <variant>

namespace
{

using namespace asio::experimental::awaitable_operators;
using asio::awaitable;
using asio::use_awaitable;
using asio::ip::tcp;

awaitable<int> after(std::chrono::microseconds delay, int value)
{
    asio::steady_timer timer(co_await asio::this_coro::executor, delay);
    co_await timer.async_wait(use_awaitable);
    co_return value;
}

awaitable<void> pause(std::chrono::microseconds delay)
{
    co_await after(delay, 0);
}

awaitable<int> fails_after(std::chrono::microseconds delay)
{
    co_await pause(delay);
    throw std::runtime_error("failed");
}

bool is_failure(const std::exception_ptr& error)
{
    try
    {
        std::rethrow_exception(error);
    }
    catch (const std::runtime_error& failure)
    {
        return std::string("failed") == failure.what();
    }
    catch (...)
    {
        return false;
    }
}

constexpr std::chrono::hours never(1);
constexpr std::chrono::milliseconds soon(1);

// On one thread and on several: a coroutine itself stays sequential, its branches are started and
// completed by whoever is free.
void run_coroutine(awaitable<void> (*body)())
{
    for (std::size_t threads : {1u, 3u})
    {
        io_context context;
        std::exception_ptr error;
        std::atomic<bool> finished = false;
        asio::co_spawn(asio::make_strand(context), body(),
            [&](std::exception_ptr e)
            {
                error = e;
                finished = true;
            });
        test::run_on(context, threads);
        BOOST_TEST(finished);
        if (error)
            std::rethrow_exception(error);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(coroutine_operators)

BOOST_AUTO_TEST_CASE(and_waits_for_both_and_delivers_both)
{
    run_coroutine(
        []() -> awaitable<void>
        {
            const auto [first, second] = co_await (after(soon, 1) && after(soon * 2, 2));
            BOOST_TEST(first == 1);
            BOOST_TEST(second == 2);
            const auto [one, two, three] =
                co_await (after(soon, 1) && after(soon, 2) && after(soon, 3));
            BOOST_TEST(one + two + three == 6);
            co_await (pause(soon) && pause(soon));
        });
}

BOOST_AUTO_TEST_CASE(or_delivers_the_first_and_cancels_the_other)
{
    run_coroutine(
        []() -> awaitable<void>
        {
            const std::variant<int, int> left = co_await (after(soon, 1) || after(never, 2));
            BOOST_TEST(left.index() == 0u);
            BOOST_TEST(std::get<0>(left) == 1);
            const std::variant<int, int> right = co_await (after(never, 1) || after(soon, 2));
            BOOST_TEST(right.index() == 1u);
            const auto three = co_await (after(never, 1) || after(soon, 2) || after(never, 3));
            BOOST_TEST(three.index() == 1u);
        });
}

BOOST_AUTO_TEST_CASE(a_timeout_is_an_or_with_a_timer)
{
    io_context context;
    auto [client, server] = test::tcp_pair(context);
    bool timed_out = false;
    bool read = false;
    asio::co_spawn(
        context,
        [&]() -> awaitable<void>
        {
            std::array<char, 4> buffer{};
            const auto first = co_await (
                asio::async_read(server, asio::buffer(buffer), use_awaitable) || pause(soon));
            timed_out = first.index() == 1;
            co_await asio::async_write(client, asio::buffer("abcd", 4), use_awaitable);
            const auto second = co_await (
                asio::async_read(server, asio::buffer(buffer), use_awaitable) || pause(never));
            read = second.index() == 0;
        },
        asio::detached);
    context.run();
    BOOST_TEST(timed_out);
    BOOST_TEST(read);
}

BOOST_AUTO_TEST_CASE(an_exception_in_and_cancels_the_other_and_is_thrown)
{
    run_coroutine(
        []() -> awaitable<void>
        {
            bool caught = false;
            try
            {
                co_await (fails_after(soon) && after(never, 1));
            }
            catch (const asio::multiple_exceptions& both)
            {
                caught = is_failure(both.first_exception());
            }
            BOOST_TEST(caught);
        });
}

BOOST_AUTO_TEST_CASE(an_exception_in_or_is_thrown_only_if_no_one_succeeds)
{
    run_coroutine(
        []() -> awaitable<void>
        {
            const auto result = co_await (fails_after(soon) || after(soon * 2, 2));
            BOOST_TEST(result.index() == 1u);
            bool caught = false;
            try
            {
                co_await (fails_after(soon) || fails_after(soon));
            }
            catch (const asio::multiple_exceptions& both)
            {
                caught = is_failure(both.first_exception());
            }
            BOOST_TEST(caught);
        });
}

BOOST_AUTO_TEST_CASE(operators_nest)
{
    run_coroutine(
        []() -> awaitable<void>
        {
            const auto result =
                co_await ((after(soon, 1) && after(soon, 2)) || (after(never, 3) && pause(soon)));
            BOOST_TEST(result.index() == 0u);
        });
}

BOOST_AUTO_TEST_CASE(operators_in_a_loop_leave_nothing_behind)
{
    run_coroutine(
        []() -> awaitable<void>
        {
            for (int i = 0; i != 500; ++i)
            {
                const auto result =
                    co_await (after(std::chrono::microseconds(0), i) || pause(never));
                BOOST_TEST_REQUIRE(std::get<0>(result) == i);
            }
        });
}

BOOST_AUTO_TEST_SUITE_END()
