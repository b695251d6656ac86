// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// An echo server, run by two threads until it gets SIGINT or SIGTERM.

// tag::program[]
#include <boost/asio.hpp>
#include <iostream>
#include <thread>
#include <weft.hpp>

namespace asio = boost::asio;
using asio::ip::tcp;

asio::awaitable<void> echo(tcp::socket socket)
{
    for (char data[4096];;)
    {
        auto n = co_await socket.async_read_some(asio::buffer(data), asio::use_awaitable);
        co_await async_write(socket, asio::buffer(data, n), asio::use_awaitable);
    }
}

asio::awaitable<void> serve(tcp::acceptor acceptor)
{
    for (;;)
        co_spawn(acceptor.get_executor(), echo(co_await acceptor.async_accept(asio::use_awaitable)),
            asio::detached);
}

int main()
{
    weft::io_context context;
    tcp::acceptor acceptor(context, {asio::ip::make_address("127.0.0.1"), 0});
    std::cout << "listening on " << acceptor.local_endpoint() << std::endl;
    co_spawn(context, serve(std::move(acceptor)), asio::detached);
    asio::signal_set signals(context, SIGINT, SIGTERM);
    signals.async_wait([&](auto...) { context.stop(); });
    std::jthread second([&] { context.run(); });
    context.run();
}
// end::program[]
