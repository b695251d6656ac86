// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A pool that is destroyed by a handler which runs on one of its threads.

#include <weft/io_context.hpp>
#include <weft/run_blocking.hpp>
#include <weft/thread_pool.hpp>

#include "api/process.hpp"
#include "support/cases.hpp"

namespace
{

using stream = asio::local::stream_protocol;

// Held by every handler that must have been destroyed in the end.
using token = std::shared_ptr<int>;

weft::options with(std::size_t threads, std::size_t spares)
{
    weft::options options;
    options.threads = threads;
    options.max_spare_threads = spares;
    return options;
}

// A pool that belongs to its handlers, and the threads there were before.
struct fixture
{
    using owner = std::unique_ptr<weft::thread_pool>;

    std::size_t const threads_before = test::threads_at_rest();
    token const held = std::make_shared<int>(0);
    std::latch destroyed{1};

    // Has `act(owner)` called by a handler of the pool, when this thread is done with that.
    template <class Act>
    void in_handler(owner pool, Act act)
    {
        auto& context = *pool;
        auto const posted = std::make_shared<std::latch>(1);
        asio::post(context,
            [this, p = std::move(pool), posted, act, h = held]() mutable
            {
                posted->wait();
                act(std::move(p));
                destroyed.count_down();
            });
        posted->count_down();
    }

