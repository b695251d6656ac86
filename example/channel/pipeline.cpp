// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A server in two stages: one coroutine accepts connections, a few serve them, and a bounded
// channel is between them. When the workers are busy and the channel is full, the acceptor waits,
// and connections stay in the queue of the kernel: never are more open than there is room for.

#include <weft.hpp>

#include <boost/asio.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace asio = boost::asio;
using asio::ip::tcp;

namespace
{

constexpr int clients = 200;
constexpr int questions = 5; // by each client
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

std::string answer_to(std::string question)
{
    std::reverse(question.begin(), question.end());
    return question;
}

// Reads a line, without its end; empty when the other side has finished.
asio::awaitable<std::string> read_line(tcp::socket& socket, std::string& buffer)
{
    auto const [failed, n] = co_await asio::async_read_until(
        socket, asio::dynamic_buffer(buffer), '\n', asio::as_tuple(asio::use_awaitable));
    if (failed == asio::error::eof)
        co_return std::string();
    if (failed)
        throw boost::system::system_error(failed);
    std::string line = buffer.substr(0, n - 1);
    buffer.erase(0, n);
    co_return line;
}

asio::awaitable<void> write_line(tcp::socket& socket, std::string line)
{
    line += '\n';
    co_await asio::async_write(socket, asio::buffer(line), asio::use_awaitable);
}

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
            co_await accepted.async_receive(asio::as_tuple(asio::use_awaitable));
        if (closed)
            co_return;
        std::string buffer;
        for (;;)
        {
            std::string line = co_await read_line(*socket, buffer);
            if (line.empty())
                break;
            co_await write_line(*socket, answer_to(std::move(line)));
        }
        // Before the other side sees the end.
        --all.open;
    }
}

asio::awaitable<void> ask(tcp::endpoint server, int number, tally& all)
{
    tcp::socket socket(co_await asio::this_coro::executor);
    co_await socket.async_connect(server, asio::use_awaitable);
    std::string buffer;
    for (int i = 0; i != questions; ++i)
    {
        std::string const question =
            "question " + std::to_string(i) + " of client " + std::to_string(number);
        co_await write_line(socket, question);
        std::string const answer = co_await read_line(socket, buffer);
        all.right_answers += answer == answer_to(question) ? 1 : 0;
    }
    socket.shutdown(tcp::socket::shutdown_send);
    // Until the server has closed.
    (void)co_await read_line(socket, buffer);
}

void rethrow(std::exception_ptr failure)
{
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace

int main()
try
{
    weft::io_context context;
    tally all;
    connections accepted(context, room);
    tcp::acceptor acceptor(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    tcp::endpoint const here = acceptor.local_endpoint();

    asio::co_spawn(context, accept(acceptor, accepted, all), rethrow);
    for (int i = 0; i != workers; ++i)
        asio::co_spawn(context, work(accepted, all), rethrow);
    for (int i = 0; i != clients; ++i)
        asio::co_spawn(context, ask(here, i, all), rethrow);
    std::thread second([&] { context.run(); });
    context.run();
    second.join();

    std::cout << all.right_answers << " right answers to " << clients << " clients, "
              << all.most_open << " of them served or waiting at a time at most; the acceptor had "
              << "to wait " << all.held_back << " times\n";
    // Those in work, those in the channel, and the one that the acceptor holds.
    bool const bounded = all.most_open <= workers + static_cast<int>(room) + 1;
    return all.right_answers == clients * questions && bounded ? 0 : 1;
}
catch (std::exception const& e)
{
    std::cerr << "pipeline: " << e.what() << '\n';
    return 1;
}
