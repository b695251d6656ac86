// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include <csignal>
#include <unistd.h>

BOOST_FIXTURE_TEST_SUITE(signals, test::with_context)

BOOST_AUTO_TEST_CASE(a_signal_that_is_raised_completes_the_wait)
{
    asio::signal_set signals(context, SIGUSR1, SIGUSR2);
    int received = 0;
    signals.async_wait(
        [&](error_code ec, int number)
        {
            BOOST_TEST(!ec);
            received = number;
        });
    asio::post(context, [] { std::raise(SIGUSR2); });
    context.run();
    BOOST_TEST(received == SIGUSR2);
}

BOOST_AUTO_TEST_CASE(a_signal_raised_before_the_wait_is_kept)
{
    asio::signal_set signals(context, SIGUSR1);
    std::raise(SIGUSR1);
    int received = 0;
    signals.async_wait([&](error_code, int number) { received = number; });
    context.run();
    BOOST_TEST(received == SIGUSR1);
}

BOOST_AUTO_TEST_CASE(every_waiting_set_receives_the_signal)
{
    io_context first;
    io_context second;
    asio::signal_set in_first(first, SIGUSR1);
    asio::signal_set in_second(second, SIGUSR1);
    int received = 0;
    in_first.async_wait([&](error_code, int) { ++received; });
    in_second.async_wait([&](error_code, int) { ++received; });
    std::raise(SIGUSR1);
    test::thread_group runner(1, [&] { first.run(); });
    runner.join();
    test::thread_group other(1, [&] { second.run(); });
    other.join();
    BOOST_TEST(received == 2);
}

BOOST_AUTO_TEST_CASE(cancel_aborts_the_wait)
{
    asio::signal_set signals(context, SIGUSR1);
    error_code result;
    signals.async_wait([&](error_code ec, int) { result = ec; });
    context.poll();
    signals.cancel();
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(result == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(a_signal_stops_a_server_the_usual_way)
{
    const auto guard = asio::make_work_guard(context);
    asio::signal_set signals(context, SIGTERM, SIGINT);
    signals.async_wait([&](error_code, int) { context.stop(); });
    std::promise<void> running;
    asio::post(context, [&] { running.set_value(); });
    test::thread_group runners(2, [&] { context.run(); });
    running.get_future().wait();
    ::kill(::getpid(), SIGTERM);
    runners.join();
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(signals_can_be_waited_for_again_and_again)
{
    thread_pool pool(1);
    asio::signal_set signals(pool, SIGUSR1);
    for (int i = 0; i != 100; ++i)
    {
        std::promise<int> received;
        signals.async_wait([&](error_code, int number) { received.set_value(number); });
        ::kill(::getpid(), SIGUSR1);
        BOOST_TEST(received.get_future().get() == SIGUSR1);
    }
    pool.join();
}

BOOST_AUTO_TEST_SUITE_END()
