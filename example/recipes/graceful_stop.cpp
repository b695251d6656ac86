// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A server that stops in good order: on a signal it accepts nothing more, lets those that are
// connected have their answers, and waits for them no longer than ten seconds. A semaphore limits
// the connections; whoever has all of its permits knows that there is none left.

#include <array>
#include <atomic>
#include <boost/asio.hpp>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <iostream>
#include <thread>
#include <tuple>
#include <utility>
#include <weft.hpp>

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;

constexpr int clients = 100;
constexpr std::uint64_t most_connections = 16;

struct tally
{
    std::atomic<int> served{0}, answered{0}, turned_away{0};
};

// tag::stop[]
asio::awaitable<void> session(tcp::socket socket, weft::semaphore::permit_type, tally& all)
{
    std::array<char, 1> byte;
    co_await async_read(socket, asio::buffer(byte), asio::use_awaitable);
    co_await async_write(socket, asio::buffer(byte), asio::use_awaitable);
    ++all.served;
} // gives the permit back

asio::awaitable<void> accept(tcp::acceptor& acceptor, weft::semaphore& limit, tally& all)
{
    for (;;)
    {
        auto permit = co_await limit.async_scoped_acquire();
        auto [closed, socket] = co_await acceptor.async_accept(asio::as_tuple(asio::deferred));
        if (closed)
            co_return;
        co_spawn(limit.get_executor(), session(std::move(socket), std::move(permit), all),
            asio::detached);
    }
}

asio::awaitable<void> stop_on_signal(
    weft::io_context& context, tcp::acceptor& acceptor, weft::semaphore& limit)
{
    asio::signal_set signals(context, SIGINT, SIGTERM);
    co_await signals.async_wait(asio::use_awaitable);
    acceptor.close();
    auto [late, all_permits] = co_await limit.async_scoped_acquire_for(
        10s, most_connections, asio::as_tuple(asio::deferred));
    if (late)
        context.stop(); // otherwise run() returns because there is nothing left to do
}
// end::stop[]

asio::awaitable<void> ask(tcp::endpoint server, tally& all, int number)
{
    std::array<char, 1> byte{'a'};
    tcp::socket socket(co_await asio::this_coro::executor);
    auto [failed] = co_await socket.async_connect(server, asio::as_tuple(asio::deferred));
    if (!failed)
        std::tie(failed, std::ignore) =
            co_await async_write(socket, asio::buffer(byte), asio::as_tuple(asio::deferred));
    if (!failed)
        std::tie(failed, std::ignore) =
            co_await async_read(socket, asio::buffer(byte), asio::as_tuple(asio::deferred));
    ++(failed ? all.turned_away : all.answered);
    if (number == clients / 2)
        std::raise(SIGTERM);
}

int main()
{
    weft::io_context context;
    weft::semaphore limit(context, most_connections);
    tally all;
    // One strand for what uses the acceptor: accept() and whoever closes it.
    auto const strand = make_strand(context);
    tcp::acceptor acceptor(strand, {asio::ip::address_v4::loopback(), 0});
    co_spawn(strand, stop_on_signal(context, acceptor, limit), asio::detached);
    co_spawn(strand, accept(acceptor, limit, all), asio::detached);
    for (int i = 0; i != clients; ++i)
        co_spawn(context, ask(acceptor.local_endpoint(), all, i), asio::detached);
    std::thread second([&] { context.run(); });
    context.run();
    second.join();

    std::cout << all.answered << " clients have an answer, " << all.turned_away
              << " came too late\n";
    return all.answered == all.served && all.answered + all.turned_away == clients ? 0 : 1;
}
