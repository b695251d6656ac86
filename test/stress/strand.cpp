// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: a handler of a strand lost, run twice, out of order or beside another one; a strand
// destroyed while somebody uses it. Handlers write plain memory, which the sanitizer watches.

#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "support/asio.hpp"
#include "support/owned.hpp"
#include "support/sanitized.hpp"

#include <random>

namespace
{

using strand_type = asio::strand<weft::io_context::executor_type>;
constexpr std::uint32_t messages = WEFT_TEST_SANITIZED ? 400'000 : 4'000'000;

// A strand, and what only its handlers touch.
struct actor
{
    explicit actor(weft::io_context& context) : strand(context.get_executor())
    {
    }

    strand_type strand;
    std::uint64_t received = 0;
    std::uint64_t wrong = 0;
    std::array<std::uint32_t, 2> last{};
};

// Goes from actor to actor, by whatever function, until it has lived its life.
struct message
{
    std::vector<std::unique_ptr<actor>>* actors;
    actor* here;
    std::uint64_t random;
    std::uint32_t left;
    test::counted_number owner;

    void operator()()
    {
        if (!here->strand.running_in_this_thread())
            ++here->wrong;
        ++here->received;
        if (--left == 0)
            return;
        random = random * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
        auto const at = static_cast<std::size_t>(random >> 33);
        here = (*actors)[at % actors->size()].get();
        // One that may be the last, by the time the post returns.
        strand_type const copy = here->strand;
        switch (at / actors->size() % 8)
        {
        case 0:
            asio::defer(copy, std::move(*this));
            break;
        case 1:
            // Not too deep.
            if (left % 16 != 0)
            {
                asio::dispatch(copy, std::move(*this));
                break;
            }
            [[fallthrough]];
        default:
            asio::post(copy, std::move(*this));
        }
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(strand)

BOOST_FIXTURE_TEST_CASE(messages_between_actors, test::all_are_destroyed)
{
    for (std::size_t count : {2u, 7u, 100u})
    {
        weft::io_context context;
        std::vector<std::unique_ptr<actor>> actors;
        for (std::size_t i = 0; i != count; ++i)
            actors.push_back(std::make_unique<actor>(context));
        constexpr std::uint32_t routes = 64;
        for (std::uint32_t i = 0; i != routes; ++i)
            asio::post(actors[i % count]->strand,
                message{&actors, actors[i % count].get(), i * 77U + 1, messages / routes / 3, {}});
        {
            std::vector<std::thread> threads;
            for (int i = 0; i != 4; ++i)
                threads.emplace_back([&] { context.run(); });
            for (auto& t : threads)
                t.join();
        }
        std::uint64_t received = 0;
        std::uint64_t wrong = 0;
        for (auto const& a : actors)
        {
            received += a->received;
            wrong += a->wrong;
        }
        BOOST_TEST(received == routes * (messages / routes / 3));
        BOOST_TEST(wrong == 0u);
    }
}

BOOST_FIXTURE_TEST_CASE(posts_from_outside_and_inside_keep_their_order, test::all_are_destroyed)
{
    weft::io_context context;
    auto guard = asio::make_work_guard(context);
    constexpr std::uint32_t each = messages / 8;
    actor a(context);
    std::vector<std::thread> threads;
    for (int i = 0; i != 3; ++i)
        threads.emplace_back([&] { context.run(); });
    std::vector<std::thread> posters;
    for (std::size_t p = 0; p != 2; ++p)
        posters.emplace_back(
            [&, p]
            {
                for (std::uint32_t i = 1; i <= each; ++i)
                    asio::post(a.strand,
                        [&a, p, i, owner = test::counted()]
                        {
                            if (std::exchange(a.last[p], i) != i - 1)
                                ++a.wrong;
                            ++a.received;
                            if (i % 32 == 0)
                                asio::post(a.strand, [&a] { ++a.received; });
                        });
            });
    for (auto& t : posters)
        t.join();
    guard.reset();
    for (auto& t : threads)
        t.join();
    BOOST_TEST(a.received == 2 * each + 2 * (each / 32));
    BOOST_TEST(a.wrong == 0u);
}

// Strands that live for a few messages, the last object being anywhere: with the poster, in a
// handler of this strand or another one, in one that is destroyed.
BOOST_FIXTURE_TEST_CASE(strands_that_come_and_go, test::all_are_destroyed)
{
    std::atomic<std::uint32_t> called{0};
    constexpr std::uint32_t rounds = messages / 20;
    {
        weft::thread_pool pool(3);
        using pool_strand = asio::strand<weft::thread_pool::executor_type>;
        std::vector<std::thread> makers;
        for (int m = 0; m != 2; ++m)
            makers.emplace_back(
                [&]
                {
                    for (std::uint32_t i = 0; i != rounds / 2; ++i)
                    {
                        auto shared = std::make_shared<pool_strand>(pool.get_executor());
                        pool_strand const other = asio::make_strand(pool);
                        asio::post(*shared,
                            [&called, shared, other, owner = test::counted()]
                            {
                                ++called;
                                asio::post(other, [&called, shared, owner]
                                    { called += shared.use_count() != 0; });
                            });
                        asio::dispatch(other, [&called, s = *shared, owner = test::counted()]
                            { asio::post(s, [&called, s] { ++called; }); });
                        if (i % 3 == 0)
                            shared.reset();
                    }
                });
        for (auto& t : makers)
            t.join();
        pool.join();
    }
    BOOST_TEST(called == 3 * (rounds / 2 * 2));
}

// A context that goes while others are still inside the posts that ended it.
BOOST_FIXTURE_TEST_CASE(contexts_that_go_right_after_the_last_handler, test::all_are_destroyed)
{
    for (int round = 0; round != (WEFT_TEST_SANITIZED ? 300 : 2000); ++round)
    {
        auto context = std::make_unique<weft::io_context>();
        auto guard = std::make_optional(asio::make_work_guard(*context));
        std::optional<strand_type> strand(context->get_executor());
        std::atomic<int> left{3};
        auto const last = [&, owner = test::counted()]
        {
            if (--left == 0)
                context->stop();
        };
        std::vector<std::thread> runners;
        for (int i = 0; i != 2; ++i)
            runners.emplace_back([&] { context->run(); });
        std::vector<std::thread> posters;
        for (int i = 0; i != 3; ++i)
            posters.emplace_back([&, s = *strand] { asio::post(s, last); });
        strand.reset();
        for (auto& t : runners)
            t.join();
        guard.reset();
        context.reset();
        for (auto& t : posters)
            t.join();
    }
}

BOOST_AUTO_TEST_SUITE_END()
