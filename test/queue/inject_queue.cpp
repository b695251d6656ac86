// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/queue/inject_queue.hpp>

#include "support/node_link.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace
{

struct node
{
    node* next = nullptr;
    int value = 0;
};

using link = test::node_link<node>;
using queue = weft::detail::inject_queue<node, link>;

std::uint32_t narrowed(int i)
{
    return static_cast<std::uint32_t>(i);
}

std::vector<node> make(int count)
{
    std::vector<node> nodes(static_cast<std::size_t>(count));
    for (int i = 0; i != count; ++i)
        nodes[static_cast<std::size_t>(i)].value = i;
    return nodes;
}

// Takes one, unless `oldest` is null.
std::size_t exchange(queue& q, queue::item const* items, std::size_t count, queue::item* oldest)
{
    if (oldest)
        oldest->node = nullptr;
    return q.exchange(
        items, count, [=](std::size_t) { return std::size_t{oldest ? 1u : 0u}; },
        [=](queue::item const& taken) { *oldest = taken; });
}

} // namespace

BOOST_AUTO_TEST_CASE(nodes_come_out_in_the_order_they_went_in_however_many)
{
    queue q;
    auto nodes = make(1000);
    for (int round = 0; round != 3; ++round)
    {
        for (auto& n : nodes)
            q.push(&n);
        BOOST_TEST(q.size() == nodes.size());
        for (auto& n : nodes)
            BOOST_TEST(q.pop() == &n);
        BOOST_TEST(q.empty());
        BOOST_TEST(q.pop() == nullptr);
    }
    BOOST_TEST(q.pushes() == 3000u);
}

BOOST_AUTO_TEST_CASE(a_batch_goes_in_behind_what_is_there)
{
    queue q;
    auto nodes = make(200);
    q.push(&nodes[0]);
    std::vector<queue::item> batch;
    for (std::size_t i = 1; i != nodes.size(); ++i)
        batch.push_back({&nodes[i], 0, 0});
    BOOST_TEST(q.push(batch.data(), batch.size()) == batch.size());
    BOOST_TEST(q.size() == nodes.size());
    for (auto& n : nodes)
        BOOST_TEST(q.pop() == &n);
}

BOOST_AUTO_TEST_CASE(an_exchange_puts_a_batch_in_and_takes_the_oldest)
{
    queue q;
    auto nodes = make(5);
    queue::item oldest{&nodes[0], 1, 1};
    BOOST_TEST(exchange(q, nullptr, 0, &oldest) == 0u);
    BOOST_TEST(oldest.node == nullptr);
    BOOST_TEST(q.empty());

    q.push(&nodes[0], 10);
    queue::item const batch[] = {{&nodes[1], 7, 100}, {&nodes[2], 0, 200}};
    BOOST_TEST(exchange(q, batch, 2, &oldest) == 2u);
    BOOST_TEST(oldest.node == &nodes[0]);
    BOOST_TEST(oldest.stamp == 10u);
    BOOST_TEST(q.size() == 2u);
    BOOST_TEST(q.oldest() == 100u);

    queue::item const one{&nodes[3], 0, 300};
    BOOST_TEST(exchange(q, &one, 1, &oldest) == 1u);
    BOOST_TEST(oldest.node == &nodes[1]);
    BOOST_TEST(oldest.result == 7u);
    BOOST_TEST(oldest.stamp == 100u);
    BOOST_TEST(q.size() == 2u);
    BOOST_TEST(q.pop() == &nodes[2]);
    BOOST_TEST(q.pop() == &nodes[3]);

    // The only one there is comes back.
    BOOST_TEST(exchange(q, &one, 1, &oldest) == 1u);
    BOOST_TEST(oldest.node == &nodes[3]);
    BOOST_TEST(q.empty());
    BOOST_TEST(q.pop() == nullptr);
}

