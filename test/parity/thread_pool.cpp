// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include <set>

namespace
{

static_assert(std::is_base_of_v<asio::execution_context, thread_pool>);
static_assert(std::is_convertible_v<thread_pool&, asio::execution_context&>);
static_assert(std::is_default_constructible_v<thread_pool>);
static_assert(std::is_constructible_v<thread_pool, std::size_t>);
static_assert(!std::is_copy_constructible_v<thread_pool>);
static_assert(!std::is_copy_assignable_v<thread_pool>);
static_assert(!std::is_move_constructible_v<thread_pool>);
static_assert(noexcept(std::declval<thread_pool&>().get_executor()));
static_assert(std::is_same_v<decltype(std::declval<thread_pool&>().get_executor()),
    thread_pool::executor_type>);

} // namespace

BOOST_AUTO_TEST_SUITE(thread_pool_)

BOOST_AUTO_TEST_CASE(join_waits_for_everything_that_was_posted)
{
    for (std::size_t threads : {1u, 2u, 4u})
    {
        thread_pool pool(threads);
        std::atomic<int> calls = 0;
        for (int i = 0; i != 1000; ++i)
            asio::post(pool, [&] { ++calls; });
        pool.join();
        BOOST_TEST(calls == 1000);
    }
}

BOOST_AUTO_TEST_CASE(join_waits_for_what_handlers_post)
{
    thread_pool pool(2);
    std::atomic<int> calls = 0;
    std::function<void(int)> node = [&](int depth)
    {
        ++calls;
        if (depth > 0)
            for (int i = 0; i != 2; ++i)
                asio::post(pool, [&node, depth] { node(depth - 1); });
    };
    asio::post(pool, [&] { node(12); });
    pool.join();
    BOOST_TEST(calls == 8191);
}

BOOST_AUTO_TEST_CASE(a_pool_runs_handlers_without_being_joined)
{
    thread_pool pool(2);
    for (int i = 0; i != 1000; ++i)
    {
        std::promise<void> ran;
        asio::post(pool, [&] { ran.set_value(); });
        ran.get_future().wait();
    }
    pool.join();
}

BOOST_AUTO_TEST_CASE(join_without_work_returns_at_once_and_may_be_repeated)
{
    thread_pool pool(2);
    pool.join();
    pool.join();
    pool.join();
}

BOOST_AUTO_TEST_CASE(wait_waits_for_the_work_and_may_be_followed_by_join)
{
    thread_pool pool(2);
    std::atomic<int> calls = 0;
    for (int i = 0; i != 100; ++i)
        asio::post(pool, [&] { ++calls; });
    pool.wait();
    BOOST_TEST(calls == 100);
    pool.join();
}

BOOST_AUTO_TEST_CASE(join_waits_for_a_work_guard_of_another_thread)
{
    for (int round = 0; round != 50; ++round)
    {
        thread_pool pool(2);
        std::optional guard(asio::make_work_guard(pool));
        std::atomic<int> calls = 0;
        test::thread_group other(1,
            [&]
            {
                for (int i = 0; i != 10; ++i)
                    asio::post(pool, [&] { ++calls; });
                guard.reset();
            });
        pool.join();
        BOOST_TEST(calls == 10);
        other.join();
    }
}

BOOST_AUTO_TEST_CASE(join_waits_for_pending_operations)
{
    thread_pool pool(2);
    asio::steady_timer timer(pool, std::chrono::milliseconds(1));
    std::atomic<bool> fired = false;
    timer.async_wait([&](error_code) { fired = true; });
    pool.join();
    BOOST_TEST(fired);
}

BOOST_AUTO_TEST_CASE(stop_lets_join_return_although_there_is_work)
{
    thread_pool pool(2);
    const auto guard = asio::make_work_guard(pool);
    asio::steady_timer timer(pool, std::chrono::hours(1));
    timer.async_wait([](error_code) {});
    pool.stop();
    pool.join();
}

BOOST_AUTO_TEST_CASE(stop_from_a_handler_ends_the_pool)
{
    thread_pool pool(3);
    const auto guard = asio::make_work_guard(pool);
    asio::post(pool, [&] { pool.stop(); });
    pool.join();
}

