// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

namespace
{

static_assert(std::is_same_v<io_context::count_type, std::size_t>);
static_assert(std::is_base_of_v<asio::execution_context, io_context>);
static_assert(std::is_convertible_v<io_context&, asio::execution_context&>);
static_assert(!std::is_copy_constructible_v<io_context>);
static_assert(!std::is_copy_assignable_v<io_context>);
static_assert(!std::is_move_constructible_v<io_context>);
static_assert(!std::is_move_assignable_v<io_context>);
static_assert(!std::is_convertible_v<int, io_context>);
static_assert(std::is_default_constructible_v<io_context>);
static_assert(std::is_constructible_v<io_context, int>);
static_assert(noexcept(std::declval<io_context&>().get_executor()));
static_assert(std::is_same_v<decltype(std::declval<io_context&>().get_executor()),
    io_context::executor_type>);
static_assert(std::is_same_v<decltype(std::declval<const io_context&>().stopped()), bool>);
static_assert(std::is_same_v<decltype(std::declval<io_context&>().run()), io_context::count_type>);
static_assert(
    std::is_same_v<decltype(std::declval<io_context&>().run_one()), io_context::count_type>);
static_assert(std::is_same_v<decltype(std::declval<io_context&>().poll()), io_context::count_type>);
static_assert(
    std::is_same_v<decltype(std::declval<io_context&>().poll_one()), io_context::count_type>);

void runs_handlers(io_context& context)
{
    int calls = 0;
    for (int i = 0; i != 3; ++i)
        asio::post(context, [&] { ++calls; });
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST(calls == 3);
    BOOST_TEST(context.stopped());
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(io_context_lifecycle, test::with_context)

BOOST_AUTO_TEST_CASE(default_constructed_context_runs_handlers)
{
    BOOST_TEST(!context.stopped());
    runs_handlers(context);
}

BOOST_FIXTURE_TEST_CASE(
    every_usual_concurrency_hint_gives_a_context_that_runs_handlers, test::context_of_its_own)
{
    const int hints[] = {1, 2, 8, static_cast<int>(std::thread::hardware_concurrency()),
        BOOST_ASIO_CONCURRENCY_HINT_SAFE, BOOST_ASIO_CONCURRENCY_HINT_UNSAFE,
        BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO, BOOST_ASIO_CONCURRENCY_HINT_DEFAULT,
        BOOST_ASIO_CONCURRENCY_HINT_1};
    for (int hint : hints)
    {
        BOOST_TEST_CONTEXT("hint " << hint)
        {
            io_context context(hint);
            runs_handlers(context);
        }
    }
}

BOOST_FIXTURE_TEST_CASE(
    braces_with_an_unsigned_constant_select_the_hint_constructor, test::context_of_its_own)
{
    io_context context{1u};
    runs_handlers(context);
    io_context braced{1};
    runs_handlers(braced);
}

BOOST_AUTO_TEST_CASE(contexts_can_be_made_on_the_heap)
{
    const auto shared = std::make_shared<io_context>(1);
    runs_handlers(*shared);
    const auto unique = std::make_unique<io_context>();
    runs_handlers(*unique);
}

BOOST_AUTO_TEST_CASE(run_without_work_returns_zero_and_sets_stopped)
{
    BOOST_TEST(context.run() == 0u);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(running_out_of_work_sets_stopped)
{
    asio::post(context, [&] { BOOST_TEST(!context.stopped()); });
    BOOST_TEST(!context.stopped());
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(a_context_that_ran_out_of_work_runs_nothing_until_restart)
{
    BOOST_TEST(context.run() == 0u);
    int calls = 0;
    asio::post(context, [&] { ++calls; });
    BOOST_TEST(context.stopped());
    BOOST_TEST(context.run() == 0u);
    BOOST_TEST(context.run_one() == 0u);
    BOOST_TEST(context.poll() == 0u);
    BOOST_TEST(context.poll_one() == 0u);
    BOOST_TEST(calls == 0);
    context.restart();
    BOOST_TEST(!context.stopped());
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(stop_before_run_makes_every_run_function_return_zero)
{
    int calls = 0;
    asio::post(context, [&] { ++calls; });
    context.stop();
    BOOST_TEST(context.stopped());
    BOOST_TEST(context.run() == 0u);
    BOOST_TEST(context.run_one() == 0u);
    BOOST_TEST(context.run_for(std::chrono::hours(1)) == 0u);
    BOOST_TEST(context.run_one_for(std::chrono::hours(1)) == 0u);
    BOOST_TEST(context.poll() == 0u);
    BOOST_TEST(context.poll_one() == 0u);
    BOOST_TEST(calls == 0);
}

BOOST_AUTO_TEST_CASE(handlers_posted_while_stopped_run_after_restart_in_order)
{
    std::vector<int> order;
    asio::post(context, [&] { order.push_back(0); });
    context.stop();
    asio::post(context, [&] { order.push_back(1); });
    asio::post(context, [&] { order.push_back(2); });
    BOOST_TEST(context.run() == 0u);
    context.restart();
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST(order == (std::vector<int>{0, 1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(stop_from_a_handler_leaves_the_rest_queued_for_restart)
{
    std::vector<int> order;
    asio::post(context, [&] { order.push_back(0); });
    asio::post(context,
        [&]
        {
            order.push_back(1);
            context.stop();
            BOOST_TEST(context.stopped());
        });
    asio::post(context, [&] { order.push_back(2); });
    asio::post(context, [&] { order.push_back(3); });
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST(context.stopped());
    BOOST_TEST(order.size() == 2u);
    context.restart();
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST(order == (std::vector<int>{0, 1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(handlers_posted_after_stop_inside_a_handler_stay_queued)
{
    int calls = 0;
    asio::post(context,
        [&]
        {
            context.stop();
            asio::post(context, [&] { ++calls; });
        });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(calls == 0);
    context.restart();
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(dispatch_inside_a_handler_runs_inline_even_after_stop)
{
    int calls = 0;
    asio::post(context,
        [&]
        {
            context.stop();
            asio::dispatch(context, [&] { ++calls; });
            BOOST_TEST(calls == 1);
        });
    BOOST_TEST(context.run() == 1u);
}

BOOST_AUTO_TEST_CASE(stop_and_restart_inside_a_handler_let_run_continue)
{
    int calls = 0;
    asio::post(context,
        [&]
        {
            context.stop();
            context.restart();
        });
    asio::post(context, [&] { ++calls; });
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(stop_and_restart_may_be_called_any_number_of_times)
{
    context.restart();
    BOOST_TEST(!context.stopped());
    context.stop();
    context.stop();
    BOOST_TEST(context.stopped());
    context.restart();
    context.restart();
    BOOST_TEST(!context.stopped());
    runs_handlers(context);
}

BOOST_AUTO_TEST_CASE(a_context_can_be_restarted_and_run_again_many_times)
{
    std::size_t calls = 0;
    for (int round = 0; round != 1000; ++round)
    {
        asio::post(context,
            [&]
            {
                ++calls;
                asio::post(context, [&] { ++calls; });
            });
        BOOST_TEST_REQUIRE(context.run() == 2u);
        BOOST_TEST_REQUIRE(context.stopped());
        context.restart();
    }
    BOOST_TEST(calls == 2000u);
}

BOOST_AUTO_TEST_CASE(stop_keeps_a_context_with_a_work_guard_from_running)
{
    const auto guard = asio::make_work_guard(context);
    context.stop();
    BOOST_TEST(context.run() == 0u);
    BOOST_TEST(context.stopped());
}

BOOST_FIXTURE_TEST_CASE(
    a_context_that_never_ran_is_destroyed_with_its_handlers, test::context_of_its_own)
{
    const auto token = std::make_shared<int>(0);
    {
        io_context context;
        asio::post(context, [token] { BOOST_ERROR("must not run"); });
        BOOST_TEST(token.use_count() == 2);
    }
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(several_contexts_on_one_thread_are_independent)
{
    io_context first;
    io_context second;
    int calls = 0;
    asio::post(first, [&] { asio::post(second, [&] { ++calls; }); });
    BOOST_TEST(first.run() == 1u);
    BOOST_TEST(first.stopped());
    BOOST_TEST(!second.stopped());
    BOOST_TEST(calls == 0);
    BOOST_TEST(second.run() == 1u);
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_SUITE_END()
