// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The watchdog with its thread: contexts and watchdogs come and go in any order.

#include "watchdog/fixture.hpp"

#include <weft/dump.hpp>
#include <weft/mutex.hpp>

#include <sstream>

namespace
{

using namespace test;

/// Waits until a watchdog has reported.
class listener
{
public:
    weft::watchdog_options options()
    {
        weft::watchdog_options o;
        o.stall = 20ms;
        o.on_report = [this](weft::watchdog_report const& r)
        {
            std::lock_guard<std::mutex> const lock(mutex_);
            reports_.push_back(r);
            changed_.notify_all();
        };
        return o;
    }

    weft::watchdog_report await(void const* context)
    {
        std::unique_lock<std::mutex> lock(mutex_);
        for (;;)
        {
            for (auto const& r : reports_)
                if (r.context == context)
                    return r;
            changed_.wait(lock);
        }
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<weft::watchdog_report> reports_;
};

void blocks(gate& g)
{
    auto opened = g.opened();
    g.entered.count_down();
    opened.get();
}

} // namespace

BOOST_AUTO_TEST_SUITE(watchdog_lifetimes)

BOOST_AUTO_TEST_CASE(a_stall_is_reported_while_it_lasts)
{
    gate g;
    listener heard;
    weft::watchdog dog(heard.options());
    weft::thread_pool pool(1);
    dog.watch(pool);
    dog.watch(pool);
    asio::post(pool, [&] { blocks(g); });
    auto const r = heard.await(&pool);
    BOOST_TEST((r.what == kind::stall));
    BOOST_TEST(r.threads.size() == 1u);
    BOOST_TEST(r.threads[0].thread_name == "weft-0");
    g.open();
}

BOOST_AUTO_TEST_CASE(ten_contexts_and_one_that_is_stuck)
{
    gate g;
    listener heard;
    weft::watchdog dog(heard.options());
    std::vector<std::unique_ptr<weft::thread_pool>> pools;
    for (int i = 0; i != 10; ++i)
    {
        pools.push_back(std::make_unique<weft::thread_pool>(1));
        dog.watch(*pools.back());
    }
    asio::post(*pools[7], [&] { blocks(g); });
    BOOST_TEST((heard.await(pools[7].get()).what == kind::stall));
    g.open();
}

BOOST_AUTO_TEST_CASE(a_context_is_destroyed_while_it_is_watched)
{
    weft::watchdog_options options;
    options.stall = 1ms;
    options.on_report = [](weft::watchdog_report const&) {
    };
    weft::watchdog dog(options);
    for (int i = 0; i != 100; ++i)
    {
        weft::io_context context;
        dog.watch(context);
        asio::post(context, [] {});
        context.run();
        weft::thread_pool pool(2);
        dog.watch(pool);
        asio::post(pool, [] {});
    }
}

BOOST_AUTO_TEST_CASE(a_pool_is_destroyed_by_its_own_thread_while_it_is_watched)
{
    weft::watchdog_options options;
    options.stall = 1ms;
    options.on_report = [](weft::watchdog_report const&) {
    };
    weft::watchdog dog(options);
    for (int i = 0; i != 20; ++i)
    {
        std::latch destroyed(1);
        auto pool = std::make_unique<weft::thread_pool>(2);
        dog.watch(*pool);
        auto& p = *pool;
        asio::post(p,
            [&destroyed, mine = std::move(pool)]() mutable
            {
                mine.reset();
                destroyed.count_down();
            });
        destroyed.wait();
    }
}

BOOST_AUTO_TEST_CASE(the_watchdog_is_destroyed_first_also_while_a_handler_is_stuck)
{
    gate g;
    weft::thread_pool pool(1);
    asio::post(pool, [&] { blocks(g); });
    for (int i = 0; i != 10; ++i)
    {
        listener heard;
        weft::watchdog dog(heard.options());
        dog.watch(pool);
        if (i % 2 == 0)
            (void)heard.await(&pool);
    }
    g.open();
    pool.join();
}

BOOST_AUTO_TEST_CASE(who_is_told_may_throw_and_dump_the_context)
{
    gate g;
    weft::io_context context;
    std::atomic<int> told = 0;
    std::string text;
    weft::watchdog_options options;
    options.stall = 5ms;
    options.on_report = [&](weft::watchdog_report const&)
    {
        if (told == 0)
        {
            std::ostringstream out;
            weft::dump(context, out);
            text = out.str();
        }
        ++told;
        throw std::runtime_error("not heard");
    };
    weft::watchdog dog(options);
    dog.watch(context);
    asio::post(context, [&] { blocks(g); });
    test::thread_group runner(1, [&] { context.run(); });
    while (told < 3)
        std::this_thread::sleep_for(1ms);
    BOOST_TEST(has(text, "worker 0: awake"), text);
    g.open();
}

BOOST_AUTO_TEST_CASE(the_text_goes_to_stderr_unless_somebody_is_told)
{
    std::ostringstream out;
    auto* const before = std::cerr.rdbuf(out.rdbuf());
    {
        gate g;
        weft::io_context context;
        weft::watchdog_options options;
        auto list = std::make_shared<weft::detail::watch_list>(options);
        list->add(context);
        asio::post(context, [&] { blocks(g); });
        test::thread_group runner(1, [&] { context.run(); });
        g.entered.wait();
        auto const now = std::chrono::steady_clock::now();
        list->look(now);
        list->look(now + 1s);
        g.open();
    }
    std::cerr.rdbuf(before);
    BOOST_TEST(has(out.str(), "weft::watchdog: weft::io_context at "), out.str());
    BOOST_TEST(has(out.str(), "in one handler for 1000 ms"), out.str());
}

// Eight threads work, join, leave and stop, while they are looked at and asked for their stacks.
BOOST_AUTO_TEST_CASE(while_threads_work_join_leave_and_stop)
{
    weft::watchdog_options options;
    options.stall = 1ms;
    std::atomic<std::size_t> told = 0;
    options.reports_per_minute = 1000000;
    options.on_report = [&](weft::watchdog_report const&)
    {
        ++told;
    };
    weft::watchdog dog(options);
    weft::io_context context;
    weft::mutex mutex(context);
    dog.watch(context);
    std::atomic<int> left = 0;
    std::function<void()> step = [&]
    {
        int const now = --left;
        if (now <= 0)
        {
            context.stop();
            return;
        }
        mutex.async_lock(
            [&](error_code e)
            {
                if (!e)
                    mutex.unlock();
            });
        if (now % 50 == 0)
            std::this_thread::sleep_for(3ms);
        asio::post(context, step);
    };
    auto const take_part = [&]
    {
        for (unsigned i = 0; !context.stopped(); ++i)
        {
            if (i % 3 == 0)
                context.run_one();
            else if (i % 3 == 1)
                context.poll();
            else
                context.run_for(1ms);
            if (i % 8 == 0)
            {
                std::ostringstream out;
                weft::dump(context, out);
            }
        }
    };
    for (int round = 0; round != 20; ++round)
    {
        left = 300;
        for (int i = 0; i != 10; ++i)
            asio::post(context, step);
        test::thread_group(8, take_part).join();
        context.restart();
    }
    BOOST_TEST(left <= 0);
}

BOOST_AUTO_TEST_SUITE_END()
