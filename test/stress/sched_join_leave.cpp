// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: a worker that leaves with work in its queues, or one that joins while the only other
// worker believes to be alone. Threads enter and leave run_one(), poll() and run_for() under load.

#include <weft/io_context.hpp>

#include "support/asio.hpp"

BOOST_AUTO_TEST_CASE(threads_that_come_and_go_lose_nothing)
{
    constexpr int chains = 16;
    constexpr int length = 20'000;
    weft::io_context context;
    auto guard = asio::make_work_guard(context);
    std::atomic<int> finished{0};
    std::atomic<long> ran{0};

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
                finished.fetch_add(1);
            else
                asio::post(context, link{context, finished, ran, left - 1});
        }
    };

    for (int i = 0; i != chains; ++i)
        asio::post(context, link{context, finished, ran, length});

    std::vector<std::thread> threads;
    threads.emplace_back(
        [&]
        {
            while (finished != chains)
                for (int i = 0; i != 1000; ++i)
                    context.poll_one();
        });
    threads.emplace_back(
        [&]
        {
            while (finished != chains)
                context.run_for(std::chrono::microseconds(200));
        });
    threads.emplace_back(
        [&]
        {
            while (finished != chains)
            {
                context.poll();
                std::this_thread::yield();
            }
        });
    threads.emplace_back(
        [&]
        {
            while (finished != chains)
                context.run_one_for(std::chrono::microseconds(100));
        });
    for (auto& t : threads)
        t.join();
    BOOST_TEST(ran == static_cast<long>(chains) * length);
}

BOOST_AUTO_TEST_CASE(the_second_thread_sees_what_a_lone_worker_posted_before_it_blocks)
{
    // Without the process fence of a join, the posted handler can stay invisible while its worker
    // waits for it.
    for (int round = 0; round != 500; ++round)
    {
        weft::io_context context;
        std::atomic<bool> released{false};
        asio::post(context,
            [&]
            {
                asio::post(context,
                    [&]
                    {
                        released = true;
                        released.notify_all();
                    });
                released.wait(false);
            });
        std::thread first([&] { context.run(); });
        std::thread second([&] { context.run(); });
        // Whichever comes first may finish everything; then the other returns at once.
        first.join();
        second.join();
        BOOST_TEST(released);
    }
}

BOOST_AUTO_TEST_CASE(a_lone_worker_and_those_who_join_run_no_handler_twice)
{
    // The lone worker takes from its ring by plain stores, until somebody has joined. Each context
    // believes so a few times only: many contexts.
    constexpr int handlers = 3000;
    for (int round = 0; round != 300; ++round)
    {
        weft::io_context context;
        std::vector<std::atomic<unsigned char>> ran(handlers);
        std::atomic<int> left{handlers};
        std::atomic<int> twice{0};
        auto const mark = [&](int index)
        {
            if (ran[static_cast<std::size_t>(index)].fetch_add(1, std::memory_order_relaxed) != 0)
                ++twice;
            --left;
        };
        asio::post(context,
            [&]
            {
                for (int first = 0; first != handlers; first += 100)
                    asio::post(context,
                        [&, first]
                        {
                            for (int i = first + 1; i != first + 100; ++i)
                                asio::post(context, [&mark, i] { mark(i); });
                            mark(first);
                        });
            });
        std::vector<std::thread> threads;
        threads.emplace_back([&] { context.run(); });
        for (int i = 0; i != 2; ++i)
            threads.emplace_back(
                [&]
                {
                    while (left != 0)
                        context.run_one_for(std::chrono::microseconds(20));
                });
        for (auto& t : threads)
            t.join();
        BOOST_REQUIRE(twice == 0);
        BOOST_REQUIRE(left == 0);
    }
}
