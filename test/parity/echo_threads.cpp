// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include "parity/echo.hpp"

namespace
{

using asio::awaitable;
using asio::use_awaitable;
using asio::ip::tcp;

// Echoes until its peer closes; keeps itself alive by its handlers.
class echo_session : public std::enable_shared_from_this<echo_session>
{
public:
    explicit echo_session(tcp::socket socket) : socket_(std::move(socket))
    {
    }

    void read()
    {
        socket_.async_read_some(asio::buffer(buffer_),
            [self = shared_from_this()](error_code ec, std::size_t n)
            {
                if (!ec)
                    self->write(n);
            });
    }

private:
    void write(std::size_t n)
    {
        asio::async_write(socket_, asio::buffer(buffer_.data(), n),
            [self = shared_from_this()](error_code ec, std::size_t)
            {
                if (!ec)
                    self->read();
            });
    }

    tcp::socket socket_;
    std::array<char, 777> buffer_{};
};

// Accepts a given number of connections, each on its own strand if asked to.
class echo_server
{
public:
    echo_server(asio::any_io_executor executor, int connections, bool strands)
        : acceptor_(executor, {asio::ip::address_v4::loopback(), 0}), remaining_(connections),
          strands_(strands)
    {
        accept();
    }

    tcp::endpoint endpoint() const
    {
        return acceptor_.local_endpoint();
    }

private:
    void accept()
    {
        if (remaining_-- == 0)
            return;
        asio::any_io_executor executor = acceptor_.get_executor();
        if (strands_)
            executor = asio::make_strand(executor);
        acceptor_.async_accept(executor,
            [this](error_code ec, tcp::socket socket)
            {
                if (ec)
                    return;
                std::make_shared<echo_session>(std::move(socket))->read();
                accept();
            });
    }

    tcp::acceptor acceptor_;
    int remaining_;
    bool strands_;
};

struct tally
{
    std::atomic<int> finished = 0;
    std::atomic<int> wrong = 0;
};

constexpr int messages = 40;

// A conversation of messages of growing, odd sizes; every byte that comes back is compared.
class echo_client : public std::enable_shared_from_this<echo_client>
{
public:
    echo_client(asio::any_io_executor executor, std::uint64_t seed, tally& result)
        : socket_(executor), seed_(seed), result_(result)
    {
    }

    void start(const tcp::endpoint& server)
    {
        socket_.async_connect(server,
            [self = shared_from_this()](error_code ec)
            {
                if (ec)
                    ++self->result_.wrong;
                else
                    self->send();
            });
    }

private:
    void send()
    {
        sent_ = test::pattern(1 + 37u * static_cast<std::size_t>(message_), seed_ + message_);
        received_.assign(sent_.size(), '\0');
        asio::async_write(socket_, asio::buffer(sent_),
            [self = shared_from_this()](error_code ec, std::size_t)
            { self->result_.wrong += ec ? 1 : 0; });
        asio::async_read(socket_, asio::buffer(received_),
            [self = shared_from_this()](error_code ec, std::size_t)
            {
                if (ec || self->received_ != self->sent_)
                    ++self->result_.wrong;
                else if (++self->message_ == messages)
                    ++self->result_.finished;
                else
                    self->send();
            });
    }

    tcp::socket socket_;
    std::uint64_t seed_;
    tally& result_;
    std::uint64_t message_ = 0;
    std::string sent_;
    std::string received_;
};

awaitable<void> converse(tcp::endpoint server, std::uint64_t seed, tally& result)
{
    tcp::socket socket(co_await asio::this_coro::executor);
    co_await socket.async_connect(server, use_awaitable);
    for (int i = 0; i != messages; ++i)
    {
        const std::string sent =
            test::pattern(1 + 37u * static_cast<std::size_t>(i), seed + static_cast<unsigned>(i));
        std::string received(sent.size(), '\0');
        co_await asio::async_write(socket, asio::buffer(sent), use_awaitable);
        co_await asio::async_read(socket, asio::buffer(received), use_awaitable);
        result.wrong += received != sent ? 1 : 0;
    }
    ++result.finished;
}

awaitable<void> serve(tcp::socket socket)
{
    std::array<char, 1000> buffer{};
    error_code ec;
    for (;;)
    {
        const std::size_t n = co_await socket.async_read_some(
            asio::buffer(buffer), asio::redirect_error(use_awaitable, ec));
        if (ec)
            co_return;
        co_await asio::async_write(socket, asio::buffer(buffer.data(), n), use_awaitable);
    }
}

awaitable<void> listen(tcp::acceptor& acceptor, int connections)
{
    const auto executor = co_await asio::this_coro::executor;
    for (int i = 0; i != connections; ++i)
        asio::co_spawn(
            executor, serve(co_await acceptor.async_accept(use_awaitable)), asio::detached);
}

} // namespace

