// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0
// Nothing that is ready waits for a thread that is busy while another one could take it. Every
// handler here blocks until another one has run: what is stranded is a hang, and so a failure.

#include <weft/io_context.hpp>
#include <weft/run_blocking.hpp>
#include <weft/thread_pool.hpp>

#include "support/cases.hpp"

#include <csignal>
#include <unistd.h>

namespace
{

using stream = asio::local::stream_protocol;

// Posts n handlers from one worker, each of which waits for all n: only n workers can finish it.
void occupy_all(const asio::any_io_executor& executor, std::ptrdiff_t n)
{
    // Each handler owns the latch: the last one may still be on its way out when this returns.
    const auto all = std::make_shared<std::latch>(n + 1);
    asio::post(executor,
        [executor, n, all]
        {
            for (std::ptrdiff_t i = 1; i != n; ++i)
                asio::post(executor, [all] { all->arrive_and_wait(); });
            all->arrive_and_wait();
        });
    all->arrive_and_wait();
}

template <class Context>
void wait_until_parked(const Context& context, std::uint64_t times)
{
    while (context.stats().total.parks < times)
        std::this_thread::yield();
}

// Keeps a worker busy until end(): each handler has a successor in the worker's own queue, so that
// it never looks for work.
class endless_work
{
public:
    explicit endless_work(weft::io_context& context) : context_(context)
    {
    }

    void begin()
    {
        asio::post(context_,
            [this]
            {
                begun_ = true;
                if (!ended_)
                    begin();
            });
    }

    void wait_until_begun() const
    {
        while (!begun_)
            std::this_thread::yield();
    }

    void end()
    {
        ended_ = true;
    }

private:
    weft::io_context& context_;
    std::atomic<bool> begun_{false};
    std::atomic<bool> ended_{false};
};

weft::options with(weft::lifo_stealing stealing)
{
    weft::options options;
    options.lifo_stealing = stealing;
    return options;
}

weft::options with_interval(unsigned injection_interval)
{
    weft::options options;
    options.injection_interval = injection_interval;
    return options;
}

void post_arrivals(weft::io_context& context, std::latch& released)
{
    for (int i = 0; i != 50; ++i)
        asio::post(context, [&] { released.count_down(); });
}

// Two workers: one has endless work until the other's handler, which submits and then waits, is
// done.
template <class Submit, class Wait>
void block_beside_a_busy_worker(const weft::options& options, Submit submit, Wait wait)
{
    weft::io_context context(options);
    endless_work work(context);
    asio::post(context,
        [&]
        {
            work.wait_until_begun();
            submit(context);
            wait();
            work.end();
        });
    work.begin();
    test::run_on(context, 2);
}

} // namespace

BOOST_AUTO_TEST_SUITE(liveness)

BOOST_AUTO_TEST_CASE(the_first_io_object_of_a_sleeping_context)
{
    for (int round = 0; round != 50; ++round)
    {
        weft::io_context context;
        auto work = asio::make_work_guard(context);
        std::thread runner([&] { context.run(); });
        wait_until_parked(context, 1);

        // There was no reactor until now.
        asio::steady_timer timer(context, std::chrono::microseconds(round));
        bool expired = false;
        timer.async_wait([&](error_code ec) { expired = !ec; });
        work.reset();
        runner.join();
        BOOST_TEST(expired);
    }
}

BOOST_AUTO_TEST_CASE(blocking_handlers_posted_by_one_worker_occupy_every_worker)
{
    for (std::size_t threads : {2u, 3u, 4u, 8u})
    {
        weft::io_context context;
        auto guard = asio::make_work_guard(context);
        test::thread_group runners(threads, [&] { context.run(); });
        for (int round = 0; round != 100; ++round)
            occupy_all(context.get_executor(), static_cast<std::ptrdiff_t>(threads));
        guard.reset();
    }
}

BOOST_AUTO_TEST_CASE(blocking_handlers_occupy_more_workers_than_a_word_has_bits)
{
    constexpr std::size_t threads = 100;
    weft::thread_pool pool(threads);
    for (int round = 0; round != 5; ++round)
        occupy_all(pool.get_executor(), threads);
    pool.join();
}

