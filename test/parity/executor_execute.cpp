// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

namespace
{

namespace execution = boost::asio::execution;

struct move_only
{
    std::unique_ptr<int> value;
    int* result;

    void operator()()
    {
        *result += *value;
    }
};

struct counts_lifetime
{
    static inline int copies = 0;
    static inline int alive = 0;

    counts_lifetime()
    {
        ++alive;
    }

    counts_lifetime(const counts_lifetime&)
    {
        ++alive;
        ++copies;
    }

    counts_lifetime(counts_lifetime&&) noexcept
    {
        ++alive;
    }

    ~counts_lifetime()
    {
        --alive;
    }

    void operator()() const
    {
    }
};

void free_function()
{
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(executor_execute, test::with_context)

BOOST_AUTO_TEST_CASE(move_only_functions_can_be_submitted_in_every_way)
{
    const auto executor = context.get_executor();
    int result = 0;
    executor.execute(move_only{std::make_unique<int>(1), &result});
    asio::post(context, move_only{std::make_unique<int>(10), &result});
    asio::defer(context, move_only{std::make_unique<int>(100), &result});
    asio::dispatch(context, move_only{std::make_unique<int>(1000), &result});
    asio::require(executor, execution::blocking.never)
        .execute(move_only{std::make_unique<int>(10000), &result});
    asio::require(executor, execution::outstanding_work.tracked)
        .execute(move_only{std::make_unique<int>(100000), &result});
    BOOST_TEST(context.run() == 6u);
    BOOST_TEST(result == 111111);
}

BOOST_AUTO_TEST_CASE(function_pointers_and_lvalues_can_be_submitted)
{
    const auto executor = context.get_executor();
    int calls = 0;
    const auto constant = [&calls]
    {
        ++calls;
    };
    std::function<void()> function = constant;
    executor.execute(&free_function);
    executor.execute(free_function);
    executor.execute(constant);
    executor.execute(function);
    asio::post(executor, constant);
    asio::post(executor, function);
    BOOST_TEST(context.run() == 6u);
    BOOST_TEST(calls == 4);
}

BOOST_AUTO_TEST_CASE(a_function_is_not_copied_on_its_way_and_destroyed_after_its_call)
{
    const auto executor = context.get_executor();
    executor.execute(counts_lifetime());
    asio::post(executor, counts_lifetime());
    asio::defer(executor, counts_lifetime());
    asio::dispatch(executor, counts_lifetime());
    asio::post(context, counts_lifetime());
    BOOST_TEST(counts_lifetime::alive == 5);
    BOOST_TEST(context.run_one() == 1u);
    BOOST_TEST(counts_lifetime::alive == 4);
    context.run();
    BOOST_TEST(counts_lifetime::alive == 0);
    BOOST_TEST(counts_lifetime::copies == 0);
}

BOOST_AUTO_TEST_CASE(execute_inside_runs_inline_unless_blocking_is_never)
{
    const auto executor = context.get_executor();
    const auto never = asio::require(executor, execution::blocking.never);
    const auto possibly = asio::require(never, execution::blocking.possibly);
    std::vector<int> order;
    executor.execute(
        [&]
        {
            never.execute([&] { order.push_back(3); });
            executor.execute([&] { order.push_back(0); });
            possibly.execute([&] { order.push_back(1); });
            order.push_back(2);
        });
    BOOST_TEST(order.empty());
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST(order == (std::vector<int>{0, 1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(execute_on_another_context_is_never_inline)
{
    io_context other;
    bool ran = false;
    asio::post(context,
        [&]
        {
            other.get_executor().execute([&] { ran = true; });
            BOOST_TEST(!ran);
        });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(!ran);
    BOOST_TEST(other.run() == 1u);
    BOOST_TEST(ran);
}

BOOST_AUTO_TEST_CASE(running_in_this_thread_is_true_only_inside_the_run_functions)
{
    const auto executor = context.get_executor();
    const auto never = asio::require(executor, execution::blocking.never);
    BOOST_TEST(!executor.running_in_this_thread());
    int inside = 0;
    const auto look = [&]
    {
        inside += executor.running_in_this_thread() && never.running_in_this_thread() ? 1 : 0;
    };
    asio::post(context, look);
    context.run();
    BOOST_TEST(!executor.running_in_this_thread());
    context.restart();
    for (int i = 0; i != 4; ++i)
        asio::post(context, look);
    context.run_one();
    context.poll_one();
    context.run_one_for(std::chrono::hours(1));
    context.poll();
    BOOST_TEST(inside == 5);
    BOOST_TEST(!executor.running_in_this_thread());
}

BOOST_AUTO_TEST_CASE(running_in_this_thread_is_false_on_other_threads)
{
    const auto executor = context.get_executor();
    bool other_thread = true;
    bool other_context = true;
    io_context other;
    asio::post(context,
        [&]
        {
            std::thread([&] { other_thread = executor.running_in_this_thread(); }).join();
            other_context = other.get_executor().running_in_this_thread();
        });
    context.run();
    BOOST_TEST(!other_thread);
    BOOST_TEST(!other_context);
}

BOOST_AUTO_TEST_CASE(running_in_this_thread_of_a_pool_is_true_on_its_threads)
{
    thread_pool pool(2);
    const auto executor = pool.get_executor();
    BOOST_TEST(!executor.running_in_this_thread());
    std::promise<bool> inside;
    asio::post(pool, [&] { inside.set_value(executor.running_in_this_thread()); });
    BOOST_TEST(inside.get_future().get());
    pool.join();
}

BOOST_AUTO_TEST_CASE(the_ts_members_submit_as_their_names_say)
{
    const auto executor = context.get_executor();
    const std::allocator<void> allocator;
    std::vector<int> order;
    executor.post(
        [&]
        {
            order.push_back(0);
            executor.post([&] { order.push_back(3); }, allocator);
            executor.dispatch([&] { order.push_back(1); }, allocator);
            order.push_back(2);
        },
        allocator);
    executor.dispatch([] {}, allocator);
    executor.defer([] {}, allocator);
    BOOST_TEST(order.empty());
    BOOST_TEST(context.run() == 4u);
    BOOST_TEST(order == (std::vector<int>{0, 1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_ts_members_exist_on_required_executors_and_on_pools)
{
    const auto never = asio::require(
        context.get_executor(), execution::blocking.never, execution::outstanding_work.tracked);
    int calls = 0;
    never.post([&] { ++calls; }, std::allocator<char>());
    never.defer([&] { ++calls; }, std::allocator<char>());
    never.dispatch([&] { ++calls; }, std::allocator<char>());
    never.on_work_started();
    never.on_work_finished();
    context.poll();
    BOOST_TEST(calls == 3);

    thread_pool pool(1);
    const auto executor = pool.get_executor();
    std::promise<void> ran;
    BOOST_TEST(&executor.context() == &pool);
    executor.on_work_started();
    executor.post([&] { executor.dispatch([&] { ran.set_value(); }, std::allocator<void>()); },
        std::allocator<void>());
    ran.get_future().wait();
    executor.on_work_finished();
    pool.join();
}

BOOST_AUTO_TEST_CASE(post_and_dispatch_honour_the_executor_bound_to_the_handler)
{
    io_context bound;
    bool ran = false;
    asio::post(context, asio::bind_executor(bound.get_executor(), [&] { ran = true; }));
    asio::post(asio::bind_executor(bound, [] {}));
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(!ran);
    BOOST_TEST(bound.run() == 2u);
    BOOST_TEST(ran);
}

BOOST_AUTO_TEST_CASE(a_handler_bound_elsewhere_keeps_that_context_working)
{
    io_context bound;
    bool ran = false;
    asio::post(context, asio::bind_executor(bound.get_executor(), [&] { ran = true; }));
    BOOST_TEST(bound.poll() == 0u);
    BOOST_TEST(!bound.stopped());
    context.run();
    BOOST_TEST(bound.run() == 1u);
    BOOST_TEST(ran);
}

BOOST_AUTO_TEST_SUITE_END()
