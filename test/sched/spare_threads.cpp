// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/run_blocking.hpp>
#include <weft/sched/spare_owner.hpp>
#include <weft/sched/spare_threads.hpp>
#include <weft/thread_pool.hpp>

#include "api/process.hpp"
#include "support/cases.hpp"

#include <set>

namespace
{

namespace asio = boost::asio;
using weft::run_blocking;

weft::options with_spares(std::size_t threads, std::size_t spares)
{
    weft::options options;
    options.threads = threads;
    options.max_spare_threads = spares;
    return options;
}

class thread_ids
{
public:
    void insert_this()
    {
        const std::lock_guard lock(mutex_);
        ids_.insert(std::this_thread::get_id());
    }

    bool has_this() const
    {
        const std::lock_guard lock(mutex_);
        return ids_.count(std::this_thread::get_id()) != 0;
    }

    std::size_t size() const
    {
        const std::lock_guard lock(mutex_);
        return ids_.size();
    }

private:
    mutable std::mutex mutex_;
    std::set<std::thread::id> ids_;
};

// Returns when `count` handlers were inside `body` at once, each on a thread of its own.
template <class Body>
void meet(weft::thread_pool& pool, std::size_t count, Body body)
{
    const auto all = std::make_shared<std::latch>(static_cast<std::ptrdiff_t>(count));
    const auto left = std::make_shared<std::latch>(static_cast<std::ptrdiff_t>(count));
    for (std::size_t i = 0; i != count; ++i)
        asio::post(pool,
            [=]
            {
                body([&] { all->arrive_and_wait(); });
                left->count_down();
            });
    left->wait();
}

// Handlers that block until they are told to go on.
class blocked_handlers
{
public:
    blocked_handlers(weft::thread_pool& pool, std::size_t count)
        : state_(std::make_shared<state>(static_cast<std::ptrdiff_t>(count)))
    {
        for (std::size_t i = 0; i != count; ++i)
            asio::post(pool,
                [s = state_]
                {
                    run_blocking(
                        [&]
                        {
                            s->blocked.count_down();
                            s->go.wait();
                        });
                    s->left.count_down();
                });
        state_->blocked.wait();
    }

    // Returns when all have left run_blocking().
    void release()
    {
        state_->go.count_down();
        state_->left.wait();
    }

private:
    struct state
    {
        explicit state(std::ptrdiff_t count) : blocked(count), left(count)
        {
        }

        std::latch blocked;
        std::latch go{1};
        std::latch left;
    };

