// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A server in two stages: one coroutine accepts connections, a few serve them, and a bounded
// channel is between them. When the workers are busy and the channel is full, the acceptor waits,
// and connections stay in the queue of the kernel: never are more open than there is room for.

#include <weft.hpp>

#include <boost/asio.hpp>

#include <array>
#include <atomic>
#include <exception>
#include <iostream>
#include <memory>
#include <thread>
#include <utility>

namespace asio = boost::asio;
using asio::ip::tcp;

namespace
{

constexpr int clients = 200;
constexpr int workers = 3;
constexpr std::size_t room = 2;

// A pointer, because a receiver whose channel is closed is called with an empty value, and an empty
// socket there is not.
using connection = std::unique_ptr<tcp::socket>;
using connections = weft::channel<connection>;

struct tally
{
    std::atomic<int> open{0};
    std::atomic<int> most_open{0};
    std::atomic<int> held_back{0};
    std::atomic<int> right_answers{0};

    void opened()
    {
        int const now = ++open;
        int most = most_open;
        while (most < now && !most_open.compare_exchange_weak(most, now))
        {
        }
    }
};

asio::awaitable<void> accept(tcp::acceptor& acceptor, connections& accepted, tally& all)
{
    for (int i = 0; i != clients; ++i)
    {
        auto socket =
            std::make_unique<tcp::socket>(co_await acceptor.async_accept(asio::use_awaitable));
        all.opened();
        // What it does not take is still ours.
        if (!accepted.try_send(std::move(socket)))
        {
            ++all.held_back;
            co_await accepted.async_send(std::move(socket));
        }
    }
    // Workers get what has been sent, and then hear that there will be nothing more.
    accepted.close();
}

asio::awaitable<void> work(connections& accepted, tally& all)
{
    for (;;)
    {
        auto const [closed, socket] =
            co_await accepted.async_receive(asio::as_tuple(asio::deferred));
        if (closed)
            co_return;
        std::array<char, 1> byte;
        co_await async_read(*socket, asio::buffer(byte), asio::use_awaitable);
        ++byte[0];
        --all.open; // before the client sees the answer
        co_await async_write(*socket, asio::buffer(byte), asio::use_awaitable);
    }
}

asio::awaitable<void> ask(tcp::endpoint server, tally& all)
{
    tcp::socket socket(co_await asio::this_coro::executor);
    co_await socket.async_connect(server, asio::use_awaitable);
    std::array<char, 1> byte{'a'};
    co_await async_write(socket, asio::buffer(byte), asio::use_awaitable);
    co_await async_read(socket, asio::buffer(byte), asio::use_awaitable);
    all.right_answers += byte[0] == 'b' ? 1 : 0;
}

} // namespace

int main()
{
    weft::io_context context;
    tally all;
    connections accepted(context, room);
    tcp::acceptor acceptor(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0));

    asio::co_spawn(context, accept(acceptor, accepted, all), asio::detached);
    for (int i = 0; i != workers; ++i)
        asio::co_spawn(context, work(accepted, all), asio::detached);
    for (int i = 0; i != clients; ++i)
        asio::co_spawn(context, ask(acceptor.local_endpoint(), all), asio::detached);
    std::thread second([&] { context.run(); });
    context.run();
    second.join();

    std::cout << all.right_answers << " right answers to " << clients << " clients, "
              << all.most_open << " of them served or waiting at a time at most; the acceptor had "
              << "to wait " << all.held_back << " times\n";
    // Those in work, those in the channel, and the one that the acceptor holds.
    bool const bounded = all.most_open <= workers + static_cast<int>(room) + 1;
    return all.right_answers == clients && bounded ? 0 : 1;
}
