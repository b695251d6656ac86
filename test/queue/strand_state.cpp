// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/queue/strand_state.hpp>

#include "support/node_link.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace
{

struct node
{
    node* next = nullptr;
    std::size_t poster = 0;
    std::size_t number = 0;
};

using link = test::node_link<node>;
using state = weft::detail::strand_state<node, link>;

} // namespace

BOOST_AUTO_TEST_SUITE(strand_state)

BOOST_AUTO_TEST_CASE(who_pushes_first_is_the_holder_and_takes_all_in_order)
{
    state s;
    node nodes[3];
    BOOST_TEST(s.push(&nodes[0]));
    BOOST_TEST(!s.push(&nodes[1]));
    BOOST_TEST(!s.push(&nodes[2]));
    BOOST_TEST(!s.try_hold());
    BOOST_TEST((s.leave() == state::departure::refused));
    node* taken = s.take_all();
    for (node& n : nodes)
    {
        BOOST_TEST(taken == &n);
        taken = taken->next;
    }
    BOOST_TEST(taken == nullptr);
    BOOST_TEST(s.take_all() == nullptr);
    BOOST_TEST((s.leave() == state::departure::left));
    BOOST_TEST(s.push(&nodes[1]));
    BOOST_TEST(s.take_all() == &nodes[1]);
    BOOST_TEST((s.leave() == state::departure::left));
    BOOST_TEST(s.remove_reference(false));
}

BOOST_AUTO_TEST_CASE(an_idle_strand_is_held_by_one)
{
    state s;
    node n;
    BOOST_TEST(s.is_unused());
    BOOST_TEST(s.try_hold());
    BOOST_TEST(!s.is_unused());
    BOOST_TEST(!s.try_hold());
    BOOST_TEST(!s.push(&n));
    BOOST_TEST((s.leave() == state::departure::refused));
    BOOST_TEST(s.take_all() == &n);
    BOOST_TEST((s.leave() == state::departure::left));
    BOOST_TEST(s.is_unused());
    BOOST_TEST(s.remove_reference(false));
}

BOOST_AUTO_TEST_CASE(the_holder_is_the_last_one_if_all_others_have_gone)
{
    state s;
    node n;
    BOOST_TEST(s.push_with_reference(&n));
    BOOST_TEST(s.take_all() == &n);
    BOOST_TEST((s.leave() == state::departure::last));
}

BOOST_AUTO_TEST_CASE(what_the_holder_spares_is_given_back_when_it_leaves)
{
    state s;
    BOOST_TEST(s.try_hold());
    for (int round = 0; round != 2; ++round)
    {
        s.add_reference(true);
        s.add_reference(true);
        BOOST_TEST(!s.remove_reference(true));
        BOOST_TEST(!s.remove_reference(true));
    }
    // The first object's goes inside, one that was made inside stays.
    s.add_reference(true);
    BOOST_TEST(!s.remove_reference(true));
    BOOST_TEST(!s.remove_reference(false));
    s.add_reference(true);
    BOOST_TEST((s.leave() == state::departure::left));
    BOOST_TEST(s.is_unused());
    BOOST_TEST(s.remove_reference(false));
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_and_no_two_hold_it)
{
    constexpr std::size_t posters = 3;
    constexpr std::size_t each = 20'000;
    state s;
    std::vector<node> nodes(posters * each);
    std::size_t next[posters] = {};
    std::size_t calls = 0;
    std::atomic<std::size_t> dispatched{0};
    bool in_order = true;
    auto const hold = [&]
    {
        do
            for (node* n = s.take_all(); n; n = n->next)
            {
                in_order = in_order && next[n->poster]++ == n->number;
                ++calls;
            }
        while (s.leave() == state::departure::refused);
    };
    {
        std::vector<std::thread> threads;
        for (std::size_t p = 0; p != posters; ++p)
            threads.emplace_back(
                [&, p]
                {
                    for (std::size_t i = 0; i != each; ++i)
                    {
                        node& n = nodes[p * each + i];
                        n.poster = p;
                        n.number = i;
                        if (s.push(&n))
                            hold();
                        if (i % 16 == 0 && s.try_hold())
                        {
                            ++calls;
                            ++dispatched;
                            hold();
                        }
                    }
                });
        for (auto& t : threads)
            t.join();
    }
    BOOST_TEST(in_order);
    BOOST_TEST(calls == posters * each + dispatched);
    BOOST_TEST(s.is_unused());
}

BOOST_AUTO_TEST_SUITE_END()
