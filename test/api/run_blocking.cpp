// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0
#include <weft/run_blocking.hpp>

#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "support/cases.hpp"

BOOST_AUTO_TEST_SUITE(run_blocking_)

namespace
{

using weft::run_blocking;

int global = 0;

int& reference_to_global()
{
    return global;
}

static_assert(std::is_same_v<decltype(run_blocking([] { return 1; })), int>);
static_assert(std::is_same_v<decltype(run_blocking([] {})), void>);
static_assert(std::is_same_v<decltype(run_blocking(reference_to_global)), int&>);

// Again and again, a handler submits so many others and blocks until they have run.
template <class Submit>
void block_until_run(weft::thread_pool& pool, int others, Submit submit)
{
    for (int round = 0; round != 100; ++round)
    {
        const auto released = std::make_shared<std::latch>(others);
        asio::post(pool,
            [=]
            {
                for (int i = 0; i != others; ++i)
                    submit([released] { released->count_down(); });
                run_blocking([&] { released->wait(); });
            });
        released->wait();
    }
    pool.join();
}

} // namespace

BOOST_AUTO_TEST_CASE(on_a_foreign_thread_the_function_is_only_called)
{
    const auto here = std::this_thread::get_id();
    BOOST_TEST((run_blocking([] { return std::this_thread::get_id(); }) == here));
    BOOST_TEST(&run_blocking(reference_to_global) == &global);
    BOOST_TEST(*run_blocking(
                   [value = std::make_unique<int>(7)]() mutable { return std::move(value); }) == 7);
    BOOST_CHECK_THROW(run_blocking([] { throw std::runtime_error("failed"); }), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(inside_a_handler_the_function_is_called_on_its_thread)
{
    weft::io_context context;
    bool same = false;
    int caught = 0;
    asio::post(context,
        [&]
        {
            const auto here = std::this_thread::get_id();
            same = run_blocking([&] { return std::this_thread::get_id() == here; });
            try
            {
                run_blocking([] { throw std::runtime_error("failed"); });
            }
            catch (const std::runtime_error&)
            {
                ++caught;
            }
        });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(same);
    BOOST_TEST(caught == 1);
}

BOOST_AUTO_TEST_CASE(the_thread_is_no_worker_while_it_blocks_and_one_again_afterwards)
{
    weft::io_context context;
    const auto executor = context.get_executor();
    bool ran = false;
    asio::post(context,
        [&]
        {
            BOOST_TEST(executor.running_in_this_thread());
            run_blocking(
                [&]
                {
                    BOOST_TEST(!executor.running_in_this_thread());
                    asio::dispatch(executor, [&] { ran = true; });
                    BOOST_TEST(!ran);
                });
            BOOST_TEST(executor.running_in_this_thread());
            bool inline_again = false;
            asio::dispatch(executor, [&] { inline_again = true; });
            BOOST_TEST(inline_again);
        });
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST(ran);
}

BOOST_AUTO_TEST_CASE(a_pool_of_one_thread_goes_on_while_its_handler_blocks)
{
    weft::thread_pool pool(1);
    block_until_run(pool, 1, [&](auto other) { asio::post(pool, other); });
}

BOOST_AUTO_TEST_CASE(a_handler_of_a_pool_of_one_thread_can_wait_for_a_future)
{
    weft::thread_pool pool(1);
    auto outer = asio::post(pool, asio::use_future(
                                      [&]
                                      {
                                          auto inner =
                                              asio::post(pool, asio::use_future([] { return 42; }));
                                          return run_blocking([&] { return inner.get(); });
                                      }));
    BOOST_TEST(outer.get() == 42);
    pool.join();
}

BOOST_AUTO_TEST_CASE(what_was_deferred_before_is_run_by_others)
{
    weft::thread_pool pool(1);
    block_until_run(pool, 3, [&](auto other) { asio::defer(pool, other); });
}

BOOST_AUTO_TEST_CASE(timers_fire_while_the_only_worker_blocks)
{
    weft::thread_pool pool(1);
    asio::steady_timer timer(pool);
    const auto released = std::make_shared<std::latch>(1);
    asio::post(pool,
        [&timer, released]
        {
            timer.expires_after(std::chrono::milliseconds(1));
            timer.async_wait([released](error_code) { released->count_down(); });
            run_blocking([&] { released->wait(); });
        });
    pool.join();
    BOOST_TEST(released->try_wait());
}

BOOST_AUTO_TEST_CASE(as_many_handlers_as_there_are_spare_threads_can_block)
{
    constexpr int blocked = 20;
    weft::thread_pool pool(2);
    const auto all = std::make_shared<std::latch>(blocked);
    for (int i = 0; i != blocked; ++i)
        asio::post(pool, [all] { run_blocking([&] { all->arrive_and_wait(); }); });
    pool.join();
    BOOST_TEST(all->try_wait());
}

BOOST_AUTO_TEST_CASE(blocked_handlers_nest)
{
    constexpr int depth = 10;
    weft::thread_pool pool(1);
    std::function<int(int)> descend = [&](int level) -> int
    {
        if (level == 0)
            return 0;
        auto below =
            asio::post(pool, asio::use_future([&descend, level] { return descend(level - 1); }));
        return 1 + run_blocking([&] { return below.get(); });
    };
    BOOST_TEST(asio::post(pool, asio::use_future([&] { return descend(depth); })).get() == depth);
    pool.join();
}

BOOST_AUTO_TEST_CASE(a_call_inside_another_changes_nothing)
{
    weft::thread_pool pool(1);
    auto result = asio::post(
        pool, asio::use_future(
                  [&] { return run_blocking([] { return run_blocking([] { return 42; }); }); }));
    BOOST_TEST(result.get() == 42);
    pool.join();
}

BOOST_AUTO_TEST_CASE(without_spare_threads_the_pool_only_runs_with_fewer)
{
    weft::options options;
    options.threads = 2;
    options.max_spare_threads = 0;
    weft::thread_pool pool(options);
    block_until_run(pool, 1, [&](auto other) { asio::defer(pool, other); });
}

BOOST_AUTO_TEST_CASE(another_thread_of_an_io_context_takes_over)
{
    for (int round = 0; round != 50; ++round)
    {
        weft::io_context context;
        const auto released = std::make_shared<std::latch>(2);
        asio::post(context,
            [&context, released]
            {
                asio::post(context, [released] { released->count_down(); });
                asio::defer(context, [released] { released->count_down(); });
                run_blocking([&] { released->wait(); });
            });
        BOOST_TEST(test::run_on(context, 2) == 3u);
    }
}

BOOST_AUTO_TEST_CASE(a_blocked_handler_keeps_the_context_working)
{
    weft::io_context context;
    std::latch blocked(1);
    std::latch go(1);
    std::atomic<bool> finished = false;
    asio::post(context,
        [&]
        {
            run_blocking(
                [&]
                {
                    blocked.count_down();
                    go.wait();
                });
            finished = true;
        });
    test::thread_group runner(1, [&] { context.run(); });
    blocked.wait();
    // Nothing is left but the handler that blocks.
    BOOST_TEST(context.poll() == 0u);
    BOOST_TEST(!context.stopped());
    go.count_down();
    runner.join();
    BOOST_TEST(finished);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(what_is_posted_while_blocked_and_after_is_run)
{
    for (std::size_t threads : {1u, 2u})
    {
        weft::io_context context;
        std::atomic<int> calls = 0;
        for (int i = 0; i != 100; ++i)
            asio::post(context,
                [&]
                {
                    asio::post(context, [&] { ++calls; });
                    run_blocking([&] { asio::post(context, [&] { ++calls; }); });
                    asio::post(context, [&] { ++calls; });
                });
        BOOST_TEST(test::run_on(context, threads) == 400u);
        BOOST_TEST(calls == 300);
        BOOST_TEST(context.stats().total.handlers == 400u);
    }
}

BOOST_AUTO_TEST_CASE(a_strand_stays_occupied_by_its_blocked_handler)
{
    weft::thread_pool pool(2);
    auto strand = asio::make_strand(pool);
    std::atomic<bool> inside = false;
    std::atomic<int> collisions = 0;
    for (int i = 0; i != 50; ++i)
        asio::post(strand,
            [&]
            {
                collisions += inside.exchange(true) ? 1 : 0;
                run_blocking([&] { asio::post(pool, asio::use_future).get(); });
                inside = false;
            });
    pool.join();
    BOOST_TEST(collisions == 0);
}

BOOST_AUTO_TEST_CASE(stop_ends_a_pool_with_blocked_handlers_when_they_return)
{
    weft::thread_pool pool(1);
    std::promise<void> go;
    std::promise<void> blocked;
    std::atomic<bool> returned = false;
    asio::post(pool,
        [&]
        {
            run_blocking(
                [&]
                {
                    blocked.set_value();
                    go.get_future().wait();
                });
            returned = true;
        });
    blocked.get_future().wait();
    pool.stop();
    go.set_value();
    pool.join();
    BOOST_TEST(returned);
}

BOOST_AUTO_TEST_CASE(occupancy_is_the_same_afterwards)
{
    weft::thread_pool pool(2);
    for (int i = 0; i != 10; ++i)
        asio::post(pool, asio::use_future([] { run_blocking([] {}); })).get();
    BOOST_TEST(asio::query(pool.get_executor(), asio::execution::occupancy) == 2u);
    pool.join();
}

// A pool that cannot give every blocked worker a spare thread keeps those it has given.
BOOST_AUTO_TEST_CASE(a_short_wait_beyond_the_spare_threads_sends_nobody_elses_spare_thread_away)
{
    weft::options opts;
    opts.threads = 1;
    opts.max_spare_threads = 1;
    weft::thread_pool pool(opts);
    for (int round = 0; round != 50; ++round)
    {
        std::promise<void> done;
        asio::post(pool,
            [&]
            {
                std::promise<void> released;
                run_blocking(
                    [&]
                    {
                        asio::post(pool,
                            [&]
                            {
                                run_blocking([] {});
                                asio::post(pool, [&] { released.set_value(); });
                            });
                        released.get_future().wait();
                    });
                done.set_value();
            });
        done.get_future().wait();
    }
    pool.join();
}

// Such a handler, cancelled from outside, is called inside the look at the reactor.
BOOST_AUTO_TEST_CASE(a_handler_of_another_executor_lets_others_have_the_reactor)
{
    weft::io_context context;
    auto guard = asio::make_work_guard(context);
    asio::steady_timer never(context, std::chrono::hours(1));
    asio::steady_timer soon(context);
    std::promise<void> fired;
    std::promise<void> ended;
    never.async_wait(asio::bind_executor(asio::system_executor(),
        [&](error_code)
        {
            soon.expires_after(std::chrono::milliseconds(1));
            soon.async_wait([&](error_code) { fired.set_value(); });
            weft::run_blocking([&] { fired.get_future().wait(); });
            ended.set_value();
        }));
    test::thread_group runners(2, [&] { context.run(); });
    while (context.stats().total.parks < 2)
        std::this_thread::yield();
    never.cancel();
    ended.get_future().wait();
    guard.reset();
}

// Its worker is given away in the middle of what the thread looked for, and must be nobody's twice.
BOOST_AUTO_TEST_CASE(inside_a_poll_of_such_a_handler_another_thread_takes_over)
{
    for (int round = 0; round != 5; ++round)
    {
        weft::io_context context;
        // Two workers, so that one is left when the other is given away.
        std::latch both(2);
        for (int i = 0; i != 2; ++i)
            asio::post(context, [&] { both.arrive_and_wait(); });
        BOOST_TEST(test::run_on(context, 2) == 2u);
        context.restart();
        auto const parks = context.stats().total.parks;

        auto guard = asio::make_work_guard(context);
        asio::steady_timer never(context, std::chrono::hours(1));
        std::atomic<int> calls = 0;
        int posted = 0;
        test::thread_group runners;
        std::promise<void> inside;
        never.async_wait(asio::bind_executor(asio::system_executor(),
            [&](error_code)
            {
                asio::post(context,
                    [&]
                    {
                        run_blocking(
                            [&]
                            {
                                std::promise<void> taken_over;
                                asio::post(context, [&] { taken_over.set_value(); });
                                std::thread other([&] { context.run(); });
                                taken_over.get_future().wait();
                                inside.set_value();
                                runners.add([other = std::move(other)]() mutable { other.join(); });
                            });
                    });
                context.poll_one();
            }));
        test::thread_group first(1, [&] { context.run(); });
        while (context.stats().total.parks == parks)
            std::this_thread::yield();
        never.cancel();
        inside.get_future().wait();
        for (; posted != 5000; ++posted)
            asio::post(context, [&] { asio::post(context, [&] { ++calls; }); });
        guard.reset();
        first.join();
        runners.join();
        BOOST_TEST(calls == posted);
    }
}

BOOST_AUTO_TEST_CASE(under_a_context_of_asios_own_the_worker_around_it_is_given_away)
{
    weft::thread_pool pool(1);
    int after = 0;
    auto result = asio::post(
        pool, asio::use_future(
                  [&]
                  {
                      asio::io_context between;
                      std::thread::id ran_on;
                      asio::post(between,
                          [&]
                          {
                              auto f = asio::post(pool,
                                  asio::use_future([] { return std::this_thread::get_id(); }));
                              ran_on = run_blocking([&] { return f.get(); });
                              // It is a worker again, of both.
                              asio::dispatch(pool, [&] { ++after; });
                              asio::post(between, [&] { ++after; });
                          });
                      between.run();
                      return ran_on != std::this_thread::get_id();
                  }));
    BOOST_TEST(result.get());
    BOOST_TEST(after == 2);
    pool.join();
}

// Both workers go, and the contexts between keep their places.
BOOST_AUTO_TEST_CASE(however_contexts_are_nested_all_workers_of_the_thread_are_given_away)
{
    weft::thread_pool pool(1);
    weft::io_context inner;
    auto guard = asio::make_work_guard(inner);
    test::thread_group helper;
    asio::post(pool, asio::use_future(
                         [&]
                         {
                             asio::io_context between;
                             asio::post(between,
                                 [&]
                                 {
                                     asio::post(inner,
                                         [&]
                                         {
                                             asio::io_context innermost;
                                             asio::post(innermost,
                                                 [&]
                                                 {
                                                     auto a = asio::post(pool, asio::use_future);
                                                     auto b = asio::post(inner, asio::use_future);
                                                     helper.add([&] { inner.run(); });
                                                     run_blocking(
                                                         [&]
                                                         {
                                                             a.get();
                                                             b.get();
                                                         });
                                                     guard.reset();
                                                 });
                                             BOOST_TEST(innermost.run() == 1u);
                                         });
                                     inner.run();
                                 });
                             BOOST_TEST(between.run() == 1u);
                         }))
        .get();
    helper.join();
    pool.join();
}

// The handler of the outer context was called for an operation that was cancelled from outside.
BOOST_AUTO_TEST_CASE(in_a_context_inside_such_a_handler_others_have_the_outer_reactor)
{
    weft::io_context outer;
    asio::steady_timer never(outer, std::chrono::hours(1));
    asio::steady_timer soon(outer);
    std::promise<void> fired;
    never.async_wait(asio::bind_executor(asio::system_executor(),
        [&](error_code)
        {
            weft::io_context inner;
            asio::post(inner,
                [&]
                {
                    soon.expires_after(std::chrono::milliseconds(1));
                    soon.async_wait([&](error_code) { fired.set_value(); });
                    run_blocking([&] { fired.get_future().wait(); });
                });
            BOOST_TEST(inner.run() == 1u);
        }));
    test::thread_group runners(2, [&] { outer.run(); });
    while (outer.stats().total.parks < 2)
        std::this_thread::yield();
    never.cancel();
}

BOOST_AUTO_TEST_SUITE_END()
