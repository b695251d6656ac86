// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What options calls around the sleep of a thread.

#include <weft/io_context.hpp>
#include <weft/steady_timer.hpp>
#include <weft/thread_pool.hpp>

#include "support/cases.hpp"

namespace
{

// Whether this thread is between the two hooks, and how often each was called on it.
thread_local bool parked = false;

struct counting
{
    weft::options options()
    {
        weft::options result;
        result.threads = 3;
        result.before_park = [this]
        {
            wrong += parked;
            parked = true;
            ++before;
        };
        result.after_unpark = [this]
        {
            wrong += !parked;
            parked = false;
            ++after;
        };
        return result;
    }

    std::atomic<int> before = 0;
    std::atomic<int> after = 0;
    std::atomic<int> wrong = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(park_hooks, counting)

BOOST_AUTO_TEST_CASE(they_surround_each_sleep_and_no_handler)
{
    weft::io_context context(options());
    int inside = 0;
    for (int i = 0; i != 10; ++i)
        asio::post(context, [&] { inside += parked; });
    context.poll();
    BOOST_TEST(before == 0);

    for (int i = 1; i != 4; ++i)
    {
        asio::steady_timer timer(context, std::chrono::milliseconds(1));
        timer.async_wait([&](error_code) { inside += parked; });
        context.restart();
        context.run();
        BOOST_TEST(before >= i);
        BOOST_TEST(after == before);
    }
    BOOST_TEST(inside == 0);
    BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(they_are_paired_when_run_ends_by_its_deadline_or_by_stop)
{
    weft::io_context context(options());
    const auto guard = asio::make_work_guard(context);
    context.run_for(std::chrono::milliseconds(1));
    BOOST_TEST(before >= 1);
    BOOST_TEST(after == before);
    test::thread_group runners(3, [&] { context.run(); });
    while (before < 4)
        std::this_thread::yield();
    context.stop();
    runners.join();
    BOOST_TEST(after == before);
    BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(they_are_called_on_the_threads_of_a_pool)
{
    std::atomic<int> inside = 0;
    {
        weft::thread_pool pool(options());
        while (before < 3)
            std::this_thread::yield();
        for (int i = 0; i != 1000; ++i)
            asio::post(pool, [&] { inside += parked; });
        pool.join();
    }
    BOOST_TEST(inside == 0);
    BOOST_TEST(after == before);
    BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(one_alone_is_called_too)
{
    for (const bool first : {false, true})
    {
        counting c;
        weft::options some;
        (first ? some.before_park : some.after_unpark) = [&]
        {
            ++c.before;
        };
        weft::io_context context(some);
        const auto guard = asio::make_work_guard(context);
        context.run_for(std::chrono::milliseconds(1));
        BOOST_TEST(c.before >= 1);
    }
}

// Nothing else would wake the thread.
BOOST_AUTO_TEST_CASE(what_they_submit_is_run)
{
    for (const bool first : {false, true})
        for (const int threads : {1, 2})
            for (const int how : {0, 1, 2, 3})
            {
                std::atomic<int> left = 5;
                weft::io_context* target = nullptr;
                std::deque<weft::steady_timer> timers;
                std::mutex mutex;
                weft::options some;
                const auto run = [&]
                {
                    if (left-- == 1)
                        target->stop();
                };
                (first ? some.before_park : some.after_unpark) = [&]
                {
                    const std::lock_guard lock(mutex);
                    switch (how)
                    {
                    case 0:
                        return asio::post(*target, run);
                    case 1:
                        return asio::defer(*target, run);
                    case 2:
                        for (int i = 0; i != 1000; ++i)
                            asio::post(*target, run);
                        return;
                    default:
                        timers.emplace_back(*target, std::chrono::milliseconds(1));
                        timers.back().async_wait([run](error_code) { run(); });
                    }
                };
                weft::io_context context(some);
                target = &context;
                const auto guard = asio::make_work_guard(context);
                test::thread_group runners(
                    static_cast<std::size_t>(threads), [&] { context.run(); });
                // What a hook does after a sleep needs one that ends.
                if (!first)
                    while (left > 0)
                    {
                        asio::post(context, [] {});
                        // It only helps if the threads go to sleep in between.
                        std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    }
                runners.join();
                BOOST_TEST(left <= 0);
                timers.clear();
            }
}

// A thread that is in a hook is inside run(), and does not sleep.
BOOST_AUTO_TEST_CASE(their_time_is_inside_and_no_sleep)
{
    using namespace std::chrono;
    nanoseconds hooks{0};
    nanoseconds inside{0};
    weft::io_context* asked = nullptr;
    weft::options o;
    o.before_park = [&]
    {
        auto const begin = steady_clock::now();
        std::this_thread::sleep_for(milliseconds(5));
        inside = asked->stats().total.inside;
        hooks += steady_clock::now() - begin;
    };
    weft::io_context context(o);
    asked = &context;
    auto const guard = asio::make_work_guard(context);
    // It ends with the hook: its time is over by then.
    context.run_for(milliseconds(1));
    BOOST_TEST(inside.count() > 0);
    BOOST_TEST((context.stats().total.inside + milliseconds(1) > inside));
    for (int i = 0; i != 3; ++i)
    {
        auto const begin = steady_clock::now();
        auto const was = context.stats().total;
        hooks = nanoseconds(0);
        context.run_for(milliseconds(8));
        auto const all = steady_clock::now() - begin;
        auto const is = context.stats().total;
        auto const slept = is.parked - was.parked + (is.in_reactor - was.in_reactor);
        BOOST_TEST((slept <= all - hooks + milliseconds(1)));
        BOOST_TEST((is.inside - was.inside + milliseconds(1) >= hooks));
    }
}

BOOST_AUTO_TEST_SUITE_END()
