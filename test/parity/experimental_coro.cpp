// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include <boost/asio/experimental/co_spawn.hpp>
#include <boost/asio/experimental/coro.hpp>
#include <boost/asio/experimental/use_coro.hpp>

namespace
{

using asio::experimental::coro;
using asio::experimental::use_coro;

coro<int> count_to(asio::any_io_executor, int n)
{
    for (int i = 1; i <= n; ++i)
        co_yield i;
}

coro<void, int> sum_of(asio::any_io_executor executor, int n)
{
    int sum = 0;
    auto source = count_to(executor, n);
    while (const auto value = co_await source)
        sum += *value;
    co_return sum;
}

coro<void, int> waits_then_fails(asio::any_io_executor executor)
{
    asio::steady_timer timer(executor, std::chrono::milliseconds(1));
    co_await timer.async_wait(use_coro);
    throw std::runtime_error("failed");
}

} // namespace

BOOST_AUTO_TEST_SUITE(experimental_coro)

BOOST_AUTO_TEST_CASE(a_generator_is_consumed_by_another_coroutine)
{
    io_context context;
    int sum = 0;
    asio::experimental::co_spawn(sum_of(context.get_executor(), 100),
        [&](std::exception_ptr error, int value)
        {
            BOOST_TEST(!error);
            sum = value;
        });
    context.run();
    BOOST_TEST(sum == 5050);
}

BOOST_AUTO_TEST_CASE(an_exception_reaches_the_completion_handler)
{
    io_context context;
    std::exception_ptr caught;
    asio::experimental::co_spawn(waits_then_fails(context.get_executor()),
        [&](std::exception_ptr error, int) { caught = error; });
    context.run();
    BOOST_TEST((caught != nullptr));
}

BOOST_AUTO_TEST_SUITE_END()
