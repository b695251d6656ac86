// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/channel.hpp>
#include <weft/io_context.hpp>
#include <weft/metrics.hpp>
#include <weft/mutex.hpp>
#include <weft/thread_pool.hpp>

#include "metrics/exposition.hpp"
#include "parity/threads.hpp"
#include "support/asio.hpp"

BOOST_AUTO_TEST_SUITE(metrics)

namespace
{

weft::options with(weft::timing how)
{
    weft::options o;
    o.threads = 2;
    o.timing = how;
    return o;
}

void run(weft::io_context& context)
{
    test::run_on(context, 2);
}

void run(weft::thread_pool& pool)
{
    pool.join();
}

/// On both contexts.
using contexts = std::tuple<weft::io_context, weft::thread_pool>;

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(all_times_every_handler, Context, contexts)
{
    Context context(with(weft::timing::all));
    for (int i = 0; i != 1000; ++i)
        asio::post(context, [] {});
    run(context);
    const weft::stats stats = context.stats();
    BOOST_TEST(stats.total.handlers == 1000u);
    BOOST_TEST(stats.run_time.count() == 1000u);
    BOOST_TEST(stats.queue_delay.count() == 1000u);
    BOOST_TEST(stats.total.inside.count() > 0);
    BOOST_TEST((stats.total.inside >= stats.total.parked + stats.total.in_reactor));
    const double busy = weft::busy_share(stats);
    BOOST_TEST(busy > 0);
    BOOST_TEST(busy <= 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sampled_is_the_default_and_counts_handlers, Context, contexts)
{
    weft::options how;
    how.threads = 2;
    Context context(how);
    for (int i = 0; i != 20'000; ++i)
        asio::post(context, [] {});
    run(context);
    const weft::stats stats = context.stats();
    BOOST_TEST(stats.run_time.count() <= 20'000u);
    BOOST_TEST(stats.run_time.count() >= 20'000u - 2 * 127 - 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(off_measures_nothing_until_it_is_switched_on, Context, contexts)
{
    Context context(with(weft::timing::off));
    std::atomic<int> left{2000};
    std::function<void()> step = [&]
    {
        if (--left == 1000)
        {
            BOOST_TEST(context.stats().run_time.count() == 0u);
            BOOST_TEST(context.stats().total.inside.count() == 0);
            context.timing(weft::timing::all);
        }
        if (left > 0)
            asio::post(context, step);
    };
    asio::post(context, step);
    run(context);
    BOOST_TEST(context.stats().run_time.count() > 500u);
    BOOST_TEST(context.stats().run_time.count() <= 1000u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_handler_runs_at_least_as_long_as_it_sleeps, Context, contexts)
{
    Context context(with(weft::timing::all));
    const auto time = std::chrono::milliseconds(20);
    asio::post(context, [&] { std::this_thread::sleep_for(time); });
    run(context);
    BOOST_TEST((context.stats().run_time.total() >= time - time / 1000));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(outstanding_work_is_told, Context, contexts)
{
    Context context(with(weft::timing::sampled));
    const auto before = context.stats().outstanding;
    {
        auto guard = asio::make_work_guard(context);
        BOOST_TEST(context.stats().outstanding == before + 1);
    }
    BOOST_TEST(context.stats().outstanding == before);
    run(context);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_text_of_a_context_is_one, Context, contexts)
{
    Context context(with(weft::timing::all));
    for (int i = 0; i != 1000; ++i)
        asio::post(context, [] {});
    run(context);
    test::exposition const text(weft::prometheus_text(context.stats()));
    BOOST_TEST(text["weft_handler_run_seconds_count"] == 1000);
    BOOST_TEST(text["weft_injection_depth"] == 0);
    BOOST_TEST(weft::to_json(context.stats()).find("\"handlers\":1000,") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_overloaded_context_says_so_until_it_has_nothing_to_do)
{
    weft::io_context context;
    BOOST_TEST(!weft::overloaded(context));
    std::atomic<bool> seen{false};
    // What is posted now waits for all that was before: longer and longer.
    std::function<void()> step = [&]
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (weft::overloaded(context))
            seen = true;
        if (!seen)
            asio::post(context, step);
    };
    for (int i = 0; i != 20; ++i)
        asio::post(context, step);
    context.run();
    BOOST_TEST(seen);
    context.restart();
    auto guard = asio::make_work_guard(context);
    context.run_for(std::chrono::milliseconds(1));
    BOOST_TEST(!weft::overloaded(context));
    // Nobody times anything: nobody knows.
    context.timing(weft::timing::off);
    BOOST_TEST(!weft::overloaded(context, std::chrono::nanoseconds(0)));
}

// Of 32 that wait, one after the other, all are timed, two, or none.
BOOST_AUTO_TEST_CASE(how_long_operations_wait_at_locks_and_channels)
{
    constexpr std::uint64_t waits = 32;
    for (auto const& [mode, timed] :
        {std::pair(weft::timing::all, waits), std::pair(weft::timing::sampled, waits / 16),
            std::pair(weft::timing::off, std::uint64_t{0})})
    {
        weft::io_context context(with(mode));
        weft::mutex mutex(context);
        weft::channel<int> channel(context, 1);
        std::uint64_t got = 0;
        for (std::uint64_t i = 0; i != waits; ++i)
        {
            BOOST_TEST_REQUIRE(mutex.try_lock());
            mutex.async_lock([&](error_code e) { got += !e; });
            channel.async_receive([&](error_code e, int) { got += !e; });
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            mutex.unlock();
            BOOST_TEST_REQUIRE(channel.try_send(1));
            context.run();
            context.restart();
            mutex.unlock();
        }
        BOOST_TEST(got == 2 * waits);
        // Who gives up has not waited until it got anything.
        BOOST_TEST_REQUIRE(mutex.try_lock());
        mutex.async_lock([&](error_code) {});
        mutex.cancel();
        context.run();
        for (weft::primitive_stats const& p : context.stats().primitives)
        {
            BOOST_TEST_CONTEXT(p.kind)
            {
                BOOST_TEST(p.wait_time.count() == timed);
                BOOST_TEST((
                    p.wait_time.total() >= std::chrono::milliseconds(1) * static_cast<int>(timed)));
            }
        }
        BOOST_TEST(context.stats().primitives.size() == 2u);
    }
}

BOOST_AUTO_TEST_CASE(timing_out_of_range_is_refused)
{
    weft::options how;
    how.timing = static_cast<weft::timing>(3);
    BOOST_CHECK_THROW(weft::io_context{how}, std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
