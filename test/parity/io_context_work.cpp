// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

namespace
{

namespace execution = boost::asio::execution;

using tracked_executor = decltype(asio::require(
    std::declval<io_context::executor_type>(), execution::outstanding_work.tracked));

tracked_executor tracked(io_context& context)
{
    return asio::require(context.get_executor(), execution::outstanding_work.tracked);
}

bool has_work(io_context& context)
{
    context.restart();
    BOOST_TEST(context.poll() == 0u);
    return !context.stopped();
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(io_context_work, test::with_context)

BOOST_AUTO_TEST_CASE(a_guard_reset_from_inside_lets_run_return)
{
    auto guard = asio::make_work_guard(context);
    asio::post(context, [&] { guard.reset(); });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(context.stopped());
    BOOST_TEST(!guard.owns_work());
}

BOOST_AUTO_TEST_CASE(a_guard_reset_before_run_leaves_no_work)
{
    auto guard = asio::make_work_guard(context);
    BOOST_TEST(has_work(context));
    guard.reset();
    BOOST_TEST(context.stopped());
    context.restart();
    BOOST_TEST(context.run() == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_guard_reset_by_another_thread_lets_run_return, test::context_of_its_own)
{
    for (int round = 0; round != 200; ++round)
    {
        io_context context;
        auto guard = asio::make_work_guard(context);
        test::thread_group other(1, [&] { guard.reset(); });
        BOOST_TEST(context.run() == 0u);
        BOOST_TEST(context.stopped());
    }
}

BOOST_FIXTURE_TEST_CASE(
    a_guard_reset_by_another_thread_releases_every_waiting_thread, test::context_of_its_own)
{
    for (int round = 0; round != 50; ++round)
    {
        io_context context;
        auto guard = asio::make_work_guard(context);
        test::thread_group runners(3, [&] { context.run(); });
        std::promise<void> ran;
        asio::post(context, [&] { ran.set_value(); });
        ran.get_future().wait();
        guard.reset();
        runners.join();
        BOOST_TEST(context.stopped());
    }
}

BOOST_AUTO_TEST_CASE(run_waits_for_posts_of_other_threads_while_guarded)
{
    std::optional guard(asio::make_work_guard(context));
    int calls = 0;
    test::thread_group other(1,
        [&]
        {
            for (int i = 0; i != 100; ++i)
            {
                std::promise<void> ran;
                asio::post(context,
                    [&]
                    {
                        ++calls;
                        ran.set_value();
                    });
                ran.get_future().wait();
            }
            guard.reset();
        });
    BOOST_TEST(context.run() == 100u);
    BOOST_TEST(calls == 100);
}

BOOST_AUTO_TEST_CASE(run_returns_only_when_the_last_of_several_guards_is_gone)
{
    auto first = asio::make_work_guard(context);
    auto second = asio::make_work_guard(context.get_executor());
    auto third = first;
    first.reset();
    BOOST_TEST(has_work(context));
    second.reset();
    BOOST_TEST(has_work(context));
    third.reset();
    BOOST_TEST(!has_work(context));
}

BOOST_AUTO_TEST_CASE(a_moved_guard_carries_its_work_along)
{
    auto first = asio::make_work_guard(context);
    {
        const auto second = std::move(first);
        BOOST_TEST(second.owns_work());
        BOOST_TEST(!first.owns_work());
        BOOST_TEST(has_work(context));
    }
    BOOST_TEST(!has_work(context));
}

BOOST_AUTO_TEST_CASE(a_guard_for_an_io_object_guards_its_context)
{
    asio::steady_timer timer(context);
    auto guard = asio::make_work_guard(timer.get_executor());
    BOOST_TEST(has_work(context));
    guard.reset();
    BOOST_TEST(!has_work(context));
}

BOOST_AUTO_TEST_CASE(on_work_started_and_finished_count)
{
    const auto executor = context.get_executor();
    executor.on_work_started();
    executor.on_work_started();
    executor.on_work_finished();
    BOOST_TEST(has_work(context));
    executor.on_work_finished();
    BOOST_TEST(context.stopped());
    BOOST_TEST(!has_work(context));
}

BOOST_AUTO_TEST_CASE(an_untracked_executor_is_no_work)
{
    const auto executor = context.get_executor();
    const asio::any_io_executor any = executor;
    const auto untracked = asio::require(executor, execution::outstanding_work.untracked);
    BOOST_TEST(!has_work(context));
    BOOST_TEST((untracked == executor));
}

BOOST_AUTO_TEST_CASE(a_tracked_executor_is_work_for_as_long_as_it_lives)
{
    {
        const auto executor = tracked(context);
        BOOST_TEST(has_work(context));
    }
    BOOST_TEST(!has_work(context));
}

BOOST_AUTO_TEST_CASE(copies_of_a_tracked_executor_each_count)
{
    std::optional first(tracked(context));
    std::optional second(*first);
    first.reset();
    BOOST_TEST(has_work(context));
    second.reset();
    BOOST_TEST(!has_work(context));
}

BOOST_AUTO_TEST_CASE(moving_a_tracked_executor_moves_its_work)
{
    std::optional first(tracked(context));
    std::optional second(std::move(*first));
    first.reset();
    BOOST_TEST(has_work(context));
    second.reset();
    BOOST_TEST(!has_work(context));
}

BOOST_AUTO_TEST_CASE(copy_assignment_of_tracked_executors_moves_the_count_between_contexts)
{
    io_context from;
    io_context to;
    {
        tracked_executor executor = tracked(from);
        const tracked_executor other = tracked(to);
        executor = other;
        BOOST_TEST(!has_work(from));
        BOOST_TEST(has_work(to));
        tracked_executor& alias = executor;
        executor = alias;
        BOOST_TEST(has_work(to));
    }
    BOOST_TEST(!has_work(from));
    BOOST_TEST(!has_work(to));
}

BOOST_AUTO_TEST_CASE(move_assignment_of_tracked_executors_moves_the_count_between_contexts)
{
    io_context from;
    io_context to;
    {
        tracked_executor executor = tracked(from);
        executor = tracked(to);
        BOOST_TEST(!has_work(from));
        BOOST_TEST(has_work(to));
    }
    BOOST_TEST(!has_work(to));
}

BOOST_AUTO_TEST_CASE(require_tracked_twice_and_untracked_again_balances)
{
    {
        const auto once = tracked(context);
        const auto twice = asio::require(once, execution::outstanding_work.tracked);
        const auto never = asio::require(twice, execution::blocking.never);
        const auto none = asio::require(never, execution::outstanding_work.untracked);
        BOOST_TEST(has_work(context));
        (void)none;
    }
    BOOST_TEST(!has_work(context));
}

BOOST_AUTO_TEST_CASE(a_tracked_any_io_executor_is_work)
{
    const asio::any_io_executor any = context.get_executor();
    {
        asio::any_io_executor counted = asio::prefer(any, execution::outstanding_work.tracked);
        BOOST_TEST(has_work(context));
        asio::any_io_executor copy = counted;
        counted = asio::any_io_executor();
        BOOST_TEST(has_work(context));
        counted = std::move(copy);
        BOOST_TEST(has_work(context));
    }
    BOOST_TEST(!has_work(context));
}

BOOST_FIXTURE_TEST_CASE(
    a_tracked_executor_released_by_another_thread_lets_run_return, test::context_of_its_own)
{
    for (int round = 0; round != 200; ++round)
    {
        io_context context;
        std::optional executor(tracked(context));
        test::thread_group other(1, [&] { executor.reset(); });
        BOOST_TEST(context.run() == 0u);
        BOOST_TEST(context.stopped());
    }
}

BOOST_AUTO_TEST_CASE(a_handler_that_owns_a_tracked_executor_releases_it_when_it_has_run)
{
    asio::post(context, [executor = tracked(context)] { (void)executor; });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(releasing_the_last_work_stops_the_context_and_posts_then_wait_for_restart)
{
    auto guard = asio::make_work_guard(context);
    guard.reset();
    BOOST_TEST(context.stopped());
    int calls = 0;
    asio::post(context, [&] { ++calls; });
    BOOST_TEST(context.run() == 0u);
    context.restart();
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(a_pending_operation_is_work)
{
    asio::steady_timer timer(context, std::chrono::hours(1));
    BOOST_TEST(!has_work(context));
    timer.async_wait([](boost::system::error_code) {});
    BOOST_TEST(has_work(context));
    timer.cancel();
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(!has_work(context));
}

BOOST_AUTO_TEST_SUITE_END()
