// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A TCP server on a column's context. Session says what becomes of a connection: it owns the socket
// and its `start()` runs on the connection's executor.

#ifndef BENCH_SUPPORT_TCP_SERVER_HPP
#define BENCH_SUPPORT_TCP_SERVER_HPP

#include "tally.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

namespace bench
{

template <class Executor>
using tcp_socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Executor>;

// Says when all sessions are gone.
class session_count
{
public:
    void add() noexcept
    {
        live_.fetch_add(1, std::memory_order_relaxed);
    }

    void remove() noexcept
    {
        live_.fetch_sub(1, std::memory_order_release);
    }

    void wait_for_none() const
    {
        while (live_.load(std::memory_order_acquire) != 0)
            std::this_thread::yield();
    }

private:
    std::atomic<int> live_{0};
};

// What a session inherits from: its socket, counted as long as it lives.
template <class Executor>
class session_base
{
public:
    using socket_type = tcp_socket<Executor>;

    session_base(socket_type socket, session_count& count)
        : socket_(std::move(socket)), count_(count)
    {
        count_.add();
    }

    session_base(const session_base&) = delete;
    session_base& operator=(const session_base&) = delete;

    ~session_base()
    {
        boost::system::error_code ignored;
        socket_.close(ignored);
        count_.remove();
    }

protected:
    socket_type socket_;

private:
    session_count& count_;
};

template <class Engine, template <class> class Session>
class tcp_server
{
public:
    explicit tcp_server(Engine& engine)
        : engine_(engine),
          acceptor_(engine.executor(), {boost::asio::ip::address_v4::loopback(), 0})
    {
        closed_.expect(2);
        accept(0);
    }

    std::uint16_t port() const
    {
        return acceptor_.local_endpoint().port();
    }

    // After the client has closed its connections.
    ~tcp_server()
    {
        boost::asio::post(acceptor_.get_executor(),
            [this]
            {
                acceptor_.close();
                closed_.arrive();
            });
        closed_.wait();
        sessions_.wait_for_none();
    }

private:
    using tcp = boost::asio::ip::tcp;
    using executor_type = typename Engine::executor_type;
    using session_type = Session<executor_type>;

    void accept(std::size_t number)
    {
        acceptor_.async_accept(engine_.executor(number),
            [this, number](boost::system::error_code error, tcp_socket<executor_type> socket)
            {
                if (error == boost::asio::error::operation_aborted)
                {
                    closed_.arrive();
                    return;
                }
                if (!error)
                    begin(std::move(socket));
                accept(number + 1);
            });
    }

    void begin(tcp_socket<executor_type> socket)
    {
        // A connection that was reset meanwhile says so when it is read.
        boost::system::error_code ignored;
        socket.set_option(tcp::no_delay(true), ignored);
        const auto executor = socket.get_executor();
        const auto s = std::make_shared<session_type>(std::move(socket), sessions_);
        boost::asio::post(executor, [s] { s->start(); });
    }

    Engine& engine_;
    session_count sessions_;
    // The acceptor's last handler has run, and close() has returned.
    countdown closed_;
    boost::asio::basic_socket_acceptor<tcp, executor_type> acceptor_;
};

} // namespace bench

#endif
