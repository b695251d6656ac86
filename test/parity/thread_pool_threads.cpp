// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include <set>

namespace
{

namespace execution = boost::asio::execution;

} // namespace

BOOST_AUTO_TEST_SUITE(thread_pool_threads)

BOOST_AUTO_TEST_CASE(an_attached_thread_runs_handlers_until_the_work_is_done)
{
    thread_pool pool(1);
    auto guard = asio::make_work_guard(pool);
    std::latch both(2);
    std::atomic<bool> attached_ran = false;
    std::thread::id attached_id;
    std::promise<void> known;
    std::thread attached(
        [&]
        {
            attached_id = std::this_thread::get_id();
            known.set_value();
            pool.attach();
        });
    known.get_future().wait();
    for (int i = 0; i != 2; ++i)
        asio::post(pool,
            [&]
            {
                both.arrive_and_wait();
                if (std::this_thread::get_id() == attached_id)
                    attached_ran = pool.get_executor().running_in_this_thread();
            });
    both.wait();
    guard.reset();
    pool.join();
    attached.join();
    BOOST_TEST(attached_ran);
}

BOOST_AUTO_TEST_CASE(occupancy_counts_an_attached_thread)
{
    thread_pool pool(1);
    auto guard = asio::make_work_guard(pool);
    std::latch both(2);
    std::atomic<int> seen = 0;
    test::thread_group attached(1, [&] { pool.attach(); });
    for (int i = 0; i != 2; ++i)
        asio::post(pool,
            [&]
            {
                both.arrive_and_wait();
                seen += static_cast<int>(asio::query(pool.get_executor(), execution::occupancy));
            });
    both.wait();
    guard.reset();
    pool.join();
    attached.join();
    BOOST_TEST(seen == 4);
}

BOOST_AUTO_TEST_CASE(an_attached_thread_adds_no_work_of_its_own)
{
    for (int round = 0; round != 50; ++round)
    {
        thread_pool pool(1);
        test::thread_group attached(2, [&] { pool.attach(); });
        pool.join();
        attached.join();
    }
}

BOOST_AUTO_TEST_CASE(stop_releases_attached_threads)
{
    for (int round = 0; round != 50; ++round)
    {
        thread_pool pool(1);
        const auto guard = asio::make_work_guard(pool);
        test::thread_group attached(2, [&] { pool.attach(); });
        pool.stop();
        attached.join();
        pool.join();
    }
}

BOOST_AUTO_TEST_CASE(attach_after_stop_or_join_returns_at_once)
{
    thread_pool stopped(1);
    stopped.stop();
    stopped.attach();
    thread_pool joined(1);
    joined.join();
    joined.attach();
}

BOOST_AUTO_TEST_CASE(several_attached_threads_share_the_work)
{
    constexpr int attached_count = 3;
    thread_pool pool(1);
    auto guard = asio::make_work_guard(pool);
    std::latch all(attached_count + 1);
    std::mutex mutex;
    std::set<std::thread::id> ids;
    test::thread_group attached(attached_count, [&] { pool.attach(); });
    for (int i = 0; i != attached_count + 1; ++i)
        asio::post(pool,
            [&]
            {
                all.arrive_and_wait();
                const std::lock_guard lock(mutex);
                ids.insert(std::this_thread::get_id());
            });
    all.wait();
    guard.reset();
    pool.join();
    attached.join();
    BOOST_TEST(ids.size() == attached_count + 1u);
}

BOOST_AUTO_TEST_CASE(join_from_a_handler_of_another_pool_waits)
{
    thread_pool outer(1);
    std::atomic<int> calls = 0;
    std::atomic<int> seen = 0;
    asio::post(outer,
        [&]
        {
            thread_pool inner(2);
            for (int i = 0; i != 100; ++i)
                asio::post(inner, [&] { ++calls; });
            inner.join();
            seen = calls.load();
        });
    outer.join();
    BOOST_TEST(seen == 100);
}

BOOST_AUTO_TEST_CASE(handlers_of_a_pool_can_wait_for_each_other_within_its_size)
{
    constexpr int threads = 4;
    thread_pool pool(threads);
    std::latch all(threads);
    asio::post(pool,
        [&]
        {
            for (int i = 1; i != threads; ++i)
                asio::post(pool, [&] { all.arrive_and_wait(); });
            all.arrive_and_wait();
        });
    pool.join();
    BOOST_TEST(all.try_wait());
}

BOOST_AUTO_TEST_CASE(posts_from_many_foreign_threads_are_all_run)
{
    thread_pool pool(2);
    std::atomic<int> calls = 0;
    {
        test::thread_group posters(4,
            [&]
            {
                for (int i = 0; i != 2500; ++i)
                    asio::post(pool, [&] { ++calls; });
            });
    }
    pool.join();
    BOOST_TEST(calls == 10000);
}

BOOST_AUTO_TEST_SUITE_END()
