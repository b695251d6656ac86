// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: start, stop, restart and destruction at any moment, from inside and outside, with posts,
// timers and I/O outstanding. Every handler is either run or destroyed.

#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "support/asio.hpp"

#include <random>

namespace
{

std::atomic<long> alive{0};

// Counts the handlers that exist.
struct counted
{
    counted()
    {
        ++alive;
    }
    counted(counted const&)
    {
        ++alive;
    }
    ~counted()
    {
        --alive;
    }
};

struct activity
{
    explicit activity(weft::io_context& c) : context(c), timer(c), a(c), b(c)
    {
        asio::local::connect_pair(a, b);
    }

    void post_more(int depth)
    {
        asio::post(context,
            [this, depth, k = counted()]
            {
                if (depth > 0)
                {
                    post_more(depth - 1);
                    post_more(depth - 1);
                }
            });
    }

    void tick()
    {
        timer.expires_after(std::chrono::microseconds(50));
        timer.async_wait(
            [this, k = counted()](boost::system::error_code error)
            {
                if (!error)
                    tick();
            });
    }

    void read()
    {
        a.async_read_some(asio::buffer(in),
            [this, k = counted()](boost::system::error_code error, std::size_t)
            {
                if (!error)
                    read();
            });
    }

    void write()
    {
        b.async_write_some(asio::buffer(out),
            [this, k = counted()](boost::system::error_code error, std::size_t)
            {
                if (!error)
                    write();
            });
    }

    weft::io_context& context;
    asio::steady_timer timer;
    asio::local::stream_protocol::socket a;
    asio::local::stream_protocol::socket b;
    std::array<char, 512> in{};
    std::array<char, 256> out{};
};

} // namespace

BOOST_AUTO_TEST_CASE(a_context_can_be_stopped_restarted_and_destroyed_at_any_moment)
{
    std::mt19937 random(20261121);
    for (int round = 0; round != 300; ++round)
    {
        {
            auto context = std::make_unique<weft::io_context>();
            activity all(*context);
            all.post_more(8);
            all.tick();
            all.read();
            all.write();
            int const runs = static_cast<int>(random() % 3);
            for (int i = 0; i != runs; ++i)
            {
                std::vector<std::thread> threads;
                std::size_t const count = 1 + random() % 3;
                for (std::size_t t = 0; t != count; ++t)
                    threads.emplace_back([&] { context->run(); });
                if (random() % 2 == 0)
                    asio::post(*context, [&] { context->stop(); });
                else
                {
                    std::this_thread::sleep_for(std::chrono::microseconds(random() % 500));
                    context->stop();
                }
                for (auto& t : threads)
                    t.join();
                context->restart();
                all.post_more(4);
            }
            // Some operations are left in the reactor, some in the queues, when the objects and
            // then the context go.
            if (random() % 2 == 0)
                all.a.close();
        }
        BOOST_REQUIRE(alive == 0);
    }
}

BOOST_AUTO_TEST_CASE(five_hundred_pools_start_work_and_stop)
{
    std::atomic<long> ran{0};
    for (int round = 0; round != 500; ++round)
    {
        weft::thread_pool pool(3);
        for (int i = 0; i != 10; ++i)
            asio::post(pool, [&] { ran.fetch_add(1, std::memory_order_relaxed); });
        pool.join();
    }
    BOOST_TEST(ran == 5000);
}

BOOST_AUTO_TEST_CASE(pools_that_are_dropped_in_the_middle_of_work_destroy_it)
{
    for (int round = 0; round != 300; ++round)
    {
        {
            weft::thread_pool pool(2);
            for (int i = 0; i != 500; ++i)
                asio::post(pool, [k = counted()] {});
        }
        BOOST_REQUIRE(alive == 0);
    }
}
