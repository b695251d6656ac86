// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_QUEUE_OP_LIST_HPP
#define WEFT_QUEUE_OP_LIST_HPP

#include <cstddef>

namespace weft
{
namespace detail
{

/// A counted, intrusive, single-threaded first-in first-out list. `Link` reads and writes a node's
/// link: `Node* Link::next(Node*)` and `void Link::next(Node*, Node*)`.
template <typename Node, typename Link>
class op_list
{
public:
    op_list() noexcept = default;
    op_list(op_list const&) = delete;
    op_list& operator=(op_list const&) = delete;

    bool empty() const noexcept
    {
        return front_ == nullptr;
    }

    std::size_t size() const noexcept
    {
        return size_;
    }

    void push(Node* node) noexcept
    {
        Link::next(node, nullptr);
        if (back_)
            Link::next(back_, node);
        else
            front_ = node;
        back_ = node;
        ++size_;
    }

    /// The oldest node, unlinked; null if there is none.
    Node* pop() noexcept
    {
        Node* const node = front_;
        if (node)
        {
            front_ = Link::next(node);
            if (!front_)
                back_ = nullptr;
            Link::next(node, nullptr);
            --size_;
        }
        return node;
    }

private:
    Node* front_ = nullptr;
    Node* back_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace detail
} // namespace weft

#endif // WEFT_QUEUE_OP_LIST_HPP
