// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Coroutines, timers and sockets whose types name the executor: nothing is wrapped.

#include <boost/asio.hpp>
#include <chrono>
#include <exception>
#include <iostream>
#include <weft.hpp>

namespace asio = boost::asio;
using namespace std::chrono_literals;

// tag::typed[]
using tcp_socket = asio::basic_stream_socket<asio::ip::tcp, weft::io_context::executor_type>;

weft::awaitable<int> count_ticks(int wanted)
{
    // The coroutine's executor is weft's own type, and so is the timer's.
    weft::steady_timer timer(co_await asio::this_coro::executor);
    int ticks = 0;
    for (; ticks != wanted; ++ticks)
    {
        timer.expires_after(5ms);
        co_await timer.async_wait(weft::use_awaitable);
    }
    co_return ticks;
}

weft::awaitable<> count_twice(int& total)
{
    total += co_await count_ticks(2); // a coroutine of the same type
    total += co_await count_ticks(3);
    tcp_socket socket(co_await asio::this_coro::executor);
    // deferred works in every coroutine, and as_tuple makes the error a value.
    auto [failed] = co_await socket.async_connect({}, asio::as_tuple(asio::deferred));
    std::cout << "connecting to nowhere: " << failed.message() << '\n';
}
// end::typed[]

int main()
{
    weft::io_context context;
    int total = 0;
    co_spawn(context, count_twice(total),
        [](std::exception_ptr failure)
        {
            if (failure)
                std::rethrow_exception(failure);
        });
    context.run();
    std::cout << total << " ticks\n";
    return total == 5 ? 0 : 1;
}
