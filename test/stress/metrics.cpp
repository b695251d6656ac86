// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: snapshots that are read, and timing that is switched, while threads work, sleep, join,
// leave and stop. Counts never go back, and agree in the end.

#include <weft/io_context.hpp>
#include <weft/metrics.hpp>
#include <weft/run_blocking.hpp>
#include <weft/thread_pool.hpp>

#include "support/asio.hpp"

namespace
{

/// Chains of posts, of which one blocks now and then.
struct chain
{
    weft::io_context& context;
    std::atomic<int>& finished;
    int left;

    void operator()() const
    {
        if (left % 512 == 0)
            weft::run_blocking([] { std::this_thread::yield(); });
        if (left == 1)
            finished.fetch_add(1);
        else
            asio::post(context, chain{context, finished, left - 1});
    }
};

bool not_less(const weft::duration_histogram& now, const weft::duration_histogram& before)
{
    for (std::size_t i = 0; i != weft::duration_histogram::buckets; ++i)
        if (now[i] < before[i])
            return false;
    return now.total() >= before.total();
}

bool not_less(const weft::stats& now, const weft::stats& before)
{
    return now.total.handlers >= before.total.handlers && now.total.parks >= before.total.parks &&
           now.total.stolen_handlers >= before.total.stolen_handlers &&
           now.workers.size() >= before.workers.size() && now.exceptions >= before.exceptions &&
           now.blocking_calls >= before.blocking_calls && not_less(now.run_time, before.run_time) &&
           not_less(now.queue_delay, before.queue_delay) &&
           not_less(now.wake_latency, before.wake_latency);
}

template <class Context>
void read_until(const Context& context, const std::atomic<bool>& done, long& read, long& wrong)
{
    weft::stats before = context.stats();
    while (!done)
    {
        weft::stats now = context.stats();
        wrong += not_less(now, before) ? 0 : 1;
        double const share = weft::busy_share(now - before);
        wrong += share >= 0 && share <= 1 ? 0 : 1;
        (void)weft::overloaded(context);
        before = std::move(now);
        ++read;
    }
}

template <class Context>
void switch_until(Context& context, const std::atomic<bool>& done)
{
    while (!done)
        for (auto how : {weft::timing::all, weft::timing::sampled, weft::timing::off})
        {
            context.timing(how);
            std::this_thread::yield();
        }
    context.timing(weft::timing::sampled);
}

} // namespace

BOOST_AUTO_TEST_CASE(counts_never_go_back_while_threads_work_join_leave_and_stop)
{
    constexpr int chains = 8;
    constexpr int length = 10'000;
    weft::io_context context;
    auto guard = asio::make_work_guard(context);
    std::atomic<int> finished{0};
    std::atomic<bool> done{false};
    long read = 0;
    long wrong = 0;
    for (int i = 0; i != chains; ++i)
        asio::post(context, chain{context, finished, length});

    std::vector<std::thread> threads;
    for (int i = 0; i != 3; ++i)
        threads.emplace_back(
            [&, i]
            {
                while (finished != chains)
                {
                    if (i == 0)
                        context.run_for(std::chrono::microseconds(300));
                    else if (i == 1)
                        context.poll();
                    else
                        context.run();
                    if (context.stopped() && finished != chains)
                        std::this_thread::yield();
                }
            });
    threads.emplace_back([&] { read_until(context, done, read, wrong); });
    threads.emplace_back([&] { switch_until(context, done); });
    while (finished != chains)
        std::this_thread::yield();
    context.stop();
    for (int i = 0; i != 3; ++i)
        threads[i].join();
    done = true;
    threads[3].join();
    threads[4].join();

    BOOST_TEST(wrong == 0);
    BOOST_TEST(read > 0);
    const weft::stats end = context.stats();
    BOOST_TEST(end.total.handlers == static_cast<std::uint64_t>(chains) * length);
    BOOST_TEST(end.total.inside.count() >= 0);
}

BOOST_AUTO_TEST_CASE(pools_come_and_go_while_they_are_read)
{
    for (int round = 0; round != 20; ++round)
    {
        weft::options opts;
        opts.threads = 4;
        opts.timing = round % 2 == 0 ? weft::timing::all : weft::timing::sampled;
        opts.on_exception = [](std::exception_ptr) {
        };
        weft::thread_pool pool(opts);
        std::atomic<bool> done{false};
        long read = 0;
        long wrong = 0;
        std::thread reader([&] { read_until(pool, done, read, wrong); });
        std::thread switcher([&] { switch_until(pool, done); });
        for (int i = 0; i != 300; ++i)
        {
            asio::post(pool, [] {});
            if (i % 100 == 0)
                asio::post(pool, [] { throw 1; });
        }
        if (round % 3 == 0)
            pool.stop();
        pool.join();
        done = true;
        reader.join();
        switcher.join();
        BOOST_TEST(wrong == 0);
        if (round % 3 != 0)
        {
            BOOST_TEST(pool.stats().total.handlers == 303u);
            BOOST_TEST(pool.stats().exceptions == 3u);
        }
    }
}
