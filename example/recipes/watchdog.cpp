// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A watchdog tells of a handler that blocks, with its stack while it blocks, and of two handlers
// that wait for each other's locks for ever.

#include <boost/asio.hpp>
#include <chrono>
#include <future>
#include <iostream>
#include <string>
#include <thread>
#include <weft.hpp>

namespace asio = boost::asio;
using namespace std::chrono_literals;
using kind = weft::watchdog_report::kind;

// What a handler should not do: the worker can run nothing else meanwhile.
[[gnu::noinline]] void ask_database(std::future<void> answer)
{
    answer.wait();
}

// Two locks that are taken in opposite order.
void transfer(weft::mutex& from, weft::mutex& to)
{
    from.async_lock(
        [&from, &to](boost::system::error_code)
        {
            to.async_lock(
                [&from, &to](boost::system::error_code)
                {
                    to.unlock();
                    from.unlock();
                });
        });
}

int main()
{
    std::promise<void> answer;
    std::promise<void> deadlock;
    bool stall_named = false;

    // tag::watchdog[]
    weft::watchdog_options options;
    options.stall = 50ms;
    options.deadlock_after = 1s;
    options.reports_per_minute = 60;
    options.on_report = [&](weft::watchdog_report const& report)
    {
        std::cout << report.text() << std::flush; // a log, an alarm, ...
        // end::watchdog[]
        if (report.what == kind::deadlock)
            deadlock.set_value();
        else if (!stall_named)
        {
            stall_named = report.text().find("ask_database") != std::string::npos;
            if (stall_named)
                answer.set_value();
        }
        // tag::watchdog[]
    };
    weft::watchdog watchdog(options);
    // end::watchdog[]

    weft::thread_pool pool(2);
    // tag::watchdog[]
    watchdog.watch(pool);
    // end::watchdog[]
    asio::post(pool, [&] { ask_database(answer.get_future()); });

    weft::io_context bank;
    watchdog.watch(bank);
    weft::mutex alice(bank);
    weft::mutex bob(bank);
    alice.set_name("alice");
    bob.set_name("bob");
    transfer(alice, bob);
    transfer(bob, alice);
    std::thread runner([&] { bank.run(); });

    deadlock.get_future().wait();
    bank.stop();
    runner.join();
    pool.join();
    return stall_named ? 0 : 1;
}
