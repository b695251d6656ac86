// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The small server that test/consume builds in all ways: it echoes what a client sends, which is
// here as well, on a pool of two threads, and has a lock of weft's. It ends by itself.
#include <weft.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace
{

// Echoes until the client is done.
class session : public std::enable_shared_from_this<session>
{
public:
    explicit session(tcp::socket socket) : socket_(std::move(socket))
    {
    }

    void read()
    {
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
    std::array<char, 64> data_;
};

} // namespace

int main()
{
    weft::thread_pool pool(2);
    tcp::acceptor acceptor(pool, {asio::ip::address_v4::loopback(), 0});
    acceptor.async_accept(
        [](error_code ec, tcp::socket socket)
        {
            if (!ec)
                std::make_shared<session>(std::move(socket))->read();
        });

    weft::mutex mutex(pool);
    int posted = 0;
    for (int i = 0; i != 100; ++i)
    {
        asio::post(pool,
            [&]
            {
                mutex.async_lock(
                    [&](error_code)
                    {
                        ++posted;
                        mutex.unlock();
                    });
            });
    }

    std::string const sent = "sent by the client";
    std::string received(sent.size(), ' ');
    tcp::socket client(pool);
    client.connect(acceptor.local_endpoint());
    asio::write(client, asio::buffer(sent));
    asio::read(client, asio::buffer(received));
    client.close();
    pool.join();

    std::cout << "weft " << WEFT_VERSION_MAJOR << '.' << WEFT_VERSION_MINOR << '.'
              << WEFT_VERSION_PATCH << ", C++" << __cplusplus / 100 % 100 << ": " << received
              << '\n';
    return received == sent && posted == 100 ? 0 : 1;
}
