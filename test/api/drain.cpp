// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The orderly end of both contexts: what is left, counted by kind.

#include <weft/channel.hpp>
#include <weft/drain_report.hpp>
#include <weft/io_context.hpp>
#include <weft/mutex.hpp>
#include <weft/run_blocking.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>
#include <weft/steady_timer.hpp>
#include <weft/thread_pool.hpp>

#include "support/cases.hpp"
#include "support/context.hpp"
#include "support/sleeps.hpp"

BOOST_FIXTURE_TEST_SUITE(drain, test::with_context)

namespace
{

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using udp = asio::ip::udp;

// So long that whoever waits for it is a failure.
constexpr std::chrono::hours long_time(24);

// What a drain waits for in vain.
constexpr milliseconds short_time(20);

// Everything but `handlers`.
using left = std::array<std::size_t, 7>;

left of(const weft::drain_report& r)
{
    return {r.queued, r.outstanding, r.timers, r.waiting, r.reactor_operations, r.blocked_threads,
        r.running_threads};
}

template <class Context>
struct fixture
{
    fixture()
    {
        if constexpr (std::is_same_v<Context, weft::thread_pool>)
            // A thread that has not slept yet may still be inside when the drain gives up.
            test::await_sleep(context, threads);
    }

    /// Runs what has been posted; or, of a pool, returns when what has begun has returned, and all
    /// threads sleep.
    void run_posted()
    {
        if constexpr (std::is_same_v<Context, weft::thread_pool>)
        {
            struct meeting
            {
                std::latch inside{threads};
                std::latch over{1};
            };
            const auto all = std::make_shared<meeting>();
            for (std::size_t i = 0; i != threads; ++i)
                asio::post(context,
                    [all]
                    {
                        all->inside.count_down();
                        all->over.wait();
                    });
            // Each thread is in one of these handlers then, and in no other.
            all->inside.wait();
            const auto sleeps = test::sleeps_of_each(context, threads);
            all->over.count_down();
            test::await_sleep(context, sleeps);
        }
        else
            context.poll();
    }

    static constexpr std::size_t threads = 2;
    Context context{make()};