    // Also of the thread that has destroyed its pool, which nobody joins.
    ~fixture()
    {
        destroyed.wait();
        test::wait_until_threads_are(threads_before);
        BOOST_TEST(held.use_count() == 1);
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(pool_destruction)

BOOST_AUTO_TEST_CASE(by_one_of_its_threads)
{
    for (std::size_t const threads : {1u, 2u, 4u})
    {
        for (int round = 0; round != 50; ++round)
        {
            fixture f;
            auto pool = std::make_unique<weft::thread_pool>(threads);
            auto& context = *pool;
            for (int i = 0; i != round; ++i)
                asio::post(context, [h = f.held] {});
            f.in_handler(std::move(pool), [](auto p) { p.reset(); });
        }
    }
}

// What the handler left in the queues of its thread, and what those that are destroyed submit, goes
// with the pool.
BOOST_AUTO_TEST_CASE(with_handlers_in_all_queues)
{
    struct submits_when_destroyed
    {
        weft::thread_pool* pool;
        token h;

        submits_when_destroyed(weft::thread_pool& p, token t) : pool(&p), h(std::move(t))
        {
        }

        submits_when_destroyed(submits_when_destroyed&& other) noexcept
            : pool(std::exchange(other.pool, nullptr)), h(std::move(other.h))
        {
        }

        ~submits_when_destroyed()
        {
            if (pool)
                asio::post(*pool, [h = h] {});
        }

        void operator()() const
        {
        }
    };

    fixture f;
    f.in_handler(std::make_unique<weft::thread_pool>(1),
        [h = f.held](auto p)
        {
            for (int i = 0; i != 1000; ++i)
                asio::post(*p, [h] {});
            asio::post(*p, submits_when_destroyed(*p, h));
            asio::defer(*p, [h] {});
            p.reset();
        });
}

BOOST_AUTO_TEST_CASE(with_operations_pending)
{
    struct objects
    {
        explicit objects(weft::thread_pool& pool)
            : timer(pool, std::chrono::hours(1)), near(pool), far(pool)
        {
            asio::local::connect_pair(near, far);
        }

        asio::steady_timer timer;
        stream::socket near;
        stream::socket far;
        std::array<char, 4> buffer{};
    };

    for (std::size_t const threads : {1u, 3u})
    {
        fixture f;
        f.in_handler(std::make_unique<weft::thread_pool>(threads),
            [h = f.held](auto p)
            {
                auto io = std::make_shared<objects>(*p);
                io->timer.async_wait([h, io](error_code) {});
                io->near.async_read_some(
                    asio::buffer(io->buffer), [h, io](error_code, std::size_t) {});
                // One of them has been cancelled, and its handler is on its way.
                io->near.cancel();
                io.reset();
                p.reset();
            });
    }
}

BOOST_AUTO_TEST_CASE(inside_run_blocking)
{
    for (int round = 0; round != 20; ++round)
    {
        fixture f;
        f.in_handler(std::make_unique<weft::thread_pool>(with(2, 2)),
            [h = f.held](auto p)
            {
                auto& context = *p;
                asio::post(context, [h] {});
                weft::run_blocking([&] { p.reset(); });
                // And there is nothing to give away any more.
                weft::run_blocking([] {});
            });
    }
}

// The pool's only thread blocks, and the one that stands in for it destroys the pool when the
// former has let go.
BOOST_AUTO_TEST_CASE(by_a_spare_thread)
{
    for (int round = 0; round != 50; ++round)
    {
        std::latch posted(1);
        std::latch spare_runs(1);
        fixture f;
        auto pool = std::make_unique<weft::thread_pool>(with(1, 1));
        auto& context = *pool;
        asio::post(context,
            [&, p = std::move(pool)]() mutable
            {
                posted.wait();
                f.in_handler(std::move(p),
                    [&](auto q)
                    {
                        spare_runs.count_down();
                        q.reset();
                    });
                weft::run_blocking([&] { spare_runs.wait(); });
            });
        posted.count_down();
    }
}

BOOST_AUTO_TEST_CASE(by_a_thread_that_is_lent_to_it)
{
    for (int round = 0; round != 50; ++round)
    {
        fixture f;
        auto pool = std::make_unique<weft::thread_pool>(1);
        auto& context = *pool;
        auto const all = std::make_shared<std::latch>(2);
        auto const owner = std::make_shared<decltype(pool)>(std::move(pool));
        auto const mine = std::this_thread::get_id();
        for (int i = 0; i != 2; ++i)
            asio::post(context,
                [&f, all, owner, mine]() mutable
                {
                    all->arrive_and_wait();
                    if (std::this_thread::get_id() == mine)
                    {
                        owner->reset();
                        f.destroyed.count_down();
                    }
                });
        context.attach();
    }
}

BOOST_AUTO_TEST_CASE(inside_another_call_of_the_same_pool)
{
    fixture f;
    f.in_handler(std::make_unique<weft::thread_pool>(1),
        [](auto p)
        {
            auto& context = *p;
            asio::post(context, [q = std::move(p)]() mutable { q.reset(); });
            context.attach();
        });
}

// The handlers of other contexts that the thread runs meanwhile go on as if nothing had happened.
template <class Context>
void destroy_inside_another_context()
{
    fixture f;
    f.in_handler(std::make_unique<weft::thread_pool>(2),
        [](auto p)
        {
            Context inner;
            int ran = 0;
            asio::post(inner,
                [&]
                {
                    p.reset();
                    asio::post(inner, [&] { ++ran; });
                    asio::defer(inner, [&] { ++ran; });
                    weft::run_blocking([&] { ++ran; });
                });
            inner.run();
            BOOST_TEST(ran == 3);
        });
}

BOOST_AUTO_TEST_CASE(inside_another_context)
{
    destroy_inside_another_context<weft::io_context>();
}

BOOST_AUTO_TEST_CASE(inside_a_plain_context)
{
    destroy_inside_another_context<asio::io_context>();
}

// The thread is no thread of any pool then: what it makes anew, perhaps at the same address, works.
BOOST_AUTO_TEST_CASE(and_followed_by_another_one)
{
    for (int round = 0; round != 20; ++round)
    {
        fixture f;
        f.in_handler(std::make_unique<weft::thread_pool>(2),
            [](auto p)
            {
                for (int i = 0; i != 10; ++i)
                {
                    p.reset();
                    p = std::make_unique<weft::thread_pool>(2);
                    std::latch ran(2);
                    asio::post(*p, [&] { ran.count_down(); });
                    asio::defer(*p, [&] { ran.count_down(); });
                    ran.wait();
                    asio::steady_timer timer(*p, std::chrono::milliseconds(1));
                    std::latch expired(1);
                    timer.async_wait([&](error_code) { expired.count_down(); });
                    expired.wait();
                }
            });
    }
}

BOOST_AUTO_TEST_SUITE_END()
