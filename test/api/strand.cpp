// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What weft's own strand has beyond Asio's. What both have is in parity/strand.cpp.

#include <weft/io_context.hpp>
#include <weft/mutex.hpp>
#include <weft/run_blocking.hpp>
#include <weft/thread_pool.hpp>

#include "api/process.hpp"
#include "api/steady_state.hpp"
#include "support/cases.hpp"
#include "support/context.hpp"
#include "support/large_handler.hpp"

#include <new>

namespace
{

namespace execution = boost::asio::execution;
using test::large_handler;
using strand_type = asio::strand<weft::io_context::executor_type>;
using pool_strand = asio::strand<weft::thread_pool::executor_type>;

} // namespace

BOOST_FIXTURE_TEST_SUITE(own_strand, test::with_context)

// So that any_io_executor stores it without an allocation.
static_assert(sizeof(strand_type) == 3 * sizeof(void*));
static_assert(std::is_nothrow_move_constructible_v<strand_type>);
static_assert(std::is_nothrow_copy_constructible_v<strand_type>);
static_assert(execution::is_executor<strand_type>::value);
static_assert(execution::is_executor<pool_strand>::value);
static_assert(!std::is_convertible_v<weft::io_context::executor_type, strand_type>);
static_assert(std::is_same_v<strand_type::inner_executor_type, weft::io_context::executor_type>);
static_assert(!asio::can_require<pool_strand, execution::blocking_t::always_t>::value);
static_assert(asio::can_require<strand_type, execution::blocking_t::never_t>::value);
// Made of a used object it would be another strand.
static_assert(
    std::is_same_v<decltype(asio::require(std::declval<strand_type>(), execution::blocking.never)),
        strand_type>);

BOOST_FIXTURE_TEST_CASE(chains_and_balls_allocate_nothing, test::context_of_its_own)
{
    for (std::size_t threads : {1u, 2u})
    {
        weft::io_context context;
        const auto a = asio::make_strand(context);
        const auto b = asio::make_strand(context);
        test::steady_state state;
        struct ball
        {
            const strand_type* here;
            const strand_type* there;
            test::steady_state* state;
            int left;

            void operator()()
            {
                if (--left == 0)
                {
                    left = 50;
                    state->part_done();
                }
                if (state->finished())
                    return;
                asio::dispatch(*there, [] {});
                asio::post(*there, ball{there, here, state, left});
            }
        };
        state.start(2, [] {});
        asio::post(a, ball{&a, &b, &state, 50});
        asio::post(a, ball{&a, &a, &state, 50});
        test::run_on(context, threads);
        BOOST_TEST(state.allocations_in_quietest_window() == 0u);
    }
}

BOOST_FIXTURE_TEST_CASE(a_submission_that_finds_no_memory_is_refused, test::context_of_its_own)
{
    const auto token = std::make_shared<int>(0);
    int accepted = 0;
    int ran = 0;
    {
        weft::io_context context;
        const auto strand = asio::make_strand(context);
        const asio::any_io_executor any = strand;
        for (int i = 0; i != 30; ++i)
        {
            large_handler h{[&ran, token]
                {
                    ++ran;
                }};
            if (!test::out_of_memory_in(
                    [&]
                    {
                        switch (i % 5)
                        {
                        case 0:
                            asio::post(strand, std::move(h));
                            break;
                        case 1:
                            asio::defer(strand, std::move(h));
                            break;
                        case 2:
                            asio::dispatch(strand, std::move(h));
                            break;
                        case 3:
                            strand.post(std::move(h), std::allocator<void>());
                            break;
                        default:
                            asio::post(any, std::move(h));
                            break;
                        }
                    },
                    i / 5 % 4))
                ++accepted;
        }
        BOOST_TEST(accepted > 0);
        BOOST_TEST(accepted < 30);
        context.run();
        BOOST_TEST(test::out_of_memory_in(
            [&]
            {
                std::vector<strand_type> many;
                for (int i = 0; i != 1000; ++i)
                    many.push_back(asio::make_strand(context));
            }));
    }
    BOOST_TEST(ran == accepted);
    BOOST_TEST(token.use_count() == 1);
}

BOOST_FIXTURE_TEST_CASE(strand_objects_may_outlive_their_context, test::context_of_its_own)
{
    std::optional<strand_type> strand;
    std::optional<asio::any_io_executor> any;
    {
        weft::io_context context;
        strand.emplace(context.get_executor());
        any = *strand;
        asio::post(*strand, [copy = *strand] {});
        context.run();
        asio::post(*strand, [copy = *strand] {});
    }
    const strand_type copy = *strand;
    BOOST_TEST((copy == *strand));
    BOOST_TEST(!copy.running_in_this_thread());
}

