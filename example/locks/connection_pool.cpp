// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A pool of connections, limited by a semaphore: whoever wants one waits for its turn without
// blocking a thread, and a permit that comes with a guard cannot be forgotten. Once in coroutines
// and once in callbacks, for the same pool at the same time.

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
using boost::system::error_code;

namespace
{

// The other end of a connection: answers each byte.
asio::awaitable<void> serve(stream_protocol::socket socket)
{
    for (std::array<char, 1> byte;;)
    {
        auto const [failed, n] = co_await socket.async_read_some(
            asio::buffer(byte), asio::as_tuple(asio::use_awaitable));
        if (failed || n == 0)
            co_return;
        byte[0] = static_cast<char>(byte[0] + 1);
        co_await asio::async_write(socket, asio::buffer(byte), asio::use_awaitable);
    }
}

class connection_pool
{
public:
    using permit = weft::semaphore::permit_type;

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

    void note(bool right)
    {
        answered += right ? 1 : 0;
        if (--left == 0)
            pool.close();
    }
};

asio::awaitable<void> ask(connection_pool& pool, tally& all)
{
    auto const permit = co_await pool.limit.async_scoped_acquire();
    auto connection = pool.take();
    std::array<char, 1> byte{'a'};
    co_await asio::async_write(*connection, asio::buffer(byte), asio::use_awaitable);
    co_await asio::async_read(*connection, asio::buffer(byte), asio::use_awaitable);
    pool.give_back(std::move(connection));
    all.note(byte[0] == 'b');
}

// The same, as an object that lives from one callback to the next.
struct request : std::enable_shared_from_this<request>
{
    connection_pool& pool;
    tally& all;
    connection_pool::permit permit;
    std::unique_ptr<stream_protocol::socket> connection;
    std::array<char, 1> byte{'a'};

    request(connection_pool& p, tally& t) : pool(p), all(t)
    {
    }

    void start()
    {
        pool.limit.async_scoped_acquire(1,
            [self = shared_from_this()](error_code failed, connection_pool::permit p)
            {
                if (failed)
                    return;
                self->permit = std::move(p);
                self->connection = self->pool.take();
                self->write();
            });
    }

    void write()
    {
        asio::async_write(*connection, asio::buffer(byte),
            [self = shared_from_this()](error_code failed, std::size_t)
            {
                if (!failed)
                    self->read();
            });
    }

    void read()
    {
        asio::async_read(*connection, asio::buffer(byte),
            [self = shared_from_this()](error_code failed, std::size_t)
            {
                self->pool.give_back(std::move(self->connection));
                self->permit.reset();
                self->all.note(!failed && self->byte[0] == 'b');
            });
    }
};

} // namespace

int main()
{
    constexpr int requests = 100;
    weft::io_context context;
    connection_pool pool(context, 3);
    tally all{pool, 2 * requests};
    for (int i = 0; i != requests; ++i)
    {
        asio::co_spawn(context, ask(pool, all), asio::detached);
        std::make_shared<request>(pool, all)->start();
    }
    std::thread second([&] { context.run(); });
    context.run();
    second.join();
    std::cout << all.answered << " requests answered over 3 connections\n";
    return all.answered == 2 * requests ? 0 : 1;
}
