// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/queue/lifo_slot.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

using slot = weft::detail::lifo_slot<int>;

BOOST_AUTO_TEST_CASE(new_slot_is_empty)
{
    slot s;
    BOOST_TEST(s.empty());
    BOOST_TEST(s.take() == nullptr);
}

BOOST_AUTO_TEST_CASE(what_is_put_is_taken_once)
{
    slot s;
    int node = 0;
    BOOST_TEST(s.put(&node) == nullptr);
    BOOST_TEST(!s.empty());
    BOOST_TEST(s.take() == &node);
    BOOST_TEST(s.empty());
    BOOST_TEST(s.take() == nullptr);
}

BOOST_AUTO_TEST_CASE(newer_node_displaces_the_older)
{
    slot s;
    int older = 0;
    int newer = 0;
    BOOST_TEST(s.put(&older) == nullptr);
    BOOST_TEST(s.put(&newer) == &older);
    BOOST_TEST(s.take() == &newer);
}

BOOST_AUTO_TEST_CASE(owner_and_guard_take_every_node_once)
{
    constexpr std::size_t count = 50'000;
    slot s;
    std::vector<int> nodes(count);
    std::atomic<bool> over{false};
    std::thread guard(
        [&]
        {
            while (!over.load(std::memory_order_acquire))
                if (int* const node = s.take())
                    ++*node;
        });
    for (int& node : nodes)
    {
        if (int* const displaced = s.put(&node))
            ++*displaced;
        if ((&node - nodes.data()) % 3 == 0)
            if (int* const taken = s.take())
                ++*taken;
    }
    over.store(true, std::memory_order_release);
    guard.join();
    if (int* const last = s.take())
        ++*last;

    std::size_t once = 0;
    for (int const times : nodes)
        once += times == 1;
    BOOST_TEST(once == count);
}