    std::shared_ptr<state> const state_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(spare_threads)

BOOST_AUTO_TEST_CASE(a_pool_in_which_nobody_blocks_has_none)
{
    const std::size_t before = test::threads_at_rest();
    weft::thread_pool pool(with_spares(2, 512));
    meet(pool, 2, [](auto wait) { wait(); });
    asio::post(pool, asio::use_future).get();
    BOOST_TEST(test::threads_of_this_process() == before + 2);
    pool.join();
}

BOOST_AUTO_TEST_CASE(there_are_as_many_as_workers_that_block)
{
    constexpr std::size_t threads = 2;
    const std::size_t before = test::threads_at_rest();
    for (const std::size_t count : {1u, 2u, 3u, 12u})
    {
        weft::thread_pool pool(with_spares(threads, 512));
        blocked_handlers blocked(pool, count);
        meet(pool, threads, [](auto wait) { wait(); });
        BOOST_TEST(test::threads_of_this_process() == before + threads + count);
        blocked.release();
        pool.join();
        test::wait_until_threads_are(before);
    }
}

BOOST_AUTO_TEST_CASE(max_spare_threads_is_a_bound)
{
    constexpr std::size_t threads = 2;
    constexpr std::size_t spares = 3;
    constexpr int handlers = 60;
    const std::size_t before = test::threads_at_rest();
    weft::thread_pool pool(with_spares(threads, spares));
    blocked_handlers blocked(pool, threads + spares);
    BOOST_TEST(test::threads_of_this_process() == before + threads + spares);

    std::atomic<int> inside = 0;
    std::atomic<int> most = 0;
    std::atomic<int> ran = 0;
    for (int i = 0; i != handlers; ++i)
        asio::post(pool,
            [&]
            {
                run_blocking(
                    [&]
                    {
                        const int now = ++inside;
                        for (int seen = most; seen < now;)
                            most.compare_exchange_weak(seen, now);
                        std::this_thread::yield();
                        --inside;
                    });
                ++ran;
            });
    BOOST_TEST(ran == 0);
    blocked.release();
    asio::post(pool, asio::use_future).get();
    BOOST_TEST(test::threads_of_this_process() == before + threads + spares);
    pool.join();
    BOOST_TEST(ran == handlers);
    BOOST_TEST(most <= static_cast<int>(threads + spares));
    test::wait_until_threads_are(before);
}

BOOST_AUTO_TEST_CASE(without_spare_threads_none_is_started)
{
    constexpr std::size_t threads = 2;
    const std::size_t before = test::threads_at_rest();
    weft::thread_pool pool(with_spares(threads, 0));
    thread_ids ids;
    for (int round = 0; round != 20; ++round)
    {
        blocked_handlers blocked(pool, threads);
        BOOST_TEST(test::threads_of_this_process() == before + threads);
        blocked.release();
        meet(pool, threads,
            [&](auto wait)
            {
                ids.insert_this();
                wait();
            });
    }
    BOOST_TEST(ids.size() == threads);
    pool.join();
}

BOOST_AUTO_TEST_CASE(a_spare_thread_is_used_again)
{
    constexpr int rounds = 500;
    weft::thread_pool pool(with_spares(1, 512));
    thread_ids ids;
    for (int round = 0; round != rounds; ++round)
    {
        blocked_handlers blocked(pool, 1);
        meet(pool, 1, [&](auto) { ids.insert_this(); });
        blocked.release();
    }
    pool.join();
    // One that is on its way to where it waits is not found there: then another is started.
    BOOST_TEST(ids.size() < rounds / 10u);
}

BOOST_AUTO_TEST_CASE(spare_threads_leave_when_nobody_blocks_any_more)
{
    constexpr std::size_t threads = 2;
    constexpr std::size_t spares = 4;
    constexpr int handlers = 5'000;
    for (int round = 0; round != 10; ++round)
    {
        weft::thread_pool pool(with_spares(threads, spares));
        thread_ids own;
        meet(pool, threads,
            [&](auto wait)
            {
                own.insert_this();
                wait();
            });
        blocked_handlers(pool, spares).release();

        // Each may have one handler in its hands when the last one returns.
        std::atomic<int> on_spares = 0;
        std::latch all(handlers);
        for (int i = 0; i != handlers; ++i)
            asio::post(pool,
                [&]
                {
                    on_spares += own.has_this() ? 0 : 1;
                    if (on_spares != 0)
                        std::this_thread::yield();
                    all.count_down();
                });
        all.wait();
        BOOST_TEST(on_spares <= static_cast<int>(spares));
        pool.join();
    }
}

BOOST_AUTO_TEST_CASE(a_spare_thread_may_block_too)
{
    constexpr std::size_t depth = 10;
    weft::thread_pool pool(with_spares(1, depth));
    thread_ids ids;
    meet(pool, depth + 1,
        [&](auto wait)
        {
            ids.insert_this();
            run_blocking(wait);
        });
    BOOST_TEST(ids.size() == depth + 1);
    pool.join();
}

BOOST_AUTO_TEST_CASE(a_pool_is_joined_while_its_spare_threads_wait)
{
    const std::size_t before = test::threads_at_rest();
    for (int round = 0; round != 50; ++round)
    {
        weft::thread_pool pool(with_spares(1, 8));
        blocked_handlers(pool, 4).release();
        asio::post(pool, asio::use_future).get();
        pool.join();
        test::wait_until_threads_are(before);
    }
}

BOOST_AUTO_TEST_CASE(a_pool_is_joined_while_its_handlers_block)
{
    const std::size_t before = test::threads_at_rest();
    for (int round = 0; round != 50; ++round)
    {
        weft::thread_pool pool(with_spares(2, 8));
        blocked_handlers blocked(pool, 5);
        std::thread other([&] { blocked.release(); });
        pool.join();
        other.join();
        test::wait_until_threads_are(before);
    }
}

BOOST_AUTO_TEST_CASE(a_pool_is_stopped_while_its_handlers_block)
{
    const std::size_t before = test::threads_at_rest();
    for (int round = 0; round != 50; ++round)
    {
        const auto token = std::make_shared<int>(0);
        {
            weft::thread_pool pool(with_spares(2, 8));
            blocked_handlers blocked(pool, 5);
            pool.stop();
            asio::post(pool, [token] {});
            blocked.release();
        }
        BOOST_TEST(token.use_count() == 1);
        test::wait_until_threads_are(before);
    }
}

BOOST_AUTO_TEST_CASE(a_pool_that_was_stopped_starts_none)
{
    const std::size_t before = test::threads_at_rest();
    weft::thread_pool pool(with_spares(1, 8));
    std::size_t blocked = 0;
    std::latch done(1);
    asio::post(pool,
        [&]
        {
            pool.stop();
            run_blocking([&] { blocked = test::threads_of_this_process(); });
            done.count_down();
        });
    done.wait();
    BOOST_TEST(blocked == before + 1);
    pool.join();
}

BOOST_AUTO_TEST_CASE(a_spare_thread_on_its_way_back_is_not_forgotten)
{
    weft::thread_pool pool(with_spares(1, 1));
    for (int round = 0; round != 5'000; ++round)
    {
        const auto released = std::make_shared<std::latch>(1);
        asio::post(pool,
            [&pool, released]
            {
                asio::post(pool, [released] { released->count_down(); });
                run_blocking([&] { released->wait(); });
            });
        released->wait();
    }
    pool.join();
}

BOOST_AUTO_TEST_SUITE_END()
