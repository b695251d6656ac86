// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: an exception leaves a handler while its worker searches, holds the driver lock, or has
// work in its queues. Every thread goes on at once; nothing is lost.

#include <weft/io_context.hpp>

#include "support/asio.hpp"

BOOST_AUTO_TEST_CASE(one_handler_in_a_hundred_throws_and_all_run)
{
    constexpr int chains = 8;
    constexpr int length = 50'000;
    weft::io_context context;
    auto guard = asio::make_work_guard(context);
    std::atomic<int> finished{0};
    std::atomic<long> ran{0};
    std::atomic<long> caught{0};

    struct link
    {
        weft::io_context& context;
        std::atomic<int>& finished;
        std::atomic<long>& ran;
        int left;

        void operator()() const
        {
            ran.fetch_add(1, std::memory_order_relaxed);
            if (left == 1)
            {
                if (finished.fetch_add(1) + 1 == chains)
                    context.stop();
            }
            else
                asio::post(context, link{context, finished, ran, left - 1});
            if (left % 100 == 0)
                throw std::runtime_error("on purpose");
        }
    };

    // Timers keep the reactor and the driver lock in play.
    std::vector<asio::steady_timer> timers;
    for (int i = 0; i != 4; ++i)
        timers.emplace_back(context);
    for (int i = 0; i != chains; ++i)
        asio::post(context, link{context, finished, ran, length});
    for (auto& t : timers)
    {
        t.expires_after(std::chrono::microseconds(100));
        t.async_wait([](boost::system::error_code) { throw std::runtime_error("timer"); });
    }

    std::vector<std::thread> threads;
    for (int i = 0; i != 3; ++i)
        threads.emplace_back(
            [&]
            {
                for (;;)
                {
                    try
                    {
                        context.run();
                        return;
                    }
                    catch (std::runtime_error const&)
                    {
                        caught.fetch_add(1, std::memory_order_relaxed);
                    }
                }
            });
    for (auto& t : threads)
        t.join();
    BOOST_TEST(ran == static_cast<long>(chains) * length);
    BOOST_TEST(caught >= static_cast<long>(chains) * (length / 100));
}
