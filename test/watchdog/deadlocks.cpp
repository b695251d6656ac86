// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Deadlocks are reported, and nothing is that might not be one.

#include "watchdog/fixture.hpp"

#include <weft/channel.hpp>
#include <weft/mutex.hpp>
#include <weft/run_blocking.hpp>
#include <weft/steady_timer.hpp>

#include <boost/asio/experimental/parallel_group.hpp>

namespace
{

using namespace test;

/// A context that one thread runs, with two locks that are held in opposite order, if asked for.
struct fixture
{
    ~fixture()
    {
        context.stop();
    }

    void run()
    {
        // Asio's reactor has an event at first: who sleeps there next is awake again at once.
        context.poll();
        d.list->add(context);
        runner.add([this] { context.run(); });
        await_sleep(context);
    }

    /// Whether anything is reported within a day, of a context whose threads sleep.
    bool reported()
    {
        return reported(context);
    }

    template <class Context>
    bool reported(Context& of)
    {
        for (int hour = 0; hour != 24; ++hour)
        {
            // A timer far away wakes a thread now and then, which must not be taken for one that
            // has been awake for hours.
            await_all_asleep(of);
            for (auto const& r : d.look(1h))
            {
                report = r;
                ++count;
            }
        }
        return count != 0;
    }

    /// One operation waits for what another has got, and that for what the first has got.
    void lock_in_opposite_order()
    {
        accounts.set_name("accounts");
        sessions.set_name("sessions");
        struct to_sessions
        {
            void operator()(error_code)
            {
            }
        };
        struct to_accounts
        {
            void operator()(error_code)
            {
            }
        };
        accounts.async_lock([this](error_code) { sessions.async_lock(to_sessions()); });
        sessions.async_lock([this](error_code) { accounts.async_lock(to_accounts()); });
    }

