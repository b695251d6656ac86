// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0
#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "support/cases.hpp"
#include "support/context.hpp"

BOOST_FIXTURE_TEST_SUITE(stats, test::with_context)

namespace
{

using stream = asio::local::stream_protocol;
using counter = std::uint64_t weft::worker_stats::*;

constexpr counter counters[] = {&weft::worker_stats::handlers, &weft::worker_stats::lifo_hits,
    &weft::worker_stats::steal_operations, &weft::worker_stats::stolen_handlers,
    &weft::worker_stats::overflows, &weft::worker_stats::injection_fetches,
    &weft::worker_stats::remote_pushes, &weft::worker_stats::parks, &weft::worker_stats::wakes,
    &weft::worker_stats::empty_wakes, &weft::worker_stats::stood_aside,
    &weft::worker_stats::budget_yields, &weft::worker_stats::reactor_polls,
    &weft::worker_stats::reactor_events};

std::uint64_t sum_of(const weft::stats& stats, counter c)
{
    std::uint64_t sum = 0;
    for (const auto& worker : stats.workers)
        sum += worker.*c;
    return sum;
}

// Everything but remote_pushes, which also counts threads that are no workers.
void check_totals(const weft::stats& stats)
{
    for (counter c : counters)
        if (c != &weft::worker_stats::remote_pushes)
            BOOST_TEST((stats.total.*c) == sum_of(stats, c));
    BOOST_TEST(stats.total.remote_pushes >= sum_of(stats, &weft::worker_stats::remote_pushes));
    BOOST_TEST(stats.total.queue_depth == sum_of(stats, &weft::worker_stats::queue_depth));
    BOOST_TEST(stats.total.lifo_hits <= stats.total.handlers);
    BOOST_TEST(stats.total.stolen_handlers >= stats.total.steal_operations);
    BOOST_TEST(stats.total.empty_wakes <= stats.total.wakes);
}

template <class Context>
void wait_for_parks(const Context& context, std::uint64_t parks)
{
    while (context.stats().total.parks < parks)
        std::this_thread::yield();
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_fresh_context_has_counted_nothing, test::context_of_its_own)
{
    const weft::io_context context;
    const weft::stats stats = context.stats();
    for (counter c : counters)
        BOOST_TEST((stats.total.*c) == 0u);
    BOOST_TEST(stats.total.queue_depth == 0u);
    BOOST_TEST(stats.injection_depth == 0u);
    check_totals(stats);
}

BOOST_FIXTURE_TEST_CASE(handlers_are_counted_exactly, test::context_of_its_own)
{
    for (std::size_t threads : {1u, 2u, 4u})
    {
        weft::io_context context;
        std::function<void(int)> node = [&](int depth)
        {
            if (depth > 0)
                for (int i = 0; i != 2; ++i)
                    asio::post(context, [&node, depth] { node(depth - 1); });
        };
        asio::post(context, [&] { node(13); });
        test::run_on(context, threads);
        const weft::stats stats = context.stats();
        BOOST_TEST(stats.total.handlers == 16383u);
        BOOST_TEST(stats.total.queue_depth == 0u);
        BOOST_TEST(stats.injection_depth == 0u);
        check_totals(stats);
    }
}

BOOST_AUTO_TEST_CASE(handlers_of_a_pool_are_counted_exactly)
{
    weft::thread_pool pool(2);
    for (int i = 0; i != 5000; ++i)
        asio::post(pool, [] {});
    pool.join();
    const weft::stats stats = pool.stats();
    BOOST_TEST(stats.total.handlers == 5000u);
    check_totals(stats);
}

BOOST_AUTO_TEST_CASE(every_run_function_counts_and_counts_go_on_from_run_to_run)
{
    for (int i = 0; i != 10; ++i)
        asio::post(context, [] {});
    context.run_one();
    context.poll_one();
    BOOST_TEST(context.stats().total.handlers == 2u);
    context.poll();
    BOOST_TEST(context.stats().total.handlers == 10u);
    context.restart();
    asio::post(context, [] {});
    test::thread_group other(1, [&] { context.run(); });
    other.join();
    BOOST_TEST(context.stats().total.handlers == 11u);
    check_totals(context.stats());
}

BOOST_AUTO_TEST_CASE(a_handler_that_throws_is_counted)
{
    asio::post(context, [] { throw 42; });
    BOOST_CHECK_THROW(context.run(), int);
    BOOST_TEST(context.stats().total.handlers == 1u);
}

BOOST_AUTO_TEST_CASE(posts_from_outside_are_remote_pushes_and_wait_in_the_injection_queue)
{
    for (int i = 0; i != 100; ++i)
        asio::post(context, [] {});
    weft::stats stats = context.stats();
    BOOST_TEST(stats.total.remote_pushes == 100u);
    BOOST_TEST(stats.injection_depth == 100u);
    context.run();
    stats = context.stats();
    BOOST_TEST(stats.total.remote_pushes == 100u);
    BOOST_TEST(stats.injection_depth == 0u);
    BOOST_TEST(stats.total.injection_fetches >= 1u);
    BOOST_TEST(stats.total.injection_fetches <= 100u);
}

BOOST_AUTO_TEST_CASE(what_is_queued_shows_in_the_depths)
{
    std::uint64_t queued = 0;
    std::uint64_t after_defer = 0;
    asio::post(context,
        [&]
        {
            for (int i = 0; i != 50; ++i)
                asio::post(context, [] {});
            weft::stats stats = context.stats();
            queued = stats.total.queue_depth + stats.injection_depth;
            asio::defer(context, [] {});
            stats = context.stats();
            after_defer = stats.total.queue_depth + stats.injection_depth;
        });
    context.run();
    BOOST_TEST(queued == 50u);
    BOOST_TEST(after_defer == 51u);
}

BOOST_AUTO_TEST_CASE(continuations_are_lifo_hits)
{
    std::function<void(int)> link = [&](int left)
    {
        if (left > 0)
            asio::defer(context, [&link, left] { link(left - 1); });
    };
    asio::post(context, [&] { link(300); });
    context.run();
    const weft::stats stats = context.stats();
    BOOST_TEST(stats.total.handlers == 301u);
    BOOST_TEST(stats.total.lifo_hits >= 100u);
    BOOST_TEST(stats.total.lifo_hits <= 300u);
}

BOOST_AUTO_TEST_CASE(posts_without_a_continuation_are_no_lifo_hits)
{
    std::function<void(int)> link = [&](int left)
    {
        if (left > 0)
            asio::post(context, [&link, left] { link(left - 1); });
    };
    asio::post(context, [&] { link(300); });
    context.run();
    BOOST_TEST(context.stats().total.lifo_hits == 0u);
}

BOOST_AUTO_TEST_CASE(a_worker_helped_by_another_shows_steals)
{
    std::latch stolen(10);
    auto guard = asio::make_work_guard(context);
    test::thread_group helper(1, [&] { context.run(); });
    asio::post(context,
        [&]
        {
            // The queue of this worker can only be emptied by the other one.
            for (int i = 0; i != 10; ++i)
                asio::post(context, [&] { stolen.count_down(); });
            stolen.wait();
            guard.reset();
        });
    context.run();
    helper.join();
    const weft::stats stats = context.stats();
    BOOST_TEST(stats.total.handlers == 11u);
    BOOST_TEST(stats.total.steal_operations >= 1u);
    BOOST_TEST(stats.total.stolen_handlers >= stats.total.steal_operations);
    check_totals(stats);
}

BOOST_AUTO_TEST_CASE(a_burst_larger_than_the_ring_overflows)
{
    std::latch both(2);
    std::latch posted(1);
    // The other thread is kept from stealing, so that the ring must overflow.
    asio::post(context,
        [&]
        {
            both.arrive_and_wait();
            posted.wait();
        });
    asio::post(context,
        [&]
        {
            both.arrive_and_wait();
            for (int i = 0; i != 2000; ++i)
                asio::post(context, [] {});
            posted.count_down();
        });
    test::run_on(context, 2);
    const weft::stats stats = context.stats();
    BOOST_TEST(stats.total.overflows >= 1u);
    BOOST_TEST(stats.total.handlers == 2002u);
}

BOOST_AUTO_TEST_CASE(a_long_run_of_handlers_spends_the_tick_budget)
{
    asio::steady_timer timer(context, std::chrono::hours(1));
    timer.async_wait([](error_code) {});
    // Two chains: there is always work left.
    int left = 1000;
    std::function<void()> link = [&]
    {
        if (--left > 0)
            asio::post(context, link);
    };
    asio::post(context, link);
    asio::post(context, link);
    context.poll();
    const weft::stats stats = context.stats();
    BOOST_TEST(stats.total.budget_yields >= 1000u / 128u - 1);
    BOOST_TEST(stats.total.reactor_polls >= 1000u / 128u - 1);
}

BOOST_AUTO_TEST_CASE(events_of_the_reactor_are_counted)
{
    stream::socket near(context);
    stream::socket far(context);
    asio::local::connect_pair(near, far);
    std::array<char, 4> buffer{};
    near.async_read_some(asio::buffer(buffer), [](error_code, std::size_t) {});
    context.poll();
    const std::uint64_t before = context.stats().total.reactor_events;
    asio::write(far, asio::buffer("abcd", 4));
    context.run();
    const weft::stats stats = context.stats();
    BOOST_TEST(stats.total.reactor_events > before);
    BOOST_TEST(stats.total.reactor_polls >= 1u);
    BOOST_TEST(stats.total.handlers >= 1u);
}

BOOST_AUTO_TEST_CASE(workers_without_work_park_and_are_woken)
{
    auto guard = asio::make_work_guard(context);
    test::thread_group runners(2, [&] { context.run(); });
    wait_for_parks(context, 2);
    const std::uint64_t wakes_before = context.stats().total.wakes;
    for (int i = 0; i != 20; ++i)
    {
        const std::uint64_t parks = context.stats().total.parks;
        std::atomic<bool> ran = false;
        asio::post(context,
            [&]
            {
                ran = true;
                ran.notify_one();
            });
        ran.wait(false);
        // Both sleep again before the next post, which has to wake one.
        wait_for_parks(context, parks + 1);
    }
    const weft::stats stats = context.stats();
    BOOST_TEST(stats.total.wakes >= wakes_before + 1);
    BOOST_TEST(stats.total.handlers == 20u);
    guard.reset();
    runners.join();
    check_totals(context.stats());
}

// Whoever comes out of the reactor with a handler wakes another to wait there, which runs nothing.
BOOST_AUTO_TEST_CASE(a_worker_that_was_woken_and_ran_nothing_shows_it)
{
    asio::steady_timer timer(context);
    std::function<void()> tick = [&]
    {
        // Wakes the other thread, and has run before that has a core.
        asio::post(context, [] {});
        timer.expires_after(std::chrono::milliseconds(1));
        timer.async_wait(
            [&](error_code)
            {
                if (context.stats().total.empty_wakes == 0)
                    tick();
            });
    };
    asio::post(context, tick);
    test::run_on(context, 2);
    const weft::stats stats = context.stats();
    BOOST_TEST(stats.total.empty_wakes >= 1u);
    BOOST_TEST(stats.total.wakes >= stats.total.empty_wakes);
    check_totals(stats);
}

BOOST_AUTO_TEST_CASE(stats_can_be_read_at_any_time_and_never_go_back)
{
    std::atomic<bool> done = false;
    std::atomic<int> went_back = 0;
    std::function<void(int)> node = [&](int depth)
    {
        if (depth > 0)
            for (int i = 0; i != 2; ++i)
                asio::post(context, [&node, depth] { node(depth - 1); });
    };
    test::thread_group readers(2,
        [&]
        {
            weft::stats last = context.stats();
            while (!done)
            {
                const weft::stats now = context.stats();
                for (counter c : counters)
                    went_back += now.total.*c < last.total.*c ? 1 : 0;
                last = now;
            }
        });
    asio::post(context, [&] { node(14); });
    test::run_on(context, 3);
    done = true;
    readers.join();
    BOOST_TEST(went_back == 0);
    BOOST_TEST(context.stats().total.handlers == 32767u);
    check_totals(context.stats());
}

BOOST_AUTO_TEST_SUITE_END()