BOOST_AUTO_TEST_CASE(what_is_posted_after_stop_or_join_does_not_run_and_is_destroyed)
{
    const auto token = std::make_shared<int>(0);
    std::atomic<int> calls = 0;
    {
        thread_pool pool(2);
        pool.join();
        asio::post(pool, [&calls, token] { ++calls; });
        asio::dispatch(pool, [&calls, token] { ++calls; });
        pool.join();
        BOOST_TEST(token.use_count() == 3);
    }
    {
        thread_pool pool(2);
        pool.stop();
        pool.join();
        asio::defer(pool, [&calls, token] { ++calls; });
        BOOST_TEST(token.use_count() == 2);
    }
    BOOST_TEST(calls == 0);
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(the_destructor_stops_and_joins)
{
    const auto token = std::make_shared<int>(0);
    std::atomic<int> calls = 0;
    {
        thread_pool pool(1);
        std::promise<void> started;
        asio::post(pool,
            [&]
            {
                // Nothing behind the stop may run, and the running handler is waited for.
                pool.stop();
                for (int i = 0; i != 10; ++i)
                    asio::post(pool, [&calls, token] { ++calls; });
                started.set_value();
                ++calls;
            });
        started.get_future().wait();
    }
    BOOST_TEST(calls == 1);
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(the_destructor_ends_a_pool_with_a_work_guard_alive)
{
    for (int round = 0; round != 100; ++round)
    {
        std::optional<thread_pool> pool(std::in_place, 2u);
        pool->get_executor().on_work_started();
        pool.reset();
    }
}

BOOST_AUTO_TEST_CASE(the_default_pool_has_threads)
{
    thread_pool pool;
    BOOST_TEST(asio::query(pool.get_executor(), asio::execution::occupancy) >= 1u);
    BOOST_TEST(asio::post(pool, asio::use_future([] { return 42; })).get() == 42);
    pool.join();
}

BOOST_AUTO_TEST_CASE(executor_and_get_executor_are_the_same)
{
    thread_pool pool(1);
    BOOST_TEST((pool.executor() == pool.get_executor()));
    std::promise<void> ran;
    pool.executor().execute([&] { ran.set_value(); });
    ran.get_future().wait();
    pool.join();
}

BOOST_AUTO_TEST_CASE(every_thread_of_the_pool_runs_handlers)
{
    for (std::size_t threads : {1u, 2u, 5u})
    {
        thread_pool pool(threads);
        std::latch all(static_cast<std::ptrdiff_t>(threads));
        std::mutex mutex;
        std::set<std::thread::id> ids;
        for (std::size_t i = 0; i != threads; ++i)
            asio::post(pool,
                [&]
                {
                    all.arrive_and_wait();
                    const std::lock_guard lock(mutex);
                    ids.insert(std::this_thread::get_id());
                });
        pool.join();
        BOOST_TEST(ids.size() == threads);
        BOOST_TEST(ids.count(std::this_thread::get_id()) == 0u);
    }
}

BOOST_AUTO_TEST_CASE(a_pool_of_one_thread_runs_posts_in_order)
{
    thread_pool pool(1);
    std::vector<int> order;
    for (int i = 0; i != 2000; ++i)
        asio::post(pool, [&order, i] { order.push_back(i); });
    pool.join();
    BOOST_TEST(order.size() == 2000u);
    BOOST_TEST(std::is_sorted(order.begin(), order.end()));
}

BOOST_AUTO_TEST_CASE(dispatch_is_inline_on_a_pool_thread_only)
{
    thread_pool pool(2);
    std::promise<bool> was_inline;
    asio::dispatch(pool,
        [&]
        {
            bool ran = false;
            asio::dispatch(pool, [&] { ran = true; });
            was_inline.set_value(ran);
        });
    BOOST_TEST(was_inline.get_future().get());
    pool.join();
}

BOOST_AUTO_TEST_CASE(io_objects_can_be_built_on_a_pool)
{
    thread_pool pool(2);
    std::atomic<int> fired = 0;
    std::vector<std::unique_ptr<asio::steady_timer>> timers;
    for (int i = 0; i != 100; ++i)
    {
        timers.push_back(std::make_unique<asio::steady_timer>(
            pool.get_executor(), std::chrono::microseconds(i)));
        timers.back()->async_wait([&](error_code ec) { fired += ec ? 0 : 1; });
    }
    pool.join();
    BOOST_TEST(fired == 100);
}

BOOST_AUTO_TEST_CASE(pools_can_be_started_and_ended_many_times)
{
    int calls = 0;
    for (int round = 0; round != 300; ++round)
    {
        thread_pool pool(2);
        asio::post(pool, [&] { ++calls; });
        pool.join();
    }
    BOOST_TEST(calls == 300);
}

BOOST_AUTO_TEST_CASE(two_pools_pass_work_back_and_forth)
{
    thread_pool left(2);
    thread_pool right(2);
    std::promise<void> done;
    std::atomic<int> passes = 0;
    std::function<void()> play = [&]
    {
        const int pass = ++passes;
        if (pass == 2000)
            done.set_value();
        else
            asio::post(pass % 2 != 0 ? right : left, play);
    };
    asio::post(left, play);
    done.get_future().wait();
    left.join();
    right.join();
    BOOST_TEST(passes == 2000);
}

#if BOOST_ASIO_VERSION < 102900
BOOST_AUTO_TEST_CASE(scheduler_and_executor_are_the_same)
{
    thread_pool pool(1);
    BOOST_TEST((pool.scheduler() == pool.executor()));
    std::promise<void> ran;
    pool.scheduler().execute([&] { ran.set_value(); });
    ran.get_future().wait();
    pool.join();
}

BOOST_AUTO_TEST_CASE(bulk_execute_calls_the_function_once_for_each_index)
{
    constexpr std::size_t count = 1000;
    for (std::size_t threads : {1u, 2u, 4u})
        for (bool from_a_handler : {false, true})
        {
            std::vector<std::atomic<int>> calls(count);
            thread_pool pool(threads);
            const auto bulk = [&]
            {
                pool.executor().bulk_execute([&](std::size_t i) { ++calls.at(i); }, count);
            };
            if (from_a_handler)
                asio::post(pool, bulk);
            else
                bulk();
            pool.executor().bulk_execute([&](std::size_t i) { calls.at(i) += 100; }, 0);
            pool.join();
            BOOST_TEST(std::all_of(calls.begin(), calls.end(), [](int n) { return n == 1; }));
        }
}

BOOST_AUTO_TEST_CASE(bulk_execute_that_always_blocks_has_made_the_calls_when_it_returns)
{
    constexpr std::size_t count = 100;
    std::vector<std::atomic<int>> calls(count);
    thread_pool pool(2);
    const auto executor = asio::require(pool.executor(), asio::execution::blocking.always);
    executor.bulk_execute([&](std::size_t i) { ++calls.at(i); }, count);
    BOOST_TEST(std::all_of(calls.begin(), calls.end(), [](int n) { return n == 1; }));
    pool.join();
}
#endif

BOOST_AUTO_TEST_SUITE_END()
