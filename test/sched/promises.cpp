// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The numbers of io_context's documentation (Order, Fairness), counted in handlers.

#include <weft/io_context.hpp>

#include <boost/asio/defer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <thread>
#include <vector>

#include <unistd.h>

namespace asio = boost::asio;

namespace
{

// A handler that posts itself until it is told to stop, and counts.
struct flood
{
    weft::io_context& context;
    std::atomic<bool>& enough;
    std::atomic<std::uint64_t>& count;

    void operator()() const
    {
        count.fetch_add(1, std::memory_order_relaxed);
        if (!enough.load(std::memory_order_relaxed))
            asio::post(context, *this);
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_readable_descriptor_is_noticed_within_a_tick_budget_of_handlers)
{
    for (unsigned const budget : {1u, 16u, 128u})
    {
        weft::options opts;
        opts.tick_budget = budget;
        weft::io_context context(opts);
        int ends[2];
        BOOST_REQUIRE(::pipe(ends) == 0);
        asio::posix::stream_descriptor in(context, ends[0]);
        asio::posix::stream_descriptor out(context, ends[1]);
        char byte = 'x';

        std::atomic<bool> enough{false};
        std::atomic<std::uint64_t> count{0};
        std::uint64_t written_at = 0;
        std::uint64_t read_at = 0;
        in.async_wait(asio::posix::stream_descriptor::wait_read,
            [&](boost::system::error_code)
            {
                read_at = count;
                enough = true;
            });
        std::function<void()> step = [&]
        {
            if (++count == 1000)
            {
                written_at = count;
                BOOST_TEST(::write(ends[1], &byte, 1) == 1);
            }
            if (!enough && count < 1'000'000)
                asio::post(context, step);
        };
        asio::post(context, step);
        context.run();
        BOOST_TEST(enough);
        // The event is behind what was in the queue when it was noticed: one handler here.
        BOOST_TEST(read_at - written_at <= budget + 1);
    }
}

BOOST_AUTO_TEST_CASE(an_expired_timer_runs_although_handlers_keep_coming)
{
    weft::io_context context;
    std::atomic<bool> enough{false};
    std::atomic<std::uint64_t> count{0};
    asio::steady_timer timer(context, std::chrono::milliseconds(1));
    timer.async_wait([&](boost::system::error_code) { enough = true; });
    asio::post(context, flood{context, enough, count});
    context.run();
    BOOST_TEST(enough);
}

BOOST_AUTO_TEST_CASE(at_most_lifo_limit_continuations_run_before_what_is_queued)
{
    for (unsigned const limit : {0u, 1u, 3u})
    {
        weft::options opts;
        opts.lifo_limit = limit;
        weft::io_context context(opts);
        unsigned continuations = 0;
        unsigned before_queued = 0;
        bool queued_ran = false;
        std::function<void()> next = [&]
        {
            ++continuations;
            if (!queued_ran)
                ++before_queued;
            if (continuations < 100)
                asio::defer(context, next);
        };
        asio::post(context,
            [&]
            {
                asio::post(context, [&] { queued_ran = true; });
                asio::defer(context, next);
            });
        context.run();
        BOOST_TEST(continuations == 100u);
        BOOST_TEST(before_queued == limit);
    }
}

BOOST_AUTO_TEST_CASE(a_continuation_runs_next)
{
    weft::io_context context;
    std::vector<int> order;
    asio::post(context,
        [&]
        {
            asio::post(context, [&] { order.push_back(2); });
            asio::post(context, [&] { order.push_back(3); });
            asio::defer(context, [&] { order.push_back(1); });
        });
    context.run();
    BOOST_TEST(order == (std::vector<int>{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(work_from_outside_starts_within_an_injection_interval_of_handlers)
{
    // Two workers, so that the context is not alone; the second is kept busy by one handler.
    weft::options opts;
    opts.injection_interval = 8;
    weft::io_context context(opts);
    auto guard = asio::make_work_guard(context);
    std::latch inside(2);
    std::latch done(1);
    std::atomic<bool> enough{false};
    std::atomic<std::uint64_t> count{0};
    std::atomic<std::uint64_t> asked_at{0};
    std::uint64_t seen_at = 0;

    std::thread busy([&] { context.run(); });
    std::thread flooded([&] { context.run(); });
    // One handler holds a worker until the end; both are known to be inside.
    asio::post(context,
        [&]
        {
            inside.arrive_and_wait();
            done.wait();
        });
    asio::post(context,
        [&]
        {
            inside.arrive_and_wait();
            asio::post(context, flood{context, enough, count});
        });
    while (count < 1000)
        std::this_thread::yield();
    // The submitting thread may be slow between the two lines: the count is taken by the flooded
    // worker, from the moment at which it can see the submission.
    std::atomic<bool> submitted{false};
    std::function<void()> watch = [&]
    {
        if (submitted && asked_at == 0)
            asked_at = count.load();
        if (!enough)
            asio::post(context, watch);
    };
    asio::post(context, watch);
    asio::post(context,
        [&]
        {
            seen_at = count;
            enough = true;
            done.count_down();
        });
    submitted = true;
    guard.reset();
    busy.join();
    flooded.join();
    if (asked_at != 0)
        BOOST_TEST(seen_at - asked_at <= 8u);
    BOOST_TEST(enough);
}

BOOST_AUTO_TEST_CASE(two_handlers_that_answer_each_other_do_not_starve_a_third)
{
    // The regression tokio#2349 and #5686: a ping-pong through the LIFO slot.
    weft::io_context context;
    std::uint64_t rounds = 0;
    std::uint64_t at_victim = 0;
    bool victim_ran = false;
    std::function<void()> ping;
    std::function<void()> pong = [&]
    {
        if (!victim_ran && rounds < 1'000'000)
            asio::defer(context, ping);
    };
    ping = [&]
    {
        ++rounds;
        asio::defer(context, pong);
    };
    asio::post(context,
        [&]
        {
            asio::defer(context, ping);
            asio::post(context,
                [&]
                {
                    victim_ran = true;
                    at_victim = rounds;
                });
        });
    context.run();
    BOOST_TEST(victim_ran);
    BOOST_TEST(at_victim <= 3u);
}

BOOST_AUTO_TEST_CASE(an_idle_context_makes_no_wake_ups)
{
    weft::io_context context;
    auto guard = asio::make_work_guard(context);
    asio::steady_timer timer(context);
    std::vector<std::thread> threads;
    for (int i = 0; i != 3; ++i)
        threads.emplace_back([&] { context.run(); });

    // All three asleep, as counted by themselves.
    auto const asleep = [&]
    {
        auto const s = context.stats();
        return s.workers.size() == 3 && s.workers[0].parks > 0 && s.workers[1].parks > 0 &&
               s.workers[2].parks > 0;
    };
    while (!asleep())
        std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    auto const before = context.stats().total;
    // Not waited for: a longer sleep could only make the test fail more often.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    auto const after = context.stats().total;
    BOOST_TEST(after.parks == before.parks);
    BOOST_TEST(after.wakes == before.wakes);
    BOOST_TEST(after.reactor_polls == before.reactor_polls);

    guard.reset();
    for (auto& t : threads)
        t.join();
}
