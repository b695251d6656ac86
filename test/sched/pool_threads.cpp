// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/pool_threads.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace
{

using weft::detail::pool_threads;

// So many threads, which run nothing but a count of themselves.
std::size_t run_all(pool_threads& pool, std::size_t count, std::string& failure)
{
    std::atomic<std::size_t> ran{0};
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i != count; ++i)
    {
        pool.starting();
        threads.emplace_back([&, i] { pool.run(i, [&] { ++ran; }); });
    }
    try
    {
        pool.await_begun(count);
    }
    catch (std::exception const& e)
    {
        failure = e.what();
    }
    for (std::thread& t : threads)
        t.join();
    return ran;
}

} // namespace

BOOST_AUTO_TEST_SUITE(threads_of_a_pool)

BOOST_AUTO_TEST_CASE(nothing_is_run_before_all_have_begun)
{
    weft::options how;
    how.threads = 3;
    std::atomic<int> begun{0};
    std::atomic<int> ended{0};
    how.on_thread_start = [&](std::size_t)
    {
        ++begun;
    };
    how.on_thread_stop = [&](std::size_t)
    {
        ++ended;
    };
    pool_threads pool(how);
    BOOST_TEST(pool.may_fail());
    std::string failure;
    BOOST_TEST(run_all(pool, 3, failure) == 3u);
    BOOST_TEST(failure.empty());
    BOOST_TEST(begun == 3);
    BOOST_TEST(ended == 3);
    BOOST_TEST(pool.await_ended({}));
}

BOOST_AUTO_TEST_CASE(the_failure_of_the_lowest_number_is_told_and_nobody_runs)
{
    weft::options how;
    how.threads = 4;
    std::atomic<int> ended{0};
    how.on_thread_start = [](std::size_t number)
    {
        if (number % 2 != 0)
            throw std::runtime_error("thread " + std::to_string(number));
    };
    how.on_thread_stop = [&](std::size_t)
    {
        ++ended;
    };
    pool_threads pool(how);
    std::string failure;
    BOOST_TEST(run_all(pool, 4, failure) == 0u);
    BOOST_TEST(failure == "thread 1");
    // Those that have begun.
    BOOST_TEST(ended == 2);
}

BOOST_AUTO_TEST_CASE(threads_that_cannot_fail_do_not_wait_for_each_other)
{
    weft::options how;
    how.threads = 2;
    pool_threads pool(how);
    BOOST_TEST(!pool.may_fail());
    bool ran = false;
    pool.starting();
    std::thread([&] { pool.run(0, [&] { ran = true; }); }).join();
    BOOST_TEST(ran);
}

BOOST_AUTO_TEST_SUITE_END()