    static auto make()
    {
        if constexpr (std::is_same_v<Context, weft::thread_pool>)
            return threads;
        else
            return 2;
    }
};

// Of weft's, for the type of its executor.
template <class Context>
using steady_timer_of = asio::basic_waitable_timer<steady_clock, asio::wait_traits<steady_clock>,
    typename Context::executor_type>;

using contexts = std::tuple<weft::io_context, weft::thread_pool>;

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(an_idle_context_is_complete_at_once, Context, contexts)
{
    fixture<Context> f;
    const weft::drain_report report = f.context.drain_for(long_time);
    BOOST_TEST(report.complete);
    BOOST_TEST(report.handlers == 0u);
    BOOST_TEST((of(report) == left{}));
    BOOST_TEST(report.text() == "complete");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(all_that_can_be_done_is_done, Context, contexts)
{
    fixture<Context> f;
    std::atomic<int> calls = 0;
    steady_timer_of<Context> timer(f.context, milliseconds(5));
    asio::system_timer other(f.context, milliseconds(5));
    for (int i = 0; i != 100; ++i)
        asio::post(f.context,
            [&]
            {
                ++calls;
                asio::post(f.context, [&] { ++calls; });
            });
    timer.async_wait([&](error_code) { ++calls; });
    other.async_wait([&](error_code) { ++calls; });
    std::atomic<bool> blocked = false;
    asio::post(f.context, [&] { weft::run_blocking([&] { blocked = true; }); });
    const weft::drain_report report = f.context.drain_for(long_time);
    BOOST_TEST(report.complete, report.text());
    BOOST_TEST(calls == 202);
    BOOST_TEST(blocked);
    BOOST_TEST((of(report) == left{}));
    // A pool's threads may have run some before.
    BOOST_TEST(report.handlers <= 203u);
}

BOOST_AUTO_TEST_CASE(handlers_are_counted_from_the_drain_on)
{
    for (int i = 0; i != 7; ++i)
        asio::post(context, [] {});
    context.run_one();
    context.run_one();
    BOOST_TEST(context.drain_for(long_time).handlers == 5u);
    BOOST_TEST(context.drain_for(long_time).handlers == 0u);
}

BOOST_AUTO_TEST_CASE(without_time_nothing_is_run_and_all_is_counted)
{
    int calls = 0;
    for (int i = 0; i != 7; ++i)
        asio::post(context, [&] { ++calls; });
    for (int i = 0; i != 2; ++i)
    {
        const weft::drain_report report = context.drain_for(std::chrono::seconds(-i));
        BOOST_TEST(!report.complete);
        BOOST_TEST((of(report) == left{7, 0, 0, 0, 0, 0, 0}));
        BOOST_TEST(report.text() == "incomplete, 7 handlers queued");
    }
    BOOST_TEST(calls == 0);
    BOOST_TEST(context.stopped());
    // Nothing is lost.
    context.restart();
    BOOST_TEST(context.run() == 7u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(timers_are_counted, Context, contexts)
{
    fixture<Context> f;
    std::deque<steady_timer_of<Context>> timers;
    for (std::size_t i = 0; i != 5; ++i)
    {
        timers.emplace_back(f.context, long_time);
        timers.back().async_wait([](error_code) {});
    }
    timers.back().async_wait([](error_code) {});
    const weft::drain_report report = f.context.drain_for(short_time);
    BOOST_TEST(!report.complete);
    BOOST_TEST((of(report) == left{0, 6, 6, 0, 0, 0, 0}), report.text());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(operations_of_the_reactor_are_counted, Context, contexts)
{
    fixture<Context> f;
    asio::system_timer timer(f.context, long_time);
    timer.async_wait([](error_code) {});
    udp::socket socket(f.context, udp::endpoint(asio::ip::address_v4::loopback(), 0));
    std::array<char, 4> buffer{};
    socket.async_receive(asio::buffer(buffer), [](error_code, std::size_t) {});
    asio::signal_set signals(f.context, SIGUSR1);
    signals.async_wait([](error_code, int) {});
    const weft::drain_report report = f.context.drain_for(short_time);
    BOOST_TEST(!report.complete);
    BOOST_TEST((of(report) == left{0, 3, 0, 0, 3, 0, 0}), report.text());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(waiters_of_each_primitive_are_counted, Context, contexts)
{
    fixture<Context> f;
    const auto executor = f.context.get_executor();
    using executor_type = std::decay_t<decltype(executor)>;
    weft::basic_mutex<executor_type> mutex(executor);
    weft::basic_semaphore<executor_type> semaphore(executor, 1);
    weft::basic_shared_mutex<executor_type> shared(executor);
    weft::basic_channel<executor_type, void(error_code, int)> empty(executor, 1);
    weft::basic_channel<executor_type, void(error_code, int)> full(executor, 1);
    weft::basic_channel<executor_type, void(error_code, int)> rendezvous(executor);
    const auto ignore = [](auto&&...) {
    };

    BOOST_TEST_REQUIRE(mutex.try_lock());
    for (int i = 0; i != 3; ++i)
        mutex.async_lock(ignore);
    semaphore.async_acquire(2, ignore);
    shared.async_lock_shared(ignore);
    shared.async_lock(ignore);
    shared.async_lock_shared(ignore);
    for (int i = 0; i != 2; ++i)
        empty.async_receive(ignore);
    BOOST_TEST_REQUIRE(full.try_send(error_code(), 1));
    for (int i = 0; i != 4; ++i)
        full.async_send(error_code(), i, ignore);
    rendezvous.async_send(error_code(), 1, ignore);

    f.run_posted();
    const weft::drain_report report = f.context.drain_for(short_time);
    BOOST_TEST(!report.complete);
    // The first reader has got the shared mutex; its handler has been run.
    const std::size_t waiting = 3 + 1 + 2 + 2 + 4 + 1;
    BOOST_TEST((of(report) == left{0, waiting, 0, waiting, 0, 0, 0}), report.text());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_waiter_is_counted, Context, contexts)
{
    fixture<Context> f;
    weft::mutex mutex(f.context.get_executor());
    BOOST_TEST_REQUIRE(mutex.try_lock());
    mutex.async_lock([](auto&&...) {});
    BOOST_TEST(f.context.drain_for(short_time).waiting == 1u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(guards_are_counted, Context, contexts)
{
    fixture<Context> f;
    const auto one = asio::make_work_guard(f.context);
    const auto two = one;
    const weft::drain_report report = f.context.drain_for(short_time);
    BOOST_TEST((of(report) == left{0, 2, 0, 0, 0, 0, 0}), report.text());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(blocked_threads_are_counted, Context, contexts)
{
    fixture<Context> f;
    std::latch inside(1);
    std::latch go(1);
    asio::post(f.context,
        [&]
        {
            weft::run_blocking(
                [&]
                {
                    inside.count_down();
                    go.wait();
                });
        });
    test::thread_group runners;
    if constexpr (std::is_same_v<Context, weft::io_context>)
        runners.add([&] { f.context.run(); });
    inside.wait();
    const weft::drain_report report = f.context.drain_for(short_time);
    BOOST_TEST(!report.complete);
    BOOST_TEST((of(report) == left{0, 1, 0, 0, 0, 1, 0}), report.text());
    go.count_down();
    runners.join();
    if constexpr (std::is_same_v<Context, weft::thread_pool>)
        f.context.join();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(threads_in_handlers_are_counted_and_not_waited_for, Context, contexts)
{
    fixture<Context> f;
    std::latch inside(1);
    std::latch go(1);
    asio::post(f.context,
        [&]
        {
            inside.count_down();
            go.wait();
        });
    test::thread_group runners;
    if constexpr (std::is_same_v<Context, weft::io_context>)
        runners.add([&] { f.context.run(); });
    inside.wait();
    const auto begin = steady_clock::now();
    const weft::drain_report report = f.context.drain_for(short_time);
    // Generous: the machine may be busy with something else.
    BOOST_TEST((steady_clock::now() - begin < std::chrono::seconds(20)));
    BOOST_TEST(!report.complete);
    BOOST_TEST((of(report) == left{0, 0, 0, 0, 0, 0, 1}), report.text());
    go.count_down();
    runners.join();
    if constexpr (std::is_same_v<Context, weft::thread_pool>)
        f.context.join();
    BOOST_TEST(f.context.drain_for(long_time).complete);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(coroutines_are_counted_beside_what_they_wait_for, Context, contexts)
{
    fixture<Context> f;
    weft::mutex mutex(f.context.get_executor());
    BOOST_TEST_REQUIRE(mutex.try_lock());
    std::latch began(3);
    for (int i = 0; i != 3; ++i)
        asio::co_spawn(
            f.context,
            [&]() -> asio::awaitable<void>
            {
                began.count_down();
                co_await mutex.async_lock(asio::use_awaitable);
            },
            asio::detached);
    if constexpr (std::is_same_v<Context, weft::thread_pool>)
        began.wait();
    f.run_posted();
    const weft::drain_report report = f.context.drain_for(short_time);
    BOOST_TEST(!report.complete);
    BOOST_TEST(report.waiting == 3u);
    BOOST_TEST(report.outstanding >= 3u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_is_left_is_destroyed_with_the_context, Context, contexts)
{
    const auto held = std::make_shared<int>(0);
    {
        fixture<Context> f;
        weft::mutex mutex(f.context.get_executor());
        BOOST_TEST_REQUIRE(mutex.try_lock());
        mutex.async_lock([held](auto&&...) {});
        steady_timer_of<Context> timer(f.context, long_time);
        timer.async_wait([held](error_code) {});
        BOOST_TEST(!f.context.drain_for(short_time).complete);
        asio::post(f.context, [held] {});
        BOOST_TEST(held.use_count() == 4);
    }
    BOOST_TEST(held.use_count() == 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(clocks_and_far_times_are_understood, Context, contexts)
{
    {
        fixture<Context> f;
        BOOST_TEST(f.context.drain_until(steady_clock::time_point::max()).complete);
    }
    {
        fixture<Context> f;
        BOOST_TEST(f.context.drain_until(std::chrono::system_clock::now() + long_time).complete);
    }
    {
        fixture<Context> f;
        const auto guard = asio::make_work_guard(f.context);
        BOOST_TEST(!f.context.drain_until(std::chrono::system_clock::time_point()).complete);
    }
    {
        fixture<Context> f;
        BOOST_TEST(f.context.drain_for(std::chrono::duration<double>(1e30)).complete);
    }
}

BOOST_AUTO_TEST_CASE(several_threads_inside_a_context_end_with_its_drain)
{
    std::atomic<int> calls = 0;
    const auto guard =
        std::make_shared<decltype(asio::make_work_guard(context))>(asio::make_work_guard(context));
    test::thread_group runners(3, [&] { context.run(); });
    for (int i = 0; i != 1000; ++i)
        asio::post(context,
            [&, guard]
            {
                if (++calls == 1000)
                    guard->reset();
            });
    const weft::drain_report report = context.drain_for(long_time);
    runners.join();
    BOOST_TEST(report.complete, report.text());
    BOOST_TEST(calls == 1000);
}

BOOST_AUTO_TEST_CASE(an_exception_leaves_the_drain_of_a_context_and_nothing_is_lost)
{
    int calls = 0;
    for (int i = 0; i != 4; ++i)
        asio::post(context,
            [&, i]
            {
                ++calls;
                if (i == 1)
                    throw std::runtime_error("failed");
            });
    BOOST_CHECK_THROW(context.drain_for(long_time), std::runtime_error);
    BOOST_TEST(!context.stopped());
    BOOST_TEST(context.drain_for(long_time).handlers == 2u);
    BOOST_TEST(calls == 4);
}

BOOST_AUTO_TEST_CASE(a_stopped_context_says_what_is_left)
{
    asio::post(context, [] {});
    context.stop();
    BOOST_TEST(context.drain_for(long_time).queued == 1u);

    weft::thread_pool pool(2);
    pool.stop();
    asio::post(pool, [] {});
    BOOST_TEST(pool.drain_for(long_time).queued == 1u);
}

BOOST_AUTO_TEST_CASE(a_pool_may_be_drained_joined_and_drained_again)
{
    weft::thread_pool pool(3);
    std::atomic<int> calls = 0;
    for (int i = 0; i != 1000; ++i)
        asio::post(pool, [&] { ++calls; });
    test::thread_group others(2, [&] { pool.join(); });
    BOOST_TEST(pool.drain_for(long_time).complete);
    BOOST_TEST(calls == 1000);
    others.join();
    pool.join();
    BOOST_TEST(pool.drain_for(long_time).complete);
}

BOOST_AUTO_TEST_CASE(a_pool_stops_at_the_end_of_its_drain)
{
    weft::thread_pool pool(2);
    const auto guard = asio::make_work_guard(pool);
    BOOST_TEST(!pool.drain_for(short_time).complete);
    bool ran = false;
    asio::post(pool, [&] { ran = true; });
    pool.join();
    BOOST_TEST(!ran);
}

BOOST_AUTO_TEST_CASE(the_text_names_what_there_is)
{
    weft::drain_report report;
    report.handlers = 1;
    report.queued = 2;
    report.outstanding = 3;
    report.timers = 1;
    report.waiting = 1;
    report.reactor_operations = 1;
    report.blocked_threads = 1;
    report.running_threads = 1;
    BOOST_TEST(report.text() ==
               "incomplete, 1 handler run, 2 handlers queued, 3 pieces of work outstanding, "
               "1 timer waits, 1 operation waits at a lock or channel, "
               "1 operation of the reactor, 1 thread blocks, 1 thread in a handler");
}

BOOST_AUTO_TEST_SUITE_END()
