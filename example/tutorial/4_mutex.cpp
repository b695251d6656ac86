// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A mutex that a coroutine holds while it is suspended.

#include <boost/asio.hpp>
#include <chrono>
#include <iostream>
#include <string>
#include <weft.hpp>

namespace asio = boost::asio;
using namespace std::chrono_literals;

// tag::mutex[]
struct log_file
{
    weft::mutex mutex;
    std::string text; // guarded by mutex
};

asio::awaitable<void> write_record(log_file& log, int number)
{
    auto const lock = co_await log.mutex.async_scoped_lock();
    log.text += "begin " + std::to_string(number);
    // Others run meanwhile, and wait for the lock if they want it.
    asio::steady_timer disk(co_await asio::this_coro::executor, 1ms);
    co_await disk.async_wait(asio::use_awaitable);
    log.text += " end " + std::to_string(number) + '\n';
} // gives the lock back, to the coroutine that has waited longest
// end::mutex[]

int main()
{
    constexpr int records = 5;
    weft::thread_pool pool(2);
    log_file log{weft::mutex(pool), {}};
    for (int i = 0; i != records; ++i)
        co_spawn(pool, write_record(log, i), asio::detached);
    pool.join();

    int whole = 0;
    for (int i = 0; i != records; ++i)
    {
        auto const n = std::to_string(i);
        whole += log.text.find("begin " + n + " end " + n + '\n') != std::string::npos ? 1 : 0;
    }
    std::cout << log.text;
    return whole == records ? 0 : 1;
}