BOOST_AUTO_TEST_CASE(an_exchange_of_one_for_one_does_what_an_exchange_does)
{
    std::mt19937 random(7);
    auto nodes = make(400);
    queue a;
    queue b;
    for (std::size_t i = 0; i != nodes.size(); ++i)
    {
        // More or less in order, as they come from several workers; with pauses, some of which are
        // so long that what is there cannot be compared with it.
        auto const stamp = static_cast<std::uint32_t>(
            4 * (i + random() % 8) + (i / 100) * (i < 200 ? 1'000u : 1u << 30));
        queue::item oldest{&nodes[i], 0, stamp};
        if (random() % 2 == 0)
        {
            queue::item const one = oldest;
            BOOST_TEST(exchange(a, &one, 1, &oldest) == 1u);
            queue::item const other = b.exchange(one);
            BOOST_TEST(other.node == oldest.node);
            BOOST_TEST(other.stamp == oldest.stamp);
        }
        else
        {
            BOOST_TEST(exchange(a, &oldest, 1, nullptr) == 1u);
            BOOST_TEST(exchange(b, &oldest, 1, nullptr) == 1u);
        }
        BOOST_TEST(a.size() == b.size());
        BOOST_TEST((a.empty() || a.oldest() == b.oldest()));
    }
    while (!a.empty())
        BOOST_TEST(a.pop() == b.pop());
    BOOST_TEST(b.empty());
}

BOOST_AUTO_TEST_CASE(an_exchange_takes_as_many_as_it_is_told_once_the_batch_is_in)
{
    queue q;
    auto nodes = make(4);
    q.push(&nodes[1], 100);
    q.push(&nodes[3], 300);
    queue::item const batch[] = {{&nodes[0], 0, 0}, {&nodes[2], 9, 200}};
    std::vector<node*> out;
    BOOST_TEST(q.exchange(
                   batch, 2,
                   [](std::size_t size)
                   {
                       BOOST_TEST(size == 4u);
                       return std::size_t{3};
                   },
                   [&](queue::item const& taken) { out.push_back(taken.node); }) == 2u);
    BOOST_TEST_REQUIRE(out.size() == 3u);
    for (std::size_t i = 0; i != 3; ++i)
        BOOST_TEST(out[i] == &nodes[i]);
    BOOST_TEST(q.size() == 1u);
    BOOST_TEST(q.oldest() == 300u);
}

BOOST_AUTO_TEST_CASE(an_insertion_puts_each_node_before_those_that_became_ready_after_it)
{
    queue q;
    auto nodes = make(4);
    q.push(&nodes[1], 100);
    q.push(&nodes[3], 300);
    // One goes to the front, one into the middle; either may have a result.
    queue::item const older[] = {{&nodes[0], 5, 50}, {&nodes[2], 0, 200}};
    BOOST_TEST(exchange(q, older, 2, nullptr) == 2u);
    BOOST_TEST(q.size() == 4u);
    BOOST_TEST(q.oldest() == 50u);
    queue::item first{};
    BOOST_TEST(exchange(q, nullptr, 0, &first) == 0u);
    BOOST_TEST(first.node == &nodes[0]);
    BOOST_TEST(first.result == 5u);
    BOOST_TEST(first.stamp == 50u);
    for (int i = 1; i != 4; ++i)
        BOOST_TEST(q.pop() == &nodes[static_cast<std::size_t>(i)]);
    BOOST_TEST(q.empty());
    q.push(&nodes[0], 7);
    BOOST_TEST(q.pop() == &nodes[0]);
}

// Batches of several workers, each in order, around the overflow of the stamps, with pops between.
BOOST_AUTO_TEST_CASE(inserted_batches_come_out_in_one_order)
{
    constexpr std::uint32_t step = 64;
    constexpr std::uint32_t start = 0u - 1000 * step;
    constexpr int count = 3000;
    queue q;
    auto nodes = make(count);
    std::minstd_rand random(1);
    // What each worker has queued, and not yet inserted.
    std::array<std::vector<queue::item>, 3> rings;
    std::vector<int> out;
    for (int i = 0; i != count; ++i)
    {
        auto const at = static_cast<std::size_t>(i);
        std::uint32_t const stamp = start + narrowed(i) * step;
        rings[random() % 3].push_back({&nodes[at], random() % 2 != 0 ? narrowed(i) + 1 : 0, stamp});
        auto& ring = rings[random() % 3];
        if (i % 100 != 99 && i != count - 1)
            continue;
        if (i == count - 1)
        {
            for (auto& r : rings)
            {
                BOOST_TEST(exchange(q, r.data(), r.size(), nullptr) == r.size());
                r.clear();
            }
        }
        else
        {
            BOOST_TEST(exchange(q, ring.data(), ring.size(), nullptr) == ring.size());
            ring.clear();
        }
        BOOST_TEST(q.size() + out.size() + rings[0].size() + rings[1].size() + rings[2].size() ==
                   static_cast<std::size_t>(i) + 1);
        // Only what nothing in a ring is older than comes out in the order of all.
        if (i < count / 4)
            continue;
        for (auto& r : rings)
        {
            BOOST_TEST(exchange(q, r.data(), r.size(), nullptr) == r.size());
            r.clear();
        }
        for (int n = 0; n != 90; ++n)
        {
            queue::item oldest{};
            BOOST_TEST(exchange(q, nullptr, 0, &oldest) == 0u);
            BOOST_TEST_REQUIRE(oldest.node);
            BOOST_TEST((oldest.result == 0 || oldest.result == narrowed(oldest.node->value) + 1));
            out.push_back(oldest.node->value);
        }
    }
    while (node* const n = q.pop())
        out.push_back(n->value);
    BOOST_TEST(out.size() == static_cast<std::size_t>(count));
    BOOST_TEST(std::is_sorted(out.begin(), out.end()));
}

BOOST_AUTO_TEST_CASE(a_batch_comes_out_as_large_as_is_asked_for)
{
    queue q;
    auto nodes = make(150);
    for (auto& n : nodes)
        q.push(&n);
    std::vector<int> out;
    auto const take = [&](queue::item const& taken)
    {
        out.push_back(taken.node->value);
    };
    BOOST_TEST(q.pop_batch(
                   [](std::size_t size)
                   {
                       BOOST_TEST(size == 150u);
                       return std::size_t{100};
                   },
                   take) == 100u);
    BOOST_TEST(q.size() == 50u);
    BOOST_TEST(q.pop_batch([](std::size_t) { return std::size_t{100}; }, take) == 50u);
    BOOST_TEST(q.pop_batch([](std::size_t) { return std::size_t{100}; }, take) == 0u);
    for (int i = 0; i != 150; ++i)
        BOOST_TEST(out[static_cast<std::size_t>(i)] == i);
}

BOOST_AUTO_TEST_CASE(results_and_stamps_stay_beside_their_nodes)
{
    queue q;
    auto nodes = make(100);
    std::vector<queue::item> batch;
    for (unsigned i = 0; i != 100; ++i)
        batch.push_back({&nodes[i], i % 3, 1000 * i});
    q.push(&nodes[0], 7);
    BOOST_TEST(q.oldest() == 7u);
    BOOST_TEST(q.push(batch.data(), batch.size()) == batch.size());
    BOOST_TEST(q.oldest() == 7u);
    BOOST_TEST(q.pop() == &nodes[0]);
    unsigned expected = 0;
    while (!q.empty())
    {
        BOOST_TEST(q.oldest() == 1000 * expected);
        q.pop_batch([](std::size_t) { return std::size_t{1}; },
            [&](queue::item const& taken)
            {
                BOOST_TEST(taken.node == &nodes[expected]);
                BOOST_TEST(taken.result == expected % 3);
                BOOST_TEST(taken.stamp == 1000 * expected);
            });
        ++expected;
    }
    BOOST_TEST(expected == 100u);
    // Empty, and filled again.
    q.push(&nodes[1], 5);
    BOOST_TEST(q.oldest() == 5u);
}

BOOST_AUTO_TEST_CASE(how_a_time_is_known_does_not_change_the_order)
{
    queue q;
    auto nodes = make(4);
    q.push(&nodes[0], 4000 | 2);
    q.push(&nodes[1], 4000 | 1);
    queue::item later{&nodes[2], 0, 4000};
    BOOST_TEST(exchange(q, &later, 1, nullptr) == 1u);
    later = {&nodes[3], 0, 3996};
    queue::item oldest{};
    BOOST_TEST(exchange(q, &later, 1, &oldest) == 1u);
    BOOST_TEST(oldest.node == &nodes[3]);
    for (unsigned i = 0; i != 3; ++i)
        BOOST_TEST(q.pop() == &nodes[i]);
}

BOOST_AUTO_TEST_CASE(the_oldest_stamp_is_told_however_long_the_queue_is)
{
    queue q;
    auto nodes = make(5000);
    for (unsigned i = 0; i != 5000; ++i)
        q.push(&nodes[i], 1000 * i);
    for (unsigned i = 0; i != 5000; ++i)
    {
        BOOST_TEST_REQUIRE(q.oldest() == 1000 * i);
        BOOST_TEST_REQUIRE(q.pop() == &nodes[i]);
    }
}

BOOST_AUTO_TEST_CASE(a_queue_that_still_holds_nodes_can_be_destroyed)
{
    auto nodes = make(100);
    queue q;
    for (auto& n : nodes)
        q.push(&n);
}

BOOST_AUTO_TEST_CASE(several_producers_and_consumers_pass_each_node_once)
{
    queue q;
    constexpr int per_thread = 50'000;
    auto nodes = make(2 * per_thread);
    std::vector<std::atomic<int>> seen(nodes.size());
    std::atomic<int> left{2 * per_thread};
    std::vector<std::thread> threads;
    for (int t = 0; t != 2; ++t)
    {
        threads.emplace_back(
            [&, t]
            {
                for (int i = 0; i != per_thread; ++i)
                    q.push(&nodes[static_cast<std::size_t>(t * per_thread + i)]);
            });
        threads.emplace_back(
            [&]
            {
                while (left > 0)
                    q.pop_batch([](std::size_t size) { return size / 2 + 1; },
                        [&](queue::item const& taken)
                        {
                            ++seen[static_cast<std::size_t>(taken.node->value)];
                            --left;
                        });
            });
    }
    for (auto& t : threads)
        t.join();
    int wrong = 0;
    for (auto& s : seen)
        wrong += s != 1;
    BOOST_TEST(wrong == 0);
}