// A strand with endless work does not keep others from theirs.
BOOST_AUTO_TEST_CASE(a_strand_that_is_never_empty_is_one_of_many)
{
    const auto strand = asio::make_strand(context);
    int in_strand = 0;
    int outside = 0;
    bool over = false;
    std::function<void()> chain = [&]
    {
        ++in_strand;
        if (!over)
            asio::post(strand, chain);
    };
    // So many that there is always something queued in it.
    for (int i = 0; i != 1000; ++i)
        asio::post(strand, chain);
    std::function<void()> other = [&]
    {
        if (++outside == 100)
            over = true;
        else
            asio::post(context, other);
    };
    asio::post(context, other);
    context.run();
    // A turn is 127 handlers at most.
    BOOST_TEST(in_strand <= 101 * 128 + 2000);
    BOOST_TEST(outside == 100);
}

BOOST_AUTO_TEST_CASE(one_at_a_time_is_one_at_a_time)
{
    const auto strand = asio::make_strand(context);
    int called = 0;
    for (int i = 0; i != 10; ++i)
        asio::post(strand, [&] { ++called; });
    for (int i = 1; i <= 10; ++i)
    {
        BOOST_TEST((i % 2 == 0 ? context.run_one() : context.poll_one()) == 1u);
        BOOST_TEST(called == i);
    }
    BOOST_TEST(context.poll_one() == 0u);
}

BOOST_AUTO_TEST_CASE(a_handler_that_stops_the_context_is_the_last)
{
    const auto strand = asio::make_strand(context);
    std::vector<int> order;
    for (int i = 0; i != 100; ++i)
        asio::post(strand,
            [&, i]
            {
                order.push_back(i);
                if (i == 50)
                    context.stop();
            });
    context.run();
    BOOST_TEST(order.size() == 51u);
    context.restart();
    context.run();
    BOOST_TEST(order.size() == 100u);
    BOOST_TEST(std::is_sorted(order.begin(), order.end()));
}

// What a handler grants is its continuation also where others of the strand are waiting.
BOOST_AUTO_TEST_CASE(a_continuation_does_not_wait_for_the_strand)
{
    const auto strand = asio::make_strand(context);
    std::vector<int> order;
    // So that turns are long.
    for (int i = 0; i != 1000; ++i)
        asio::post(strand, [] {});
    asio::post(strand,
        [&]
        {
            asio::defer(context, [&] { order.push_back(1); });
            order.push_back(0);
        });
    asio::post(strand, [&] { order.push_back(2); });
    context.run();
    BOOST_TEST((order == std::vector<int>{0, 1, 2}));
}

BOOST_AUTO_TEST_CASE(a_handler_may_block_and_its_strand_waits)
{
    weft::thread_pool pool(1);
    const auto strand = asio::make_strand(pool);
    std::latch reached(1);
    std::vector<int> order;
    asio::post(strand,
        [&]
        {
            asio::post(strand, [&] { order.push_back(1); });
            asio::post(pool, [&] { reached.count_down(); });
            weft::run_blocking([&] { reached.wait(); });
            BOOST_TEST(strand.running_in_this_thread());
            order.push_back(0);
        });
    pool.join();
    BOOST_TEST((order == std::vector<int>{0, 1}));
}

BOOST_FIXTURE_TEST_CASE(a_pool_may_be_destroyed_in_its_strand, test::context_of_its_own)
{
    for (bool dispatched : {false, true})
    {
        const std::size_t threads_before = test::threads_at_rest();
        const auto token = std::make_shared<int>(0);
        std::latch destroyed(1);
        {
            auto pool = std::make_unique<weft::thread_pool>(2);
            auto& context = *pool;
            const auto strand = asio::make_strand(context);
            auto posted = std::make_shared<std::latch>(1);
            auto act = [&, p = std::move(pool), strand, token, posted]() mutable
            {
                posted->wait();
                const auto queued = std::make_shared<int>(0);
                for (int i = 0; i != 10; ++i)
                    asio::post(strand, [queued, strand] { BOOST_ERROR("called"); });
                p.reset();
                // With it what was queued in the strand.
                BOOST_TEST(queued.use_count() == 1);
                BOOST_TEST(strand.running_in_this_thread());
                destroyed.count_down();
            };
            if (dispatched)
                asio::post(context, [s = strand, a = std::move(act)]() mutable
                    { asio::dispatch(s, std::move(a)); });
            else
                asio::post(strand, std::move(act));
            posted->count_down();
            destroyed.wait();
        }
        test::wait_until_threads_are(threads_before);
        BOOST_TEST(token.use_count() == 1);
    }
}

