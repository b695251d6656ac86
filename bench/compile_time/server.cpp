// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What bench/compile_time/measure.py compiles: a server as they are written on Asio's thread pool,
// and on weft's (ON_WEFT).
#if defined(ON_WEFT)
#include <weft/thread_pool.hpp>
using pool = weft::thread_pool;
#else
#include <boost/asio/thread_pool.hpp>
using pool = boost::asio::thread_pool;
#endif

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <chrono>
#include <memory>
#include <utility>

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace
{

class session : public std::enable_shared_from_this<session>
{
public:
    explicit session(tcp::socket socket) : socket_(std::move(socket)), idle_(socket_.get_executor())
    {
    }

    void read()
    {
        idle_.expires_after(std::chrono::seconds(30));
        idle_.async_wait(
            [self = shared_from_this()](error_code ec)
            {
                if (!ec)
                    self->socket_.cancel();
            });
        socket_.async_read_some(asio::buffer(data_),
            [self = shared_from_this()](error_code ec, std::size_t size)
            {
                if (!ec)
                    self->write(size);
            });
    }

private:
    void write(std::size_t size)
    {
        asio::async_write(socket_, asio::buffer(data_, size),
            [self = shared_from_this()](error_code ec, std::size_t)
            {
                if (!ec)
                    self->read();
            });
    }

    tcp::socket socket_;
    asio::steady_timer idle_;
    std::array<char, 1024> data_;
};

void accept(tcp::acceptor& acceptor)
{
    acceptor.async_accept(
        [&acceptor](error_code ec, tcp::socket socket)
        {
            if (!ec)
                std::make_shared<session>(std::move(socket))->read();
            accept(acceptor);
        });
}

} // namespace

int main()
{
    pool threads(2);
    tcp::acceptor acceptor(threads, {asio::ip::address_v4::loopback(), 0});
    asio::post(threads, [&] { accept(acceptor); });
    threads.join();
}
