// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A pool of connections, limited by a semaphore: whoever wants one waits for its turn without
// blocking a thread, and a permit that comes with a guard cannot be forgotten.

#include <weft.hpp>

#include <boost/asio.hpp>

#include <array>
#include <atomic>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using asio::local::stream_protocol;

namespace
{

// The other end of a connection: answers each byte.
asio::awaitable<void> serve(stream_protocol::socket socket)
{
    for (std::array<char, 1> byte;;)
    {
        // Throws when the other side has closed, which ends this.
        co_await async_read(socket, asio::buffer(byte), asio::use_awaitable);
        byte[0] = static_cast<char>(byte[0] + 1);
        co_await asio::async_write(socket, asio::buffer(byte), asio::use_awaitable);
    }
}

class connection_pool
{
public:
    connection_pool(weft::io_context& context, std::size_t size) : limit(context, size)
    {
        for (std::size_t i = 0; i != size; ++i)
        {
            auto mine = std::make_unique<stream_protocol::socket>(context);
            stream_protocol::socket peer(context);
            asio::local::connect_pair(*mine, peer);
            asio::co_spawn(context, serve(std::move(peer)), asio::detached);
            idle_.push_back(std::move(mine));
        }
    }

    // For whoever has a permit: there is one.
    std::unique_ptr<stream_protocol::socket> take()
    {
        std::lock_guard const lock(mutex_);
        auto c = std::move(idle_.back());
        idle_.pop_back();
        return c;
    }

    // Before the permit goes back.
    void give_back(std::unique_ptr<stream_protocol::socket> c)
    {
        std::lock_guard const lock(mutex_);
        idle_.push_back(std::move(c));
    }

    // When nobody has a connection.
    void close()
    {
        idle_.clear();
    }

    weft::semaphore limit;

private:
    // Held for a few instructions, never while something is awaited: std::mutex is right here.
    std::mutex mutex_;
    std::vector<std::unique_ptr<stream_protocol::socket>> idle_;
};

// What all requests share: the last one closes the pool, which ends the program.
struct tally
{
    connection_pool& pool;
    std::atomic<int> left;
    std::atomic<int> answered{0};
};

asio::awaitable<void> ask(connection_pool& pool, tally& all)
{
    auto const permit = co_await pool.limit.async_scoped_acquire();
    auto connection = pool.take();
    std::array<char, 1> byte{'a'};
    co_await asio::async_write(*connection, asio::buffer(byte), asio::use_awaitable);
    co_await asio::async_read(*connection, asio::buffer(byte), asio::use_awaitable);
    pool.give_back(std::move(connection));
    all.answered += byte[0] == 'b' ? 1 : 0;
    if (--all.left == 0)
        pool.close();
}

} // namespace

int main()
{
    constexpr int requests = 100;
    weft::io_context context;
    connection_pool pool(context, 3);
    tally all{pool, requests};
    for (int i = 0; i != requests; ++i)
        asio::co_spawn(context, ask(pool, all), asio::detached);
    std::thread second([&] { context.run(); });
    context.run();
    second.join();
    std::cout << all.answered << " requests answered over 3 connections\n";
    return all.answered == requests ? 0 : 1;
}
