// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/dump.hpp>
#include <weft/io_context.hpp>
#include <weft/mutex.hpp>
#include <weft/run_blocking.hpp>
#include <weft/thread_pool.hpp>
#include <weft/trace.hpp>
#include <weft/watchdog.hpp>

#include "support/cases.hpp"
#include "support/sanitized.hpp"
#include "trace/chrome.hpp"

#include <functional>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

namespace trace = weft::trace;

// Chains of handlers that never end by themselves.
template <typename Context>
struct load
{
    load(Context& c, int chains) : context(c)
    {
        for (int i = 0; i != chains; ++i)
            go_on(0);
    }

    void go_on(unsigned number)
    {
        if (over)
            return;
        asio::post(context,
            [this, number]
            {
                trace::span const part("part");
                if (number % 64 == 0)
                    weft::run_blocking([] { std::this_thread::yield(); });
                go_on(number + 1);
            });
    }

    Context& context;
    std::atomic<bool> over = false;
};

} // namespace

BOOST_AUTO_TEST_SUITE(trace_load)

BOOST_AUTO_TEST_CASE(dumps_while_threads_work_join_leave_and_stop)
{
    weft::io_context context;
    trace::start(context, {256});
    load work(context, 8);
    std::atomic<bool> over = false;
    test::thread_group threads;
    for (int i = 0; i != 2; ++i)
        threads.add([&] { context.run(); });
    // Two that come and go, for a while each or for one handler.
    threads.add(
        [&]
        {
            while (!over)
                context.run_for(std::chrono::microseconds(200));
        });
    threads.add(
        [&]
        {
            while (!over)
                context.run_one();
        });
    // One that switches.
    threads.add(
        [&]
        {
            while (!over)
            {
                trace::stop(context);
                std::this_thread::yield();
                trace::start(context);
                context.timing(weft::timing::all);
                std::this_thread::yield();
                context.timing(weft::timing::off);
            }
        });
    for (int i = 0; i != (WEFT_TEST_SANITIZED ? 10 : 30); ++i)
        test::dumped(context);
    asio::post(context, [&] { test::dumped(context); });
    over = true;
    work.over = true;
    threads.join();
    test::dumped(context);
    BOOST_TEST(context.stats().outstanding == 0u);
}

BOOST_AUTO_TEST_CASE(many_threads_start_and_stop)
{
    weft::thread_pool pool(2);
    load work(pool, 4);
    test::thread_group switches(4,
        [&]
        {
            for (int i = 0; i != 300; ++i)
            {
                trace::start(pool, {128});
                trace::stop(pool);
            }
        });
    switches.join();
    BOOST_TEST(!weft::detail::trace_point::on());
    trace::start(pool);
    BOOST_TEST(weft::detail::trace_point::on());
    while (test::dumped(pool).handlers() == 0)
        std::this_thread::yield();
    work.over = true;
    pool.join();
}

BOOST_AUTO_TEST_CASE(ten_contexts_record_at_once)
{
    std::vector<std::unique_ptr<weft::io_context>> contexts;
    test::thread_group threads;
    for (std::size_t number = 1; number <= 10; ++number)
    {
        weft::io_context& context = *contexts.emplace_back(std::make_unique<weft::io_context>());
        trace::start(context);
        for (std::size_t i = 0; i != 10 * number; ++i)
            asio::post(context, [] { trace::span const part("part"); });
        threads.add([&] { context.run(); });
    }
    threads.join();
    for (std::size_t i = 0; i != contexts.size(); ++i)
    {
        test::chrome_file const file = test::dumped(*contexts[i]);
        BOOST_TEST(file.handlers() == 10 * (i + 1));
        BOOST_TEST(file.count("span") == 10 * (i + 1));
    }
    // They end in another order than they began.
    contexts.erase(contexts.begin() + 3);
    BOOST_TEST(weft::detail::trace_point::on());
    contexts.clear();
    BOOST_TEST(!weft::detail::trace_point::on());
}

// Snapshots, dumps, timelines and a watchdog whose callback throws, of contexts whose handlers wait
// for each other's locks, while recording is switched.
BOOST_AUTO_TEST_CASE(ten_contexts_are_looked_into_at_once)
{
    constexpr std::size_t count = 10;
    std::vector<std::unique_ptr<weft::io_context>> contexts;
    std::vector<std::unique_ptr<weft::mutex>> locks;
    std::vector<std::unique_ptr<load<weft::io_context>>> loads;
    weft::watchdog_options o;
    o.stall = std::chrono::milliseconds(1);
    o.on_report = [](weft::watchdog_report const&)
    {
        throw std::runtime_error("not heard");
    };
    weft::watchdog dog(o);
    for (std::size_t i = 0; i != count; ++i)
    {
        contexts.push_back(std::make_unique<weft::io_context>());
        locks.push_back(std::make_unique<weft::mutex>(*contexts[i]));
        locks[i]->set_name("lock " + std::to_string(i));
        trace::start(*contexts[i], {256});
        dog.watch(*contexts[i]);
    }
    std::atomic<bool> over = false;
    std::function<void(std::size_t)> const contend = [&](std::size_t i)
    {
        if (!over)
            locks[(i + 1) % count]->async_lock(asio::bind_executor(contexts[i]->get_executor(),
                [&, i](boost::system::error_code ec)
                {
                    if (!ec)
                        locks[(i + 1) % count]->unlock();
                    asio::post(*contexts[i], [&, i] { contend(i); });
                }));
    };
    for (std::size_t i = 0; i != count; ++i)
    {
        loads.push_back(std::make_unique<load<weft::io_context>>(*contexts[i], 1));
        for (int chain = 0; chain != 2; ++chain)
            asio::post(*contexts[i], [&, i] { contend(i); });
    }
    {
        test::thread_group runners;
        for (auto& c : contexts)
            runners.add([&c] { c->run(); });
        for (int round = 0; round != 3; ++round)
            for (auto& c : contexts)
            {
                (void)test::dumped(*c);
                std::ostringstream text;
                weft::dump(*c, text);
                BOOST_TEST(!text.str().empty());
                BOOST_TEST(c->stats().primitives.size() == 1u);
                trace::stop(*c);
                c->timing(round == 0 ? weft::timing::all : weft::timing::off);
                trace::start(*c);
            }
        over = true;
        for (auto& l : loads)
            l->over = true;
    }
    for (auto& c : contexts)
        (void)test::dumped(*c);
}

BOOST_AUTO_TEST_SUITE_END()
