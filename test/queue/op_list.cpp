// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/queue/op_list.hpp>

#include "support/node_link.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace
{

struct node
{
    node* next = nullptr;
    std::size_t value = 0;
};

using link = test::node_link<node>;
using list = weft::detail::op_list<node, link>;
using numbers = std::vector<std::size_t>;

struct fixture
{
    fixture()
    {
        for (std::size_t i = 0; i != nodes.size(); ++i)
            nodes[i].value = i;
    }

    // Pushes the nodes from `begin` up to but not `end`.
    void fill(list& l, std::size_t begin, std::size_t end)
    {
        for (; begin != end; ++begin)
            l.push(&nodes[begin]);
    }

    static numbers drain(list& l)
    {
        numbers all;
        while (node* const n = l.pop())
        {
            BOOST_TEST(n->next == nullptr);
            all.push_back(n->value);
        }
        return all;
    }

    std::array<node, 6> nodes;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(op_list, fixture)

BOOST_AUTO_TEST_CASE(new_list_is_empty)
{
    list l;
    BOOST_TEST(l.empty());
    BOOST_TEST(l.size() == 0u);
    BOOST_TEST(l.pop() == nullptr);
}

BOOST_AUTO_TEST_CASE(nodes_come_out_in_order_and_unlinked)
{
    list l;
    fill(l, 0, 4);
    BOOST_TEST(!l.empty());
    BOOST_TEST(l.size() == 4u);
    BOOST_TEST(drain(l) == (numbers{0, 1, 2, 3}), boost::test_tools::per_element());
    BOOST_TEST(l.empty());
}

BOOST_AUTO_TEST_CASE(emptied_list_takes_nodes_again)
{
    list l;
    fill(l, 0, 2);
    drain(l);
    fill(l, 1, 4);
    BOOST_TEST(l.size() == 3u);
    BOOST_TEST(drain(l) == (numbers{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(pushed_node_forgets_what_it_was_linked_to)
{
    list l;
    nodes[0].next = &nodes[5];
    l.push(&nodes[0]);
    BOOST_TEST(drain(l) == (numbers{0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