BOOST_AUTO_TEST_CASE(a_pool_reports_what_a_strand_throws_and_goes_on)
{
    std::atomic<int> reported = 0;
    weft::options options;
    options.threads = 2;
    options.on_exception = [&](std::exception_ptr)
    {
        ++reported;
    };
    int called = 0;
    {
        weft::thread_pool pool(options);
        const auto strand = asio::make_strand(pool);
        for (int i = 0; i != 1000; ++i)
            asio::post(strand,
                [&, i]
                {
                    ++called;
                    if (i % 10 == 0)
                        throw std::runtime_error("thrown by a handler");
                });
        pool.join();
    }
    BOOST_TEST(called == 1000);
    BOOST_TEST(reported == 100);
}

BOOST_AUTO_TEST_CASE(a_strand_never_has_blocking_always)
{
    weft::thread_pool pool(1);
    const auto always = asio::require(pool.get_executor(), execution::blocking.always);
    const auto strand = asio::make_strand(always);
    BOOST_TEST((asio::query(strand, execution::blocking) == execution::blocking.possibly));
    BOOST_TEST((asio::query(pool.get_executor(), execution::occupancy) ==
                asio::query(strand, execution::occupancy)));
    std::latch called(1);
    strand.execute([&] { called.count_down(); });
    called.wait();
    pool.join();
}

BOOST_AUTO_TEST_CASE(a_strand_in_use_is_not_made_one_of_another_executor)
{
    auto strand = asio::make_strand(context);
    using implementation = asio::strand<asio::any_io_executor>::implementation_type;
    using reference = weft::detail::strand_reference;
    reference r(weft::detail::context_access::get_scheduler(
        static_cast<weft::io_context&>(asio::query(strand, execution::context))));
    {
        reference copy(r);
        BOOST_CHECK_THROW((void)static_cast<implementation>(r), std::logic_error);
    }
    BOOST_TEST(static_cast<implementation>(r) != nullptr);
}

BOOST_AUTO_TEST_CASE(copied_to_one_of_another_executor_it_is_below_that)
{
    auto strand = asio::make_strand(context);
    asio::strand<asio::any_io_executor> above = strand;
    const asio::strand<asio::executor> another = std::as_const(strand);
    above = strand;
    std::atomic<bool> inside = false;
    std::atomic<int> collisions = 0;
    std::vector<int> order;
    const auto section = [&]
    {
        BOOST_TEST_REQUIRE(strand.running_in_this_thread());
        collisions += inside.exchange(true);
        inside = false;
    };
    for (int i = 0; i != 2000; ++i)
    {
        asio::post(strand, section);
        asio::post(another, section);
        asio::post(above,
            [&, i]
            {
                section();
                order.push_back(i);
            });
    }
    test::run_on(context, 3);
    BOOST_TEST(collisions == 0);
    BOOST_TEST(order.size() == 2000u);
    BOOST_TEST(std::is_sorted(order.begin(), order.end()));
}

// What a strand runs in turn with another handler is counted by the call that runs it, and by no
// call around that.
BOOST_AUTO_TEST_CASE(run_says_how_many_handlers_a_strand_has_run)
{
    strand_type const strand(context.get_executor());
    std::size_t ran = 0;
    std::function<void()> again = [&]
    {
        if (++ran % 1000 != 0)
            asio::post(strand, again);
    };
    asio::post(strand, again);
    BOOST_TEST(context.run_one() == 1u);
    BOOST_TEST(ran == 1u);
    BOOST_TEST(context.poll_one() == 1u);
    BOOST_TEST(ran == 2u);
    BOOST_TEST(context.run() == 998u);

    std::size_t inside = 0;
    strand_type const another(context.get_executor());
    for (int i = 0; i != 10; ++i)
        asio::post(strand, [&] { ++ran; });
    asio::post(another,
        [&]
        {
            asio::post(strand, again);
            inside = context.poll();
        });
    context.restart();
    std::size_t const outside = context.run();
    BOOST_TEST(ran == 2000u);
    BOOST_TEST(outside + inside == 1001u);
}

BOOST_AUTO_TEST_SUITE_END()
