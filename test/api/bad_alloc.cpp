// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0
#include <weft/io_context.hpp>
#include <weft/run_blocking.hpp>
#include <weft/thread_pool.hpp>

#include "api/process.hpp"
#include "parity/counted_new.hpp"
#include "support/cases.hpp"
#include "support/large_handler.hpp"

#include <new>

namespace
{

using test::large_handler;
using test::out_of_memory_in;
using stream = asio::local::stream_protocol;

// A count of the handlers that exist, those that were accepted, and those that ran.
struct fixture
{
    std::shared_ptr<int> token = std::make_shared<int>(0);
    std::atomic<int> accepted = 0;
    std::atomic<int> ran = 0;

    // Built while memory is plentiful, and moved into place.
    large_handler handler()
    {
        return {[this, held = token]
            {
                ++ran;
                (void)held;
            }};
    }

    template <class Submit>
    void submit_or_be_refused(Submit&& submit, long allowance)
    {
        large_handler prepared = handler();
        if (!out_of_memory_in([&] { submit(std::move(prepared)); }, allowance))
            ++accepted;
    }

    ~fixture()
    {
        BOOST_TEST(token.use_count() == 1);
        BOOST_TEST(ran == accepted);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(bad_alloc, fixture)

BOOST_AUTO_TEST_CASE(the_hook_refuses_what_it_should)
{
    BOOST_TEST(out_of_memory_in([] { ::operator delete(::operator new(8)); }));
    BOOST_TEST(!out_of_memory_in([] { ::operator delete(::operator new(8)); }, 1));
    BOOST_TEST(out_of_memory_in(
        []
        {
            ::operator delete(::operator new(8));
            ::operator delete(::operator new(8));
        },
        1));
}

BOOST_AUTO_TEST_CASE(a_submission_from_outside_that_finds_no_memory_is_refused)
{
    weft::io_context context;
    const auto executor = context.get_executor();
    const asio::any_io_executor any = executor;
    for (long allowance = 0; allowance != 4; ++allowance)
    {
        submit_or_be_refused([&](auto h) { asio::post(context, std::move(h)); }, allowance);
        submit_or_be_refused([&](auto h) { asio::defer(context, std::move(h)); }, allowance);
        submit_or_be_refused([&](auto h) { asio::dispatch(context, std::move(h)); }, allowance);
        submit_or_be_refused([&](auto h) { executor.execute(std::move(h)); }, allowance);
        submit_or_be_refused([&](auto h) { asio::post(any, std::move(h)); }, allowance);
        submit_or_be_refused(
            [&](auto h) { executor.post(std::move(h), std::allocator<void>()); }, allowance);
        if (allowance == 0)
            BOOST_TEST(accepted == 0);
    }
    BOOST_TEST(accepted > 0);
    BOOST_TEST(context.run() == static_cast<std::size_t>(accepted));
}

BOOST_AUTO_TEST_CASE(refused_posts_leave_the_others_and_their_order_alone)
{
    weft::io_context context;
    int last = -1;
    int in_order = 0;
    for (int i = 0; i != 3000; ++i)
    {
        large_handler h{[&, i, held = token]
            {
                in_order += i > last ? 1 : 0;
                last = i;
                ++ran;
                (void)held;
            }};
        if (!out_of_memory_in([&] { asio::post(context, std::move(h)); }, i % 2))
            ++accepted;
    }
    BOOST_TEST(accepted >= 1000);
    BOOST_TEST(accepted <= 1500);
    context.run();
    BOOST_TEST(in_order == accepted);
}

BOOST_AUTO_TEST_CASE(a_post_from_a_handler_that_finds_no_memory_is_refused)
{
    for (std::size_t threads : {1u, 2u})
    {
        weft::io_context context;
        for (int i = 0; i != 100; ++i)
            asio::post(context,
                [&, i] {
                    submit_or_be_refused([&](auto h) { asio::post(context, std::move(h)); }, i % 2);
                });
        test::run_on(context, threads);
        BOOST_TEST(accepted > 0);
        BOOST_TEST(accepted < 100 * static_cast<int>(threads));
    }
}

BOOST_AUTO_TEST_CASE(small_posts_are_refused_when_the_caches_are_used_up)
{
    weft::io_context context;
    bool refused = false;
    asio::post(context,
        [&]
        {
            for (int i = 0; i != 1'000'000 && !refused; ++i)
            {
                refused = out_of_memory_in([&] { asio::post(context, [&] { ++ran; }); });
                accepted += refused ? 0 : 1;
            }
        });
    context.run();
    BOOST_TEST(refused);
}

BOOST_AUTO_TEST_CASE(a_bad_alloc_that_leaves_a_handler_leaves_run_and_loses_nothing)
{
    weft::io_context context;
    for (int i = 0; i != 10; ++i)
        submit_or_be_refused(
            [&](auto h) { asio::post(context, std::move(h)); }, test::allocations::unlimited);
    asio::post(context, [] { throw std::bad_alloc(); });
    for (int i = 0; i != 10; ++i)
        submit_or_be_refused(
            [&](auto h) { asio::post(context, std::move(h)); }, test::allocations::unlimited);
    BOOST_CHECK_THROW(context.run(), std::bad_alloc);
    BOOST_TEST(ran == 10);
    BOOST_TEST(context.run() == 10u);
}

BOOST_AUTO_TEST_CASE(a_refused_post_to_a_pool_loses_nothing)
{
    weft::thread_pool pool(2);
    for (int i = 0; i != 1000; ++i)
        submit_or_be_refused([&](auto h) { asio::post(pool, std::move(h)); }, i % 2);
    pool.join();
    BOOST_TEST(accepted > 0);
    BOOST_TEST(accepted < 1000);
}

BOOST_AUTO_TEST_CASE(a_refused_operation_leaves_no_work)
{
    weft::io_context context;
    asio::steady_timer timer(context, std::chrono::hours(1));
    stream::socket near(context);
    stream::socket far(context);
    asio::local::connect_pair(near, far);
    std::array<char, 4> buffer{};
    large_handler h = handler();
    BOOST_TEST(out_of_memory_in([&] { timer.async_wait([h](error_code) {}); }));
    BOOST_TEST(out_of_memory_in(
        [&] { near.async_read_some(asio::buffer(buffer), [h](error_code, std::size_t) {}); }));
    BOOST_TEST(context.run() == 0u);
}

BOOST_AUTO_TEST_CASE(a_refused_post_to_a_strand_leaves_the_strand_usable)
{
    weft::io_context context;
    auto strand = asio::make_strand(context);
    for (int i = 0; i != 100; ++i)
        submit_or_be_refused([&](auto h) { asio::post(strand, std::move(h)); }, i % 4);
    context.run();
    BOOST_TEST(accepted > 0);
}

BOOST_AUTO_TEST_CASE(a_context_that_cannot_be_made_leaves_nothing_behind)
{
    long allowance = 0;
    while (out_of_memory_in([] { weft::io_context context; }, allowance))
        BOOST_TEST_REQUIRE(++allowance < 1000);
    BOOST_TEST(allowance > 0);
}

BOOST_AUTO_TEST_CASE(a_run_that_finds_no_memory_says_so_and_can_be_repeated)
{
    long allowance = 0;
    bool refused = true;
    while (refused)
    {
        weft::io_context context;
        submit_or_be_refused(
            [&](auto h) { asio::post(context, std::move(h)); }, test::allocations::unlimited);
        refused = out_of_memory_in([&] { context.run(); }, allowance);
        context.run();
        BOOST_TEST_REQUIRE(++allowance < 1000);
    }
}

BOOST_AUTO_TEST_CASE(a_pool_that_cannot_start_its_threads_joins_those_it_has_started)
{
    const std::size_t before = test::threads_at_rest();
    long allowance = 0;
    while (out_of_memory_in(
        []
        {
            weft::thread_pool pool(4);
            pool.join();
        },
        allowance))
    {
        test::wait_until_threads_are(before);
        BOOST_TEST_REQUIRE(++allowance < 1000);
    }
    BOOST_TEST(allowance > 4);
}

// A thread that is lent to the pool before the pool's own have begun to run leaves them what they
// need.
BOOST_AUTO_TEST_CASE(the_threads_of_a_pool_need_no_memory_to_start)
{
    for (int round = 0; round != 300; ++round)
    {
        const test::no_memory_for_new_threads here;
        weft::thread_pool pool(2);
        std::latch all(3);
        for (int i = 0; i != 3; ++i)
            asio::post(pool,
                [&]
                {
                    all.arrive_and_wait();
                    pool.stop();
                });
        pool.attach();
        pool.join();
    }
}

// A thread that is lent to the pool between two turns of a spare thread leaves it what it needs.
BOOST_AUTO_TEST_CASE(a_spare_thread_needs_no_memory_to_start)
{
    for (int round = 0; round != 20; ++round)
    {
        weft::options options;
        options.threads = 1;
        options.max_spare_threads = 1;
        weft::thread_pool pool(options);
        // The pool's own thread may allocate.
        asio::post(pool, asio::use_future([] { return std::make_shared<int>(0); })).get();
        const auto block = [&]
        {
            const auto released = std::make_shared<std::latch>(1);
            const auto left = std::make_shared<std::latch>(1);
            asio::post(pool,
                [&pool, released, left]
                {
                    asio::post(pool, [released] { released->count_down(); });
                    weft::run_blocking([&] { released->wait(); });
                    left->count_down();
                });
            left->wait();
        };
        const test::no_memory_for_new_threads here;
        block();
        // Until it has noticed that it is not needed any more; if it has not, the round shows less.
        for (int i = 0; i != 200; ++i)
            asio::post(pool, asio::use_future([] {})).get();
        std::latch inside(1);
        std::thread lent(
            [&]
            {
                test::allocations::allowance = test::allocations::unlimited;
                inside.count_down();
                pool.attach();
            });
        inside.wait();
        for (int i = 0; i != 200; ++i)
            asio::post(pool, asio::use_future([] {})).get();
        block();
        pool.join();
        lent.join();
    }
}

BOOST_AUTO_TEST_CASE(a_thread_that_finds_no_memory_is_not_lent_to_a_pool)
{
    long allowance = 0;
    for (bool refused = true; refused; ++allowance)
    {
        BOOST_TEST_REQUIRE(allowance < 1000);
        weft::thread_pool pool(1);
        // The pool's thread has the only worker there is.
        asio::post(pool, asio::use_future).get();
        std::atomic<int> inside = 0;
        std::atomic<bool> alone = false;
        for (int i = 0; i != 2; ++i)
            asio::post(pool,
                [&]
                {
                    ++inside;
                    while (inside != 2 && !alone)
                        std::this_thread::yield();
                    if (!alone)
                        pool.stop();
                });
        refused = out_of_memory_in([&] { pool.attach(); }, allowance);
        if (refused)
        {
            alone = true;
            asio::post(pool, asio::use_future).get();
            BOOST_TEST(inside == 2);
        }
        BOOST_TEST(
            asio::query(pool.get_executor(), asio::execution::occupancy) == (refused ? 1u : 2u));
        pool.join();
    }
    BOOST_TEST(allowance > 1);
}

BOOST_AUTO_TEST_SUITE_END()
