// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A server in two stages: one coroutine accepts connections, a few serve them, and a bounded
// channel is between them. When the workers are busy and the channel is full, the acceptor waits,
// and connections stay in the queue of the kernel: never are more open than there is room for.
//
// It ends by SIGTERM, which it sends itself while it is busy: nobody is let in any more, whoever
// has been is served to the end, and the pool is drained.

#include <weft.hpp>

#include <boost/asio.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <exception>
#include <future>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace
{

constexpr int clients = 20;  // each of which comes again and again
constexpr int questions = 5; // each time
constexpr int answers_before_the_end = 700;
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
    std::atomic<int> wrong_answers{0};
    std::atomic<int> accepted{0};
    std::atomic<int> served{0};
    std::atomic<int> sent_away{0};
    bool ending = false; // on the acceptor's strand

    void opened()
    {
        ++accepted;
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

asio::awaitable<void> hand_on(tcp::socket socket, connections& accepted, tally& all)
{
    all.opened();
    auto next = std::make_unique<tcp::socket>(std::move(socket));
    // What it does not take is still ours.
    if (!accepted.try_send(std::move(next)))
    {
        ++all.held_back;
        co_await accepted.async_send(std::move(next));
    }
}

// On the strand on which the acceptor is cancelled.
asio::awaitable<void> accept(
    tcp::acceptor& acceptor, asio::any_io_executor pool, connections& accepted, tally& all)
{
    error_code failed;
    while (!all.ending && !failed)
    {
        tcp::socket socket(pool);
        co_await acceptor.async_accept(socket, asio::redirect_error(asio::use_awaitable, failed));
        if (!failed)
            co_await hand_on(std::move(socket), accepted, all);
    }
    // Whom the kernel has let in is served too, and nobody who comes after this moment.
    std::vector<tcp::socket> last;
    acceptor.non_blocking(true);
    for (error_code nobody; !nobody;)
    {
        tcp::socket socket(pool);
        acceptor.accept(socket, nobody);
        if (!nobody)
            last.push_back(std::move(socket));
    }
    acceptor.close();
    for (tcp::socket& socket : last)
        co_await hand_on(std::move(socket), accepted, all);
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

// One conversation. False if nobody has answered: the server is gone.
asio::awaitable<bool> ask(tcp::endpoint server, tally& all)
{
    tcp::socket socket(co_await asio::this_coro::executor);
    std::string buffer;
    for (int i = 0; i != questions; ++i)
    {
        std::string const question = "question " + std::to_string(i);
        std::string answer;
        bool gone = false;
        try
        {
            if (i == 0)
                co_await socket.async_connect(server, asio::use_awaitable);
            co_await write_line(socket, question);
            answer = co_await read_line(socket, buffer);
        }
        catch (boost::system::system_error const&)
        {
            gone = true;
        }
        if (i == 0 && (gone || answer.empty()))
            co_return false;
        if (answer != answer_to(question))
            ++all.wrong_answers;
        else if (++all.right_answers == answers_before_the_end)
            std::raise(SIGTERM);
    }
    ++all.served;
    error_code ignored;
    socket.shutdown(tcp::socket::shutdown_send, ignored);
    // Until the server has closed.
    (void)co_await read_line(socket, buffer);
    co_return true;
}

asio::awaitable<void> come_again(tcp::endpoint server, tally& all)
{
    bool more = true;
    while (more)
        more = co_await ask(server, all);
    ++all.sent_away;
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
    weft::thread_pool pool(2);
    tally all;
    connections accepted(pool, room);
    auto const strand = asio::make_strand(pool);
    tcp::acceptor acceptor(strand, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    tcp::endpoint const here = acceptor.local_endpoint();
    asio::signal_set signals(strand, SIGTERM);
    std::promise<void> told_to_end;
    signals.async_wait(
        [&](error_code, int)
        {
            all.ending = true;
            acceptor.cancel();
            told_to_end.set_value();
        });

    asio::co_spawn(strand, accept(acceptor, pool.get_executor(), accepted, all), rethrow);
    for (int i = 0; i != workers; ++i)
        asio::co_spawn(pool, work(accepted, all), rethrow);
    for (int i = 0; i != clients; ++i)
        asio::co_spawn(pool, come_again(here, all), rethrow);
    told_to_end.get_future().wait();
    auto const end = pool.drain_for(std::chrono::seconds(20));

    std::cout << all.right_answers << " right answers on " << all.served << " connections, "
              << all.most_open << " of them served or waiting at a time at most; the acceptor had "
              << "to wait " << all.held_back << " times. Drained: " << end.text() << '\n';
    // Those in work, those in the channel, and the one that the acceptor holds.
    bool const bounded = all.most_open <= workers + static_cast<int>(room) + 1;
    bool const nobody_lost = all.served == all.accepted && all.wrong_answers == 0;
    return end.complete && bounded && nobody_lost && all.sent_away == clients ? 0 : 1;
}
catch (std::exception const& e)
{
    std::cerr << "pipeline: " << e.what() << '\n';
    return 1;
}
