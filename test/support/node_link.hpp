// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_SUPPORT_NODE_LINK_HPP
#define WEFT_TEST_SUPPORT_NODE_LINK_HPP

namespace test
{

/// How nodes with a member `next` are linked.
template <typename Node>
struct node_link
{
    static Node* next(Node* n) noexcept
    {
        return n->next;
    }

    static void next(Node* n, Node* following) noexcept
    {
        n->next = following;
    }
};

} // namespace test

#endif // WEFT_TEST_SUPPORT_NODE_LINK_HPP
