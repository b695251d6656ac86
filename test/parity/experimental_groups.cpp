// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include <boost/asio/experimental/promise.hpp>
#include <boost/asio/experimental/use_promise.hpp>

namespace
{

namespace experimental = asio::experimental;
using namespace std::chrono_literals;
using experimental::use_promise;

auto wait(asio::steady_timer& timer)
{
    return timer.async_wait(asio::deferred);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(experimental_groups, test::with_context)

BOOST_FIXTURE_TEST_CASE(a_parallel_group_waits_for_all, test::context_of_its_own)
{
    for (std::size_t threads : {1u, 3u})
    {
        io_context context;
        asio::steady_timer first(context, 2ms);
        asio::steady_timer second(context, 1ms);
        bool done = false;
        experimental::make_parallel_group(wait(first), wait(second))
            .async_wait(experimental::wait_for_all(),
                [&](std::array<std::size_t, 2> order, error_code a, error_code b)
                { done = !a && !b && order[0] + order[1] == 1; });
        test::run_on(context, threads);
        BOOST_TEST(done);
    }
}

BOOST_AUTO_TEST_CASE(a_parallel_group_cancels_the_rest_after_the_first)
{
    asio::steady_timer slow(context, 1h);
    asio::steady_timer fast(context, 1ms);
    asio::steady_timer slower(context, 1h);
    bool done = false;
    experimental::make_parallel_group(wait(slow), wait(fast), wait(slower))
        .async_wait(experimental::wait_for_one(),
            [&](std::array<std::size_t, 3> order, error_code a, error_code b, error_code c)
            {
                done = order[0] == 1 && !b && a == asio::error::operation_aborted &&
                       c == asio::error::operation_aborted;
            });
    context.run();
    BOOST_TEST(done);
}

BOOST_AUTO_TEST_CASE(wait_for_one_error_and_success_follow_the_results)
{
    asio::steady_timer cancelled(context, 1h);
    asio::steady_timer pending(context, 1h);
    asio::steady_timer fast(context, 2ms);
    int done = 0;
    experimental::make_parallel_group(wait(cancelled), wait(pending))
        .async_wait(experimental::wait_for_one_error(),
            [&](std::array<std::size_t, 2> order, error_code, error_code)
            { done += order[0] == 0 ? 1 : 0; });
    asio::post(context, [&] { cancelled.cancel(); });
    context.run();
    BOOST_TEST(done == 1);
    context.restart();
    cancelled.expires_after(1h);
    experimental::make_parallel_group(wait(cancelled), wait(fast))
        .async_wait(experimental::wait_for_one_success(),
            [&](std::array<std::size_t, 2>, error_code, error_code ec) { done += ec ? 0 : 1; });
    context.run();
    BOOST_TEST(done == 2);
}

BOOST_AUTO_TEST_CASE(a_parallel_group_can_be_cancelled_and_awaited)
{
    asio::cancellation_signal signal;
    asio::steady_timer first(context, 1h);
    asio::steady_timer second(context, 1h);
    int aborted = 0;
    experimental::make_parallel_group(wait(first), wait(second))
        .async_wait(experimental::wait_for_all(),
            asio::bind_cancellation_slot(signal.slot(),
                [&](std::array<std::size_t, 2>, error_code a, error_code b)
                {
                    aborted += a == asio::error::operation_aborted ? 1 : 0;
                    aborted += b == asio::error::operation_aborted ? 1 : 0;
                }));
    asio::post(context, [&] { signal.emit(asio::cancellation_type::terminal); });
    context.run();
    BOOST_TEST(aborted == 2);

    context.restart();
    first.expires_after(1ms);
    second.expires_after(1ms);
    bool finished = false;
    asio::co_spawn(
        context,
        [&]() -> asio::awaitable<void>
        {
            const auto [order, a, b] =
                co_await experimental::make_parallel_group(wait(first), wait(second))
                    .async_wait(experimental::wait_for_all(), asio::use_awaitable);
            finished = !a && !b && order.size() == 2;
        },
        asio::detached);
    context.run();
    BOOST_TEST(finished);
}

BOOST_AUTO_TEST_CASE(a_ranged_group_runs_as_many_operations_as_there_are)
{
    using operation = decltype(wait(std::declval<asio::steady_timer&>()));
    std::vector<std::unique_ptr<asio::steady_timer>> timers;
    std::vector<operation> operations;
    for (int i = 0; i != 50; ++i)
    {
        timers.push_back(
            std::make_unique<asio::steady_timer>(context, std::chrono::microseconds(i)));
        operations.push_back(wait(*timers.back()));
    }
    std::size_t completed = 0;
    experimental::make_parallel_group(operations)
        .async_wait(experimental::wait_for_all(),
            [&](std::vector<std::size_t>, std::vector<error_code> errors)
            {
                for (error_code ec : errors)
                    completed += ec ? 0 : 1;
            });
    test::run_on(context, 2);
    BOOST_TEST(completed == 50u);
}

BOOST_AUTO_TEST_CASE(a_promise_starts_its_operation_at_once_and_delivers_later)
{
    asio::steady_timer timer(context, 1ms);
    auto promise = timer.async_wait(use_promise);
    context.run();
    BOOST_TEST(promise.completed());
    context.restart();
    bool delivered = false;
    promise([&](error_code ec) { delivered = !ec; });
    context.run();
    BOOST_TEST(delivered);
}

BOOST_AUTO_TEST_CASE(a_promise_that_is_dropped_cancels_its_operation)
{
    asio::steady_timer timer(context, 1h);
    {
        const auto promise = timer.async_wait(use_promise);
    }
    context.run();
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(promises_can_be_awaited_by_a_coroutine)
{
    std::vector<error_code> results;
    asio::co_spawn(
        context,
        [&]() -> asio::awaitable<void>
        {
            asio::steady_timer first(context, 1ms);
            asio::steady_timer second(context, 1ms);
            auto one = first.async_wait(use_promise);
            auto two = second.async_wait(use_promise);
            co_await two(asio::use_awaitable);
            co_await one(asio::use_awaitable);
            results.resize(2);
        },
        asio::detached);
    context.run();
    BOOST_TEST(results.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
