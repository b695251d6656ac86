// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/queue/ordered_ring.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace
{

struct node
{
};

using ring = weft::detail::ordered_ring<node>;
using item = ring::item;

// Stamps from here on come to the end of the numbers, and begin again.
constexpr std::uint32_t start = 0u - 40'000;

// Behind all that are no younger.
void insert_behind(std::vector<item>& items, item const& added)
{
    items.insert(
        std::upper_bound(items.begin(), items.end(), added,
            [](item const& a, item const& b) { return a.stamp - start < b.stamp - start; }),
        added);
}

// The nodes are not looked at: an address tells which it is.
struct ordered
{
    ring r;
    std::vector<node> nodes = std::vector<node>(200'000);

    item make(std::size_t number, std::uint32_t stamp)
    {
        return {&nodes[number], static_cast<std::uint32_t>(number + 1), stamp};
    }

    std::size_t take()
    {
        item taken{};
        BOOST_TEST_REQUIRE(r.take(taken));
        BOOST_TEST(taken.result == static_cast<std::uint32_t>(taken.node - nodes.data()) + 1);
        return static_cast<std::size_t>(taken.node - nodes.data());
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(an_ordered_ring, ordered)

BOOST_AUTO_TEST_CASE(is_first_in_first_out_however_many_are_in_it)
{
    std::size_t in = 0;
    std::size_t out = 0;
    std::minstd_rand random(1);
    while (out != nodes.size())
    {
        for (std::size_t n = random() % 3000; n != 0 && in != nodes.size(); --n, ++in)
            BOOST_TEST_REQUIRE(r.append(make(in, 0)));
        for (std::size_t n = random() % 2000; n != 0 && out != in; --n, ++out)
            BOOST_TEST_REQUIRE(take() == out);
    }
    BOOST_TEST(r.empty());
}

BOOST_AUTO_TEST_CASE(puts_a_node_behind_those_that_are_no_younger)
{
    for (std::uint32_t stamp : {40u, 80u, 80u, 120u})
        BOOST_TEST(r.append(make(stamp, stamp)));
    item const added[] = {make(1, 80), make(2, 36), make(3, 200), make(4, 100)};
    BOOST_TEST(r.insert(added, 4) == 4u);
    BOOST_TEST(r.oldest_stamp() == 36u);
    for (std::size_t const expected : {2u, 40u, 80u, 80u, 1u, 4u, 120u, 3u})
        BOOST_TEST(take() == expected);
}

// At either end, in the middle, around the end of the memory and that of the numbers, and in rings
// that have just grown.
BOOST_AUTO_TEST_CASE(keeps_the_order_of_stamps_whatever_comes_in_between)
{
    std::minstd_rand random(2);
    std::vector<item> expected;
    std::uint32_t latest = start;
    for (std::size_t i = 0; i != 20'000; ++i)
    {
        latest += 4 * (random() % 2);
        std::uint32_t const age = 4 * (random() % (random() % 8 == 0 ? 3000 : 4));
        item const added = make(i, latest - start < age ? latest : latest - age);
        insert_behind(expected, added);
        BOOST_TEST_REQUIRE(r.insert(&added, 1) == 1u);
        BOOST_TEST_REQUIRE(r.oldest_stamp() == expected.front().stamp);
        if (random() % 16 == 0 || (i > 15'000 && random() % 2 == 0))
        {
            BOOST_TEST_REQUIRE(take() + 1 == expected.front().result);
            expected.erase(expected.begin());
        }
    }
    for (item const& e : expected)
        BOOST_TEST_REQUIRE(take() + 1 == e.result);
    BOOST_TEST(r.empty());
}

// As workers do: what one has queued meanwhile, in order, or as it was stolen.
BOOST_AUTO_TEST_CASE(keeps_the_order_of_stamps_whatever_batches_come)
{
    std::minstd_rand random(3);
    std::vector<item> expected;
    std::size_t number = 0;
    for (std::uint32_t round = 1; round != 2'000; ++round)
    {
        std::vector<item> batch;
        for (std::size_t n = random() % (random() % 16 == 0 ? 200 : 8); n != 0; --n)
            batch.push_back(make(number++ % nodes.size(),
                start + 40 * round + 4 * (random() % (random() % 4 == 0 ? 20'000 : 20))));
        if (random() % 8 != 0)
        {
            std::vector<item> sorted;
            for (item const& added : batch)
                insert_behind(sorted, added);
            batch = sorted;
        }
        for (item const& added : batch)
            insert_behind(expected, added);
        BOOST_TEST_REQUIRE(r.insert(batch.data(), batch.size()) == batch.size());
        for (std::size_t n = random() % 10; n != 0 && !expected.empty(); --n)
        {
            BOOST_TEST_REQUIRE(r.oldest_stamp() == expected.front().stamp);
            BOOST_TEST_REQUIRE(take() + 1 == expected.front().result);
            expected.erase(expected.begin());
        }
    }
    for (item const& e : expected)
        BOOST_TEST_REQUIRE(take() + 1 == e.result);
    BOOST_TEST(r.empty());
}

BOOST_AUTO_TEST_CASE(appends_what_is_too_far_apart_to_be_compared)
{
    BOOST_TEST(r.append(make(0, 0)));
    item const later = make(1, 2u << 30);
    BOOST_TEST(r.insert(&later, 1) == 1u);
    BOOST_TEST(take() == 0u);
    BOOST_TEST(take() == 1u);
}

BOOST_AUTO_TEST_CASE(is_as_good_as_new_after_a_burst_that_is_long_past)
{
    for (std::size_t i = 0; i != nodes.size(); ++i)
        BOOST_TEST_REQUIRE(r.append(make(i, 0)));
    for (std::size_t i = 0; i != nodes.size(); ++i)
        BOOST_TEST_REQUIRE(take() == i);
    for (std::size_t round = 0; round != 1100; ++round)
    {
        for (std::size_t i = 0; i <= round % 100; ++i)
            BOOST_TEST_REQUIRE(r.append(make(i, 0)));
        for (std::size_t i = 0; i <= round % 100; ++i)
            BOOST_TEST_REQUIRE(take() == i);
        BOOST_TEST(r.empty());
    }
}

BOOST_AUTO_TEST_SUITE_END()