BOOST_AUTO_TEST_CASE(sleeping_workers_are_all_woken_by_posts_of_one)
{
    constexpr std::size_t threads = 4;
    weft::thread_pool pool(threads);
    for (int round = 0; round != 50; ++round)
    {
        const std::uint64_t parks = pool.stats().total.parks;
        wait_until_parked(pool, parks == 0 ? threads : parks);
        occupy_all(pool.get_executor(), threads);
    }
    pool.join();
}

BOOST_AUTO_TEST_CASE(blocking_handlers_posted_from_outside_occupy_every_worker)
{
    constexpr std::ptrdiff_t threads = 4;
    weft::thread_pool pool(threads);
    for (int round = 0; round != 100; ++round)
    {
        const auto all = std::make_shared<std::latch>(threads + 1);
        for (std::ptrdiff_t i = 0; i != threads; ++i)
            asio::post(pool, [all] { all->arrive_and_wait(); });
        all->arrive_and_wait();
    }
    pool.join();
}

BOOST_AUTO_TEST_CASE(a_deferred_handler_is_not_stranded_behind_the_one_that_deferred_it)
{
    for (auto stealing : {weft::lifo_stealing::guarded, weft::lifo_stealing::eager})
    {
        for (int round = 0; round != 20; ++round)
        {
            weft::io_context context(with(stealing));
            std::latch released(1);
            asio::post(context,
                [&]
                {
                    asio::defer(context, [&] { released.count_down(); });
                    released.wait();
                });
            BOOST_TEST(test::ran(test::run_on(context, 2), 2u));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_deferred_handler_is_rescued_by_a_worker_that_sleeps_already)
{
    for (auto stealing : {weft::lifo_stealing::guarded, weft::lifo_stealing::eager})
    {
        weft::options options = with(stealing);
        options.threads = 2;
        weft::thread_pool pool(options);
        for (int round = 0; round != 20; ++round)
        {
            wait_until_parked(pool, 2);
            const auto released = std::make_shared<std::latch>(1);
            asio::post(pool,
                [&pool, released]
                {
                    asio::defer(pool, [released] { released->count_down(); });
                    released->wait();
                });
            released->wait();
        }
        pool.join();
    }
}

// The first handler posts one to its queue and defers one to its slot, and both wait for the
// latter: who is woken for what is in the queue takes that, and somebody must come for the rest.
BOOST_AUTO_TEST_CASE(a_deferred_handler_is_rescued_while_all_others_that_were_woken_block)
{
    for (auto stealing : {weft::lifo_stealing::guarded, weft::lifo_stealing::eager})
    {
        weft::options options = with(stealing);
        options.threads = 3;
        weft::thread_pool pool(options);
        for (int round = 0; round != 50; ++round)
        {
            // For all to fall asleep. If they do not, the round shows less.
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            const auto released = std::make_shared<std::latch>(1);
            const auto done = std::make_shared<std::latch>(3);
            asio::post(pool,
                [&pool, released, done]
                {
                    asio::post(pool,
                        [released, done]
                        {
                            released->wait();
                            done->count_down();
                        });
                    asio::defer(pool,
                        [released, done]
                        {
                            released->count_down();
                            done->count_down();
                        });
                    released->wait();
                    done->count_down();
                });
            done->wait();
        }
        pool.join();
    }
}

// At once: nobody is asleep who could be the monitor.
BOOST_AUTO_TEST_CASE(an_open_slot_is_emptied_by_a_poll)
{
    weft::io_context context(with(weft::lifo_stealing::eager));
    std::latch deferred(1);
    std::latch released(1);
    asio::post(context,
        [&]
        {
            asio::defer(context, [&] { released.count_down(); });
            deferred.count_down();
            released.wait();
        });
    test::thread_group runner(1, [&] { context.run(); });
    deferred.wait();
    BOOST_TEST(context.poll() == 1u);
    BOOST_TEST(released.try_wait());
}

BOOST_AUTO_TEST_CASE(what_is_queued_behind_a_blocked_handler_is_taken_by_a_busy_worker)
{
    for (unsigned const interval : {0u, 1u, 127u})
    {
        std::latch released(50);
        block_beside_a_busy_worker(
            with_interval(interval),
            [&](weft::io_context& context) { post_arrivals(context, released); },
            [&] { released.wait(); });
        BOOST_TEST(released.try_wait());
    }
}

// The busy worker is alone then, for all it knows.
BOOST_AUTO_TEST_CASE(what_a_handler_leaves_behind_that_says_it_blocks_is_taken_by_a_busy_worker)
{
    for (unsigned const interval : {0u, 1u, 127u})
    {
        std::latch released(51);
        block_beside_a_busy_worker(
            with_interval(interval),
            [&](weft::io_context& context)
            {
                post_arrivals(context, released);
                asio::defer(context, [&] { released.count_down(); });
            },
            [&] { weft::run_blocking([&] { released.wait(); }); });
        BOOST_TEST(released.try_wait());
    }
}

BOOST_AUTO_TEST_CASE(what_a_thread_leaves_behind_that_goes_is_taken_by_a_busy_worker)
{
    weft::io_context context;
    std::latch released(51);
    endless_work work(context);
    std::latch busy(1);
    asio::post(context,
        [&]
        {
            busy.count_down();
            work.wait_until_begun();
            post_arrivals(context, released);
            asio::defer(context, [&] { released.count_down(); });
        });
    std::thread one([&] { context.run_one(); });
    busy.wait();
    work.begin();
    std::thread other([&] { context.run(); });
    one.join();
    released.wait();
    work.end();
    other.join();
    BOOST_TEST(released.try_wait());
}

BOOST_AUTO_TEST_CASE(a_deferred_handler_of_a_blocked_one_is_taken_by_a_busy_worker)
{
    for (auto stealing : {weft::lifo_stealing::guarded, weft::lifo_stealing::eager})
    {
        std::latch released(1);
        block_beside_a_busy_worker(
            with(stealing),
            [&](weft::io_context& context)
            { asio::defer(context, [&] { released.count_down(); }); },
            [&] { released.wait(); });
        BOOST_TEST(released.try_wait());
    }
}

BOOST_AUTO_TEST_CASE(the_slots_of_several_blocked_workers_are_all_rescued)
{
    constexpr int blocked = 3;
    weft::thread_pool pool(blocked + 1);
    for (int round = 0; round != 20; ++round)
    {
        const auto released = std::make_shared<std::latch>(blocked);
        for (int i = 0; i != blocked; ++i)
            asio::post(pool,
                [&pool, released]
                {
                    asio::defer(pool, [released] { released->count_down(); });
                    released->wait();
                });
        released->wait();
    }
    pool.join();
}

BOOST_AUTO_TEST_CASE(a_deferred_handler_is_rescued_while_a_timer_is_pending)
{
    for (int round = 0; round != 20; ++round)
    {
        weft::io_context context;
        asio::steady_timer timer(context, std::chrono::hours(1));
        timer.async_wait([](error_code) {});
        std::latch released(1);
        asio::post(context,
            [&]
            {
                asio::defer(context, [&] { released.count_down(); });
                released.wait();
                timer.cancel();
            });
        BOOST_TEST(test::ran(test::run_on(context, 2), 3u));
    }
}

BOOST_AUTO_TEST_CASE(timers_fire_while_all_but_one_worker_are_blocked)
{
    for (std::size_t threads : {2u, 4u})
    {
        for (int round = 0; round != 20; ++round)
        {
            weft::io_context context;
            std::latch released(1);
            asio::steady_timer timer(context);
            for (std::size_t i = 1; i != threads; ++i)
                asio::post(context, [&] { released.wait(); });
            asio::post(context,
                [&]
                {
                    timer.expires_after(std::chrono::milliseconds(1));
                    timer.async_wait([&](error_code) { released.count_down(); });
                });
            BOOST_TEST(test::ran(test::run_on(context, threads), threads + 1));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_timer_fires_while_the_handler_that_started_it_is_blocked)
{
    weft::thread_pool pool(2);
    asio::steady_timer timer(pool);
    for (int round = 0; round != 50; ++round)
    {
        const auto released = std::make_shared<std::latch>(1);
        asio::post(pool,
            [&timer, released]
            {
                timer.expires_after(std::chrono::milliseconds(1));
                timer.async_wait([released](error_code) { released->count_down(); });
                released->wait();
            });
        released->wait();
    }
    pool.join();
}

// The worker that waited in the reactor runs the first handler itself: someone else must wait there
// for the second event.
BOOST_AUTO_TEST_CASE(the_reactor_is_handed_over_by_a_worker_that_blocks_in_a_completion)
{
    for (int round = 0; round != 20; ++round)
    {
        weft::io_context context;
        std::latch released(1);
        asio::steady_timer first(context, std::chrono::milliseconds(1));
        asio::steady_timer second(context, std::chrono::milliseconds(2));
        first.async_wait([&](error_code) { released.wait(); });
        second.async_wait([&](error_code) { released.count_down(); });
        BOOST_TEST(test::ran(test::run_on(context, 2), 2u));
    }
}

BOOST_AUTO_TEST_CASE(a_socket_is_served_while_the_handler_that_reads_it_is_blocked)
{
    for (int round = 0; round != 20; ++round)
    {
        weft::io_context context;
        stream::socket near(context);
        stream::socket far(context);
        asio::local::connect_pair(near, far);
        std::latch released(1);
        std::array<char, 4> buffer{};
        asio::post(context,
            [&]
            {
                near.async_read_some(
                    asio::buffer(buffer), [&](error_code, std::size_t) { released.count_down(); });
                asio::write(far, asio::buffer("abcd", 4));
                released.wait();
            });
        BOOST_TEST(test::ran(test::run_on(context, 2), 2u));
    }
}

BOOST_AUTO_TEST_CASE(a_signal_is_delivered_while_a_handler_waits_for_it)
{
    weft::io_context context;
    asio::signal_set signals(context, SIGUSR1);
    std::latch released(1);
    signals.async_wait([&](error_code, int) { released.count_down(); });
    asio::post(context,
        [&]
        {
            ::kill(::getpid(), SIGUSR1);
            released.wait();
        });
    test::run_on(context, 2);
    BOOST_TEST(released.try_wait());
}

BOOST_AUTO_TEST_CASE(posts_to_another_context_run_while_the_poster_waits)
{
    weft::io_context left;
    weft::io_context right;
    auto guard = asio::make_work_guard(right);
    test::thread_group runner(1, [&] { right.run(); });
    for (int i = 0; i != 500; ++i)
    {
        const auto released = std::make_shared<std::latch>(1);
        asio::post(left,
            [&right, released]
            {
                asio::post(right, [released] { released->count_down(); });
                released->wait();
            });
        left.run();
        left.restart();
    }
    guard.reset();
}

BOOST_AUTO_TEST_CASE(a_strand_is_no_obstacle_for_the_others)
{
    weft::io_context context;
    auto blocked = asio::make_strand(context);
    auto free = asio::make_strand(context);
    std::latch released(1);
    asio::post(blocked,
        [&]
        {
            asio::post(blocked, [] {});
            asio::post(free, [&] { released.count_down(); });
            released.wait();
        });
    test::run_on(context, 2);
    BOOST_TEST(released.try_wait());
}

BOOST_AUTO_TEST_CASE(a_thread_that_comes_late_takes_over_what_waits)
{
    for (int round = 0; round != 50; ++round)
    {
        weft::io_context context;
        std::latch entered(1);
        std::latch released(3);
        asio::post(context,
            [&]
            {
                for (int i = 0; i != 2; ++i)
                    asio::post(context, [&] { released.count_down(); });
                asio::defer(context, [&] { released.count_down(); });
                entered.count_down();
                released.wait();
            });
        test::thread_group late(1,
            [&]
            {
                entered.wait();
                context.run();
            });
        context.run();
    }
}

BOOST_AUTO_TEST_SUITE_END()
