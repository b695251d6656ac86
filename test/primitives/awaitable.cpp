// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Coroutines whose type names weft's executor, and the tokens that they await with.

#include <weft/awaitable.hpp>
#include <weft/channel.hpp>
#include <weft/mutex.hpp>
#include <weft/thread_pool.hpp>

#include "support/asio.hpp"

#include <variant>

BOOST_AUTO_TEST_SUITE(primitives_awaitable)

namespace
{

using pool_executor = weft::thread_pool::executor_type;

static_assert(std::is_same<weft::awaitable<int>,
    asio::awaitable<int, weft::io_context::executor_type>>::value);
static_assert(std::is_same<weft::awaitable<>, weft::awaitable<void>>::value);
static_assert(
    std::is_same<weft::awaitable<int, pool_executor>, asio::awaitable<int, pool_executor>>::value);
static_assert(std::is_same<decltype(weft::use_awaitable),
    asio::use_awaitable_t<weft::io_context::executor_type> const>::value);

// Timers of any executor, of the coroutine's, and with a default token.
weft::awaitable<int> wait_each_way()
{
    auto const executor = co_await asio::this_coro::executor;
    asio::steady_timer any(executor, std::chrono::seconds(0));
    asio::basic_waitable_timer<std::chrono::steady_clock,
        asio::wait_traits<std::chrono::steady_clock>, weft::io_context::executor_type>
        own(executor, std::chrono::seconds(0));
    weft::use_awaitable_t<>::as_default_on_t<asio::steady_timer> without(
        executor, std::chrono::seconds(0));
    co_await any.async_wait(weft::use_awaitable);
    co_await any.async_wait(asio::deferred);
    co_await own.async_wait(weft::use_awaitable);
    co_await without.async_wait();
    auto const [ec] = co_await any.async_wait(asio::as_tuple(weft::use_awaitable));
    co_await asio::post(weft::use_awaitable);
    co_return ec ? 0 : 1;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_timer_of_any_executor_is_awaited)
{
    weft::io_context context;
    auto result = asio::co_spawn(context, wait_each_way(), asio::use_future);
    context.run();
    BOOST_TEST(result.get() == 1);
}

BOOST_AUTO_TEST_CASE(so_it_is_on_a_pool)
{
    weft::thread_pool pool(2);
    auto result = asio::co_spawn(
        pool,
        []() -> weft::awaitable<int, pool_executor>
        {
            asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::seconds(0));
            co_await timer.async_wait(weft::use_awaitable_t<pool_executor>());
            co_await timer.async_wait(asio::deferred);
            co_return 1;
        },
        asio::use_future);
    BOOST_TEST(result.get() == 1);
}

BOOST_AUTO_TEST_CASE(primitives_and_operators_take_the_token)
{
    weft::io_context context;
    weft::mutex m(context);
    weft::channel<int> orders(context, 1);
    weft::channel<int> refunds(context, 1);
    auto result = asio::co_spawn(
        context,
        [&]() -> weft::awaitable<int>
        {
            using namespace asio::experimental::awaitable_operators;
            auto const lock = co_await m.async_scoped_lock(weft::use_awaitable);
            co_await refunds.async_send(7);
            auto const which = co_await (orders.async_wait_receive(weft::use_awaitable) ||
                                         refunds.async_wait_receive(weft::use_awaitable));
            BOOST_TEST(which.index() == 1u);
            co_return refunds.try_receive().value();
        },
        asio::use_future);
    context.run();
    BOOST_TEST(result.get() == 7);
}

BOOST_AUTO_TEST_SUITE_END()
