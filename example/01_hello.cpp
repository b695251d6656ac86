// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The smallest tour: a posted function, a timer, a coroutine, and a blocking call on a pool.
// Everything but run_blocking is plain Asio; only the context's type is another one.

#include "context.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <chrono>
#include <fstream>
#include <future>
#include <iostream>
#include <string>

namespace asio = boost::asio;
using namespace std::chrono_literals;

asio::awaitable<int> count_down(std::string name, int from)
{
    // The coroutine's executor is the context it was spawned on: any of its threads may resume it.
    asio::steady_timer timer{co_await asio::this_coro::executor};
    int ticks = 0;
    for (int left = from; left > 0; --left)
    {
        timer.expires_after(20ms);
        co_await timer.async_wait(asio::use_awaitable);
        ++ticks;
    }
    std::cout << name << " is done\n";
    co_return ticks;
}

asio::awaitable<void> launch()
{
    using namespace asio::experimental::awaitable_operators;

    auto const [a, b] = co_await (count_down("short count", 2) && count_down("long count", 4));
    std::cout << "coroutines ticked " << a + b << " times\n";
}

std::string read_first_line(char const* path)
{
    std::ifstream file{path};
    std::string line;
    std::getline(file, line);
    return line;
}

int main()
{
    std::cout << "running on " << example::context_name << '\n';

    example::io_context context;

    asio::post(context, [] { std::cout << "a posted function runs inside run()\n"; });

    asio::steady_timer timer{context, 10ms};
    timer.async_wait(
        [](boost::system::error_code error)
        {
            if (!error)
                std::cout << "10 ms have passed\n";
        });

    asio::co_spawn(context, launch(),
        [](std::exception_ptr failure)
        {
            // Rethrown here it leaves run(), as from any other handler.
            if (failure)
                std::rethrow_exception(failure);
        });

    // One thread runs all of it; call run() on more threads and they share the work.
    context.run();

    // A file, a database, a lock: a pool's thread that is about to block says so, and what was
    // queued behind it is taken over by others.
    example::thread_pool pool{2};
    std::future<std::string> line = asio::post(pool,
        asio::use_future(
            [] { return example::run_blocking([] { return read_first_line("/proc/version"); }); }));
    std::cout << "the kernel is: " << line.get() << '\n';
    pool.join();
}
