// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/queue/timer_heap.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <map>
#include <random>
#include <vector>

namespace
{

struct node
{
    weft::detail::timer_place heap_place;
    weft::detail::timer_ticks at = 0;
};

using heap = weft::detail::timer_heap<node>;

} // namespace

BOOST_AUTO_TEST_CASE(an_empty_timer_heap_has_no_time)
{
    heap h;
    BOOST_TEST(h.empty());
    BOOST_TEST(h.earliest() == weft::detail::never);
}

BOOST_AUTO_TEST_CASE(a_timer_heap_contains_what_was_put_in_and_not_taken_out)
{
    heap h;
    node n;
    BOOST_TEST(!heap::contains(n));
    h.insert(n, 5);
    BOOST_TEST(heap::contains(n));
    BOOST_TEST(h.earliest() == 5);
    BOOST_TEST(&h.pop() == &n);
    BOOST_TEST(!heap::contains(n));
    BOOST_TEST(h.empty());
    h.insert(n, weft::detail::never);
    BOOST_TEST(!h.empty());
    BOOST_TEST(h.earliest() == weft::detail::never);
    h.erase(n);
    BOOST_TEST(h.empty());
}

BOOST_AUTO_TEST_CASE(a_timer_heap_shows_all_that_are_in_it)
{
    heap h;
    std::vector<node> nodes(20);
    for (node& n : nodes)
        h.insert(n, 7);
    h.erase(nodes[3]);
    std::map<node const*, int> seen;
    h.for_each([&](node const& n) { ++seen[&n]; });
    BOOST_TEST(seen.size() == 19u);
    BOOST_TEST(seen.count(&nodes[3]) == 0u);
    for (auto const& [n, count] : seen)
        BOOST_TEST(count == 1);
    while (!h.empty())
        h.pop();
}

BOOST_AUTO_TEST_CASE(a_timer_heap_pops_the_earliest_of_any_size)
{
    std::mt19937 random(1);
    for (std::size_t size = 1; size != 90; ++size)
    {
        std::vector<node> nodes(size);
        heap h;
        for (node& n : nodes)
        {
            n.at = static_cast<weft::detail::timer_ticks>(random() % 50);
            h.insert(n, n.at);
        }
        weft::detail::timer_ticks last = -1;
        for (std::size_t left = size; left != 0; --left)
        {
            BOOST_TEST_REQUIRE(h.size() == left);
            weft::detail::timer_ticks const earliest = h.earliest();
            node const& n = h.pop();
            BOOST_TEST_REQUIRE(n.at == earliest);
            BOOST_TEST_REQUIRE(last <= n.at);
            last = n.at;
        }
        BOOST_TEST(h.empty());
    }
}

BOOST_AUTO_TEST_CASE(a_timer_heap_loses_nothing_from_its_middle)
{
    std::mt19937 random(2);
    std::vector<node> nodes(200);
    heap h;
    std::multimap<weft::detail::timer_ticks, node*> in;
    for (int step = 0; step != 100'000; ++step)
    {
        node& n = nodes[random() % nodes.size()];
        if (heap::contains(n))
        {
            auto at = in.lower_bound(n.at);
            while (at->second != &n)
                ++at;
            in.erase(at);
            h.erase(n);
        }
        else
        {
            n.at = static_cast<weft::detail::timer_ticks>(random() % 1000);
            in.emplace(n.at, &n);
            h.insert(n, n.at);
        }
        BOOST_TEST_REQUIRE(h.size() == in.size());
        BOOST_TEST_REQUIRE(h.earliest() == (in.empty() ? weft::detail::never : in.begin()->first));
    }
}