    weft::io_context context;
    weft::mutex accounts{context};
    weft::mutex sessions{context};
    dog d;
    test::thread_group runner;
    weft::watchdog_report report;
    int count = 0;
};

asio::awaitable<void> lock_both(weft::mutex& first, weft::mutex& second, std::latch& both)
{
    co_await first.async_lock(asio::use_awaitable);
    both.count_down();
    while (!both.try_wait())
        co_await asio::post(asio::use_awaitable);
    co_await second.async_lock(asio::use_awaitable);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(watchdog_deadlocks, fixture)

BOOST_AUTO_TEST_CASE(two_locks_in_opposite_order)
{
    lock_in_opposite_order();
    run();
    BOOST_TEST(d.look().empty());
    BOOST_TEST(d.look(9999ms).empty());
    auto const found = d.look(1ms);
    BOOST_TEST_REQUIRE(found.size() == 1u);
    BOOST_TEST((found[0].what == kind::deadlock));
    auto const text = found[0].text();
    BOOST_TEST(has(text, "deadlock: only a thread from outside"), text);
    BOOST_TEST(has(text, "mutex 'accounts'"), text);
    BOOST_TEST(has(text, "mutex 'sessions'"), text);
    BOOST_TEST(has(text, "lock_in_opposite_order()::to_accounts"), text);
    BOOST_TEST(has(text, "lock_in_opposite_order()::to_sessions"), text);
    // Once.
    BOOST_TEST(!reported(), report.text());
    // But if another thread has made something happen, the next one is another.
    asio::post(context, [] {});
    while (context.stats().total.handlers != 3)
        std::this_thread::yield();
    await_sleep(context);
    BOOST_TEST(reported());
    BOOST_TEST(count == 1);
}

BOOST_AUTO_TEST_CASE(two_coroutines)
{
    std::latch both(2);
    asio::co_spawn(context, lock_both(accounts, sessions, both), asio::detached);
    asio::co_spawn(context, lock_both(sessions, accounts, both), asio::detached);
    run();
    BOOST_TEST(reported());
    BOOST_TEST((report.what == kind::deadlock));
    BOOST_TEST(has(report.dump, "boost::asio::detail::awaitable_"), report.dump);
}

BOOST_AUTO_TEST_CASE(a_receiver_without_a_sender)
{
    weft::channel<int> channel(context, 1);
    channel.async_receive([](error_code, int) {});
    run();
    BOOST_TEST(reported());
    BOOST_TEST(has(report.dump, "1 to receive"), report.dump);
}

BOOST_AUTO_TEST_CASE(more_that_wait_than_are_shown)
{
    BOOST_TEST_REQUIRE(accounts.try_lock());
    for (int i = 0; i != 70; ++i)
        accounts.async_lock([](error_code) {});
    run();
    BOOST_TEST(reported());
    BOOST_TEST(has(report.dump, ": 70 wait"), report.dump);
    BOOST_TEST(has(report.dump, "and 6 more"), report.dump);
}

BOOST_AUTO_TEST_CASE(not_while_a_socket_waits)
{
    lock_in_opposite_order();
    asio::ip::udp::socket socket(context, {asio::ip::address_v4::loopback(), 0});
    char data = 0;
    socket.async_receive(asio::buffer(&data, 1), [](error_code, std::size_t) {});
    run();
    BOOST_TEST(!reported(), report.text());
}

BOOST_AUTO_TEST_CASE(not_while_a_signal_is_awaited)
{
    lock_in_opposite_order();
    asio::signal_set signals(context, SIGUSR1);
    signals.async_wait([](error_code, int) {});
    run();
    BOOST_TEST(!reported(), report.text());
}

BOOST_AUTO_TEST_CASE(not_while_a_timer_is_pending)
{
    lock_in_opposite_order();
    weft::steady_timer timer(context, 24h);
    timer.async_wait([](error_code) {});
    run();
    BOOST_TEST(!reported(), report.text());
}

BOOST_AUTO_TEST_CASE(not_while_a_timer_of_asios_is_pending)
{
    lock_in_opposite_order();
    asio::steady_timer timer(asio::any_io_executor(context.get_executor()), 24h);
    timer.async_wait([](error_code) {});
    run();
    BOOST_TEST(!reported(), report.text());
}

BOOST_AUTO_TEST_CASE(not_while_work_is_guarded)
{
    lock_in_opposite_order();
    auto const guard = asio::make_work_guard(context);
    run();
    BOOST_TEST(!reported(), report.text());
}

BOOST_AUTO_TEST_CASE(not_while_work_is_guarded_and_coroutines_wait)
{
    std::latch both(2);
    asio::co_spawn(context, lock_both(accounts, sessions, both), asio::detached);
    asio::co_spawn(context, lock_both(sessions, accounts, both), asio::detached);
    auto const guard = asio::make_work_guard(context);
    run();
    BOOST_TEST(!reported(), report.text());
}

BOOST_AUTO_TEST_CASE(not_while_work_is_guarded_and_a_coroutine_of_another_context_waits)
{
    // Its guards are there.
    weft::io_context other;
    weft::channel<int> channel(context, 1);
    asio::co_spawn(
        other,
        [&]() -> asio::awaitable<void> { co_await channel.async_receive(asio::use_awaitable); },
        asio::detached);
    other.poll();
    auto const guard = asio::make_work_guard(context);
    run();
    BOOST_TEST(!reported(), report.text());
}

BOOST_AUTO_TEST_CASE(not_while_work_is_guarded_and_a_coroutine_waits_for_one_of_two)
{
    weft::channel<int> channel(context, 1);
    BOOST_TEST_REQUIRE(accounts.try_lock());
    asio::co_spawn(
        context,
        [&]() -> asio::awaitable<void>
        {
            co_await asio::experimental::make_parallel_group(
                channel.async_receive(asio::deferred), accounts.async_lock(asio::deferred))
                .async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
        },
        asio::detached);
    auto const guard = asio::make_work_guard(context);
    run();
    BOOST_TEST(!reported(), report.text());
}

BOOST_AUTO_TEST_CASE(not_while_somebody_blocks)
{
    lock_in_opposite_order();
    gate g;
    asio::post(context,
        [&]
        {
            weft::run_blocking(
                [&]
                {
                    g.entered.count_down();
                    g.opened().get();
                });
        });
    runner.add([this] { context.run(); });
    g.entered.wait();
    run();
    BOOST_TEST(!reported(), report.text());
    g.open();
}

BOOST_AUTO_TEST_CASE(not_while_nobody_runs_the_context)
{
    lock_in_opposite_order();
    context.poll();
    d.list->add(context);
    BOOST_TEST(!reported(), report.text());
}

BOOST_AUTO_TEST_CASE(not_where_nothing_waits)
{
    auto const guard = asio::make_work_guard(context);
    run();
    BOOST_TEST(!reported(), report.text());
}

BOOST_AUTO_TEST_CASE(not_in_a_pool_before_it_is_joined)
{
    weft::thread_pool pool(2);
    weft::mutex lock(pool.get_executor());
    BOOST_TEST_REQUIRE(lock.try_lock());
    lock.async_lock([&](error_code) { lock.unlock(); });
    await_sleep(pool, 2);
    d.list->add(pool);
    BOOST_TEST(!reported(pool), report.text());
    test::thread_group joiner(1, [&] { pool.join(); });
    while (!reported(pool))
        std::this_thread::yield();
    BOOST_TEST(report.context_class == "weft::thread_pool");
    lock.unlock();
}

BOOST_AUTO_TEST_CASE(not_if_it_is_not_wanted)
{
    weft::watchdog_options options;
    options.deadlock_after = 0s;
    dog without(options);
    lock_in_opposite_order();
    run();
    without.list->add(context);
    for (int i = 0; i != 24; ++i)
    {
        await_all_asleep(context);
        BOOST_TEST(without.look(1h).empty());
    }
}

BOOST_AUTO_TEST_CASE(not_if_it_is_wanted_after_the_longest_time)
{
    weft::watchdog_options options;
    options.deadlock_after = std::chrono::seconds::max();
    dog patient(options);
    lock_in_opposite_order();
    run();
    patient.list->add(context);
    for (int i = 0; i != 24; ++i)
    {
        await_all_asleep(context);
        BOOST_TEST(patient.look(1h).empty());
    }
}

BOOST_AUTO_TEST_SUITE_END()
