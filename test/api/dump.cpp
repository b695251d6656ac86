// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/channel.hpp>
#include <weft/dump.hpp>
#include <weft/io_context.hpp>
#include <weft/mutex.hpp>
#include <weft/run_blocking.hpp>
#include <weft/shared_mutex.hpp>
#include <weft/steady_timer.hpp>
#include <weft/thread_pool.hpp>

#include "support/cases.hpp"
#include "support/context.hpp"

#include <sstream>

BOOST_FIXTURE_TEST_SUITE(dump, test::with_context)

namespace
{

template <class Context>
std::string dumped(const Context& context)
{
    std::ostringstream out;
    weft::dump(context, out);
    return out.str();
}

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(an_idle_context, test::context_of_its_own)
{
    const weft::io_context context;
    const std::string text = dumped(context);
    BOOST_TEST(has(text, "weft::io_context at "), text);
    BOOST_TEST(has(text, ": 0 threads inside, 0 asleep, 0 searching, 0 in run_blocking"), text);
    BOOST_TEST(!has(text, "stopped"), text);
    BOOST_TEST(has(text, "injection queue: 0 queued"), text);
    BOOST_TEST(has(text, "outstanding work: 0 (0 timer waits, 0 at locks and channels, "), text);
    BOOST_TEST(!has(text, "next timer"), text);
    BOOST_TEST(!has(text, "worker"), text);
}

BOOST_AUTO_TEST_CASE(work_that_is_queued_and_a_context_that_is_stopped)
{
    for (int i = 0; i != 3; ++i)
        asio::post(context, [] {});
    BOOST_TEST(has(dumped(context), "injection queue: 3 queued"));
    context.stop();
    BOOST_TEST(has(dumped(context), ", stopped: "));
}

BOOST_AUTO_TEST_CASE(from_a_handler_its_own_queues_are_seen)
{
    std::string text;
    asio::post(context,
        [&]
        {
            for (int i = 0; i != 5; ++i)
                asio::post(context, [] {});
            asio::defer(context, [] {});
            text = dumped(context);
        });
    context.run();
    BOOST_TEST(has(text, ": 1 threads inside, 0 asleep"), text);
    BOOST_TEST(has(text, "worker 0: awake, 1 run, 5 queued and a continuation\n"), text);
    BOOST_TEST(has(dumped(context), "worker 0: without a thread, 7 run, 0 queued\n"));
}

BOOST_AUTO_TEST_CASE(timers_and_the_reactor)
{
    weft::steady_timer timer(context, std::chrono::hours(1));
    timer.async_wait([](error_code) {});
    asio::signal_set signals(context, SIGUSR1);
    signals.async_wait([](error_code, int) {});
    const std::string text = dumped(context);
    BOOST_TEST(has(text, "outstanding work: 2 (1 timer waits, 0 at locks and channels, "
                         "1 operations of the reactor, 0 in run_blocking)"),
        text);
    BOOST_TEST(has(text, "next timer: due in 3"), text);
}

BOOST_AUTO_TEST_CASE(primitives_with_waiters)
{
    weft::mutex free(context);
    weft::mutex held(context);
    weft::shared_mutex shared(context);
    weft::channel<int> channel(context, 1);
    const auto ignore = [](auto&&...) {
    };
    BOOST_TEST_REQUIRE(held.try_lock());
    for (int i = 0; i != 2; ++i)
        held.async_lock(ignore);
    BOOST_TEST_REQUIRE(shared.try_lock());
    shared.async_lock_shared(ignore);
    BOOST_TEST_REQUIRE(channel.try_send(1));
    for (int i = 0; i != 3; ++i)
        channel.async_send(i, ignore);
    const std::string text = dumped(context);
    BOOST_TEST(has(text, "6 at locks and channels"), text);
    BOOST_TEST(has(text, ": 2 wait, one for "), text);
    BOOST_TEST(has(text, "  shared_mutex at "), text);
    BOOST_TEST(has(text, " ms, 0 free\n"), text);
    BOOST_TEST(has(text, " ms (3 to send, 0 to receive), 1 values queued\n"), text);
    // Nobody waits for the other one.
    BOOST_TEST(has(text, "\n  mutex at "), text);
    BOOST_TEST(text.find("\n  mutex at ") == text.rfind("\n  mutex at "), text);
}

BOOST_AUTO_TEST_CASE(the_threads_of_a_pool)
{
    weft::thread_pool pool(3);
    while (!has(dumped(pool), ": 3 threads inside, 3 asleep, 0 searching"))
        std::this_thread::yield();
    while (!has(dumped(pool), ": asleep in the reactor, 0 run, 0 queued\n"))
        std::this_thread::yield();
    std::latch inside(2);
    std::latch go(1);
    asio::post(pool,
        [&]
        {
            inside.count_down();
            go.wait();
        });
    asio::post(pool,
        [&]
        {
            weft::run_blocking(
                [&]
                {
                    inside.count_down();
                    go.wait();
                });
        });
    inside.wait();
    const std::string text = dumped(pool);
    BOOST_TEST(has(text, "weft::thread_pool at "), text);
    BOOST_TEST(has(text, "1 in run_blocking"), text);
    BOOST_TEST(has(text, ": awake, "), text);
    go.count_down();
    pool.join();
}

BOOST_AUTO_TEST_CASE(what_the_stream_throws_is_thrown_and_nothing_is_held)
{
    weft::mutex mutex(context);
    BOOST_TEST_REQUIRE(mutex.try_lock());
    mutex.async_lock([](auto&&...) {});
    struct full : std::streambuf
    {
    } nowhere;
    std::ostream broken(&nowhere);
    broken.exceptions(std::ios::badbit);
    BOOST_CHECK_THROW(weft::dump(context, broken), std::ios::failure);
    mutex.unlock();
    BOOST_TEST(context.run() == 1u);
}

// Anything may be going on meanwhile.
BOOST_AUTO_TEST_CASE(while_threads_work_join_leave_and_block)
{
    weft::options options;
    options.threads = 3;
    weft::thread_pool pool(options);
    weft::mutex mutex(pool.get_executor());
    weft::channel<int> channel(pool.get_executor(), 4);
    std::atomic<int> left = 3000;
    std::atomic<bool> done = false;
    std::function<void()> step = [&]
    {
        const int now = --left;
        if (now <= 0)
        {
            done = true;
            return;
        }
        mutex.async_lock(
            [&](error_code e)
            {
                if (!e)
                    mutex.unlock();
            });
        channel.async_send(now, [](error_code) {});
        channel.async_receive([](error_code, int) {});
        if (now % 100 == 0)
            weft::run_blocking([] { std::this_thread::yield(); });
        // They come and go with their waiters.
        weft::mutex passing(pool.get_executor());
        (void)passing.try_lock();
        passing.async_lock([](auto&&...) {});
        asio::post(pool, step);
    };
    for (int i = 0; i != 4; ++i)
        asio::post(pool, step);
    test::thread_group lent(1, [&] { pool.attach(); });
    std::size_t size = 0;
    while (!done)
    {
        size += dumped(pool).size();
        asio::post(pool, [&] { (void)dumped(pool); });
    }
    pool.join();
    lent.join();
    BOOST_TEST(size > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
