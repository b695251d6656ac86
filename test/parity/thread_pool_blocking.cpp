// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

namespace
{

namespace execution = boost::asio::execution;

auto blocking(thread_pool& pool)
{
    return asio::require(pool.get_executor(), execution::blocking.always);
}

} // namespace

BOOST_AUTO_TEST_SUITE(thread_pool_blocking)

BOOST_AUTO_TEST_CASE(execute_from_a_foreign_thread_returns_when_the_function_has_run)
{
    thread_pool pool(2);
    const auto executor = blocking(pool);
    std::vector<int> order;
    for (int i = 0; i != 1000; ++i)
    {
        executor.execute(
            [&, i]
            {
                order.push_back(i);
                BOOST_TEST_REQUIRE(executor.running_in_this_thread());
            });
        BOOST_TEST_REQUIRE(order.size() == static_cast<std::size_t>(i) + 1);
    }
    pool.join();
}

BOOST_AUTO_TEST_CASE(execute_runs_on_a_thread_of_the_pool)
{
    thread_pool pool(1);
    std::thread::id first;
    std::thread::id second;
    blocking(pool).execute([&] { first = std::this_thread::get_id(); });
    blocking(pool).execute([&] { second = std::this_thread::get_id(); });
    BOOST_TEST((first != std::this_thread::get_id()));
    BOOST_TEST((first == second));
    pool.join();
}

BOOST_AUTO_TEST_CASE(execute_inside_the_pool_runs_inline)
{
    thread_pool pool(1);
    const auto executor = blocking(pool);
    std::promise<bool> was_inline;
    asio::post(pool,
        [&]
        {
            bool ran = false;
            const auto here = std::this_thread::get_id();
            executor.execute([&] { ran = here == std::this_thread::get_id(); });
            was_inline.set_value(ran);
        });
    BOOST_TEST(was_inline.get_future().get());
    pool.join();
}

BOOST_AUTO_TEST_CASE(execute_waits_behind_what_was_posted)
{
    thread_pool pool(1);
    std::vector<int> order;
    for (int i = 0; i != 100; ++i)
        asio::post(pool, [&, i] { order.push_back(i); });
    blocking(pool).execute([&] { order.push_back(100); });
    BOOST_TEST(order.size() == 101u);
    BOOST_TEST(order.back() == 100);
    pool.join();
}

BOOST_AUTO_TEST_CASE(a_move_only_function_can_be_executed)
{
    thread_pool pool(1);
    int result = 0;
    blocking(pool).execute([value = std::make_unique<int>(42), &result] { result = *value; });
    BOOST_TEST(result == 42);
    pool.join();
}

BOOST_AUTO_TEST_CASE(several_foreign_threads_can_block_on_one_pool_thread)
{
    thread_pool pool(1);
    const auto executor = blocking(pool);
    int calls = 0;
    {
        test::thread_group callers(4,
            [&]
            {
                for (int i = 0; i != 500; ++i)
                    executor.execute([&] { ++calls; });
            });
    }
    BOOST_TEST(calls == 2000);
    pool.join();
}

BOOST_AUTO_TEST_CASE(handlers_of_one_pool_can_block_on_another)
{
    thread_pool outer(2);
    thread_pool inner(1);
    std::atomic<int> calls = 0;
    for (int i = 0; i != 200; ++i)
        asio::post(outer, [&] { blocking(inner).execute([&] { ++calls; }); });
    outer.join();
    BOOST_TEST(calls == 200);
    inner.join();
}

BOOST_AUTO_TEST_CASE(leaving_blocking_always_goes_back_to_queueing)
{
    thread_pool pool(1);
    const auto never = asio::require(blocking(pool), execution::blocking.never);
    std::promise<void> go;
    std::atomic<bool> ran = false;
    asio::post(pool, [&] { go.get_future().wait(); });
    never.execute([&] { ran = true; });
    BOOST_TEST(!ran);
    go.set_value();
    pool.join();
    BOOST_TEST(ran);
}

BOOST_AUTO_TEST_CASE(the_function_is_destroyed_before_the_call_returns)
{
    struct probe
    {
        std::shared_ptr<std::atomic<int>> alive;

        explicit probe(std::shared_ptr<std::atomic<int>> a) : alive(std::move(a))
        {
            ++*alive;
        }

        probe(const probe& other) : alive(other.alive)
        {
            ++*alive;
        }

        ~probe()
        {
            --*alive;
        }

        void operator()() const
        {
        }
    };
    thread_pool pool(1);
    const auto alive = std::make_shared<std::atomic<int>>(0);
    for (int i = 0; i != 200; ++i)
    {
        blocking(pool).execute(probe(alive));
        BOOST_TEST(*alive == 0);
    }
    pool.join();
}

BOOST_AUTO_TEST_SUITE_END()