BOOST_AUTO_TEST_SUITE(echo_threads)

// A client reads and writes at the same time, so it needs a strand when several threads run.
BOOST_AUTO_TEST_CASE(callback_conversations_are_byte_exact_on_any_number_of_threads)
{
    for (std::size_t threads : {1u, 2u, 4u})
    {
        constexpr int connections = 32;
        io_context context;
        echo_server server(context.get_executor(), connections, threads > 1);
        tally result;
        for (int i = 0; i != connections; ++i)
            std::make_shared<echo_client>(
                asio::make_strand(context), static_cast<std::uint64_t>(i) * 1000, result)
                ->start(server.endpoint());
        test::run_on(context, threads);
        BOOST_TEST(result.wrong == 0);
        BOOST_TEST(result.finished == connections);
    }
}

BOOST_AUTO_TEST_CASE(coroutine_conversations_are_byte_exact_on_any_number_of_threads)
{
    for (std::size_t threads : {1u, 2u, 4u})
    {
        constexpr int connections = 32;
        io_context context;
        tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
        tally result;
        asio::co_spawn(context, listen(acceptor, connections), asio::detached);
        for (int i = 0; i != connections; ++i)
            asio::co_spawn(context,
                converse(acceptor.local_endpoint(), static_cast<std::uint64_t>(i) * 1000, result),
                asio::detached);
        test::run_on(context, threads);
        BOOST_TEST(result.wrong == 0);
        BOOST_TEST(result.finished == connections);
    }
}

BOOST_AUTO_TEST_CASE(a_pool_serves_clients_of_an_io_context)
{
    constexpr int connections = 32;
    thread_pool pool(2);
    io_context context;
    echo_server server(pool.get_executor(), connections, true);
    tally result;
    for (int i = 0; i != connections; ++i)
        asio::co_spawn(context,
            converse(server.endpoint(), static_cast<std::uint64_t>(i) * 1000, result),
            asio::detached);
    test::run_on(context, 2);
    pool.join();
    BOOST_TEST(result.wrong == 0);
    BOOST_TEST(result.finished == connections);
}

BOOST_AUTO_TEST_CASE(connections_come_and_go_while_timers_fire)
{
    constexpr int connections = 200;
    io_context context;
    echo_server server(context.get_executor(), connections, true);
    std::atomic<int> finished = 0;
    std::atomic<int> wrong = 0;
    for (int i = 0; i != connections; ++i)
        asio::co_spawn(
            context,
            [&, i]() -> awaitable<void>
            {
                const auto executor = co_await asio::this_coro::executor;
                asio::steady_timer timer(executor, std::chrono::microseconds(i * 7));
                co_await timer.async_wait(use_awaitable);
                tcp::socket socket(executor);
                co_await socket.async_connect(server.endpoint(), use_awaitable);
                const std::string sent = test::pattern(64, static_cast<std::uint64_t>(i));
                std::string received(sent.size(), '\0');
                co_await asio::async_write(socket, asio::buffer(sent), use_awaitable);
                co_await asio::async_read(socket, asio::buffer(received), use_awaitable);
                wrong += received != sent ? 1 : 0;
                ++finished;
            },
            asio::detached);
    test::run_on(context, 3);
    BOOST_TEST(wrong == 0);
    BOOST_TEST(finished == connections);
}

BOOST_AUTO_TEST_SUITE_END()
