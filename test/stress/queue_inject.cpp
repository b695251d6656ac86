// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/queue/inject_queue.hpp>

#include "support/node_link.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace
{

struct node
{
    node* next = nullptr;
    std::size_t producer = 0;
    std::size_t number = 0;
    unsigned times = 0;
};

using link = test::node_link<node>;
using queue = weft::detail::inject_queue<node, link>;

constexpr std::size_t producers = 2;
constexpr std::size_t consumers = 2;
constexpr std::size_t per_producer = 250'000;

void produce(queue& q, std::vector<node>& nodes, std::size_t producer)
{
    queue::item batch[100];
    for (std::size_t i = 0; i != per_producer;)
    {
        // Single nodes and batches of every size in turn.
        std::size_t const size = i % 101;
        if (size < 2 || per_producer - i < size)
        {
            nodes[i].producer = producer;
            nodes[i].number = i;
            q.push(&nodes[i++]);
            continue;
        }
        for (std::size_t n = 0; n != size; ++n, ++i)
        {
            nodes[i].producer = producer;
            nodes[i].number = i;
            // Some with a result, which takes more room.
            batch[n] = {
                &nodes[i], static_cast<std::uint32_t>(i % 3), static_cast<std::uint32_t>(i)};
        }
        (void)q.push(batch, size);
    }
}

} // namespace

// Each node comes out once, and no consumer sees the nodes of a producer out of order.
BOOST_AUTO_TEST_CASE(every_node_comes_out_once_and_in_its_producer_s_order)
{
    queue q;
    std::array<std::vector<node>, producers> nodes;
    std::atomic<std::size_t> left{producers * per_producer};
    std::atomic<bool> in_order{true};
    std::vector<std::thread> threads;
    for (std::size_t p = 0; p != producers; ++p)
    {
        nodes[p].resize(per_producer);
        threads.emplace_back([&, p] { produce(q, nodes[p], p); });
    }
    for (std::size_t c = 0; c != consumers; ++c)
        threads.emplace_back(
            [&]
            {
                std::array<std::size_t, producers> next{};
                auto const take = [&](node* n)
                {
                    ++n->times;
                    if (n->number < next[n->producer])
                        in_order = false;
                    next[n->producer] = n->number + 1;
                };
                for (bool single = false; left.load(std::memory_order_relaxed) != 0;
                     single = !single)
                {
                    std::size_t taken = 0;
                    if (!single)
                        taken = q.pop_batch([](std::size_t size) { return size / 2 + 1; },
                            [&](queue::item const& one)
                            {
                                if (one.result != 0 && one.result != one.node->number % 3)
                                    in_order = false;
                                take(one.node);
                            });
                    else if (node* const n = q.pop())
                    {
                        take(n);
                        taken = 1;
                    }
                    left -= taken;
                    if (taken == 0)
                        std::this_thread::yield();
                }
            });
    for (std::thread& t : threads)
        t.join();

    BOOST_TEST(q.empty());
    BOOST_TEST(in_order);
    std::size_t once = 0;
    for (auto const& of_producer : nodes)
        for (node const& n : of_producer)
            once += n.times == 1;
    BOOST_TEST(once == producers * per_producer);
}
