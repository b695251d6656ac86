// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_QUEUE_LIFO_SLOT_HPP
#define WEFT_QUEUE_LIFO_SLOT_HPP

// Room for the one piece of work that its worker should run next. Only the owner puts: a foreign
// thread that wrote the slot of a worker about to sleep would strand its work there (the trap T3.1
// of Volt's scheduler). The owner takes with an exchange, because the monitor may take too, when
// the owner is stuck in a long handler.

#include <weft/platform/atomic.hpp>

namespace weft
{
namespace detail
{

template <typename Node>
class lifo_slot
{
public:
    /// Whether the slot was empty at some moment during the call. Any thread.
    bool empty() const noexcept
    {
        return node_.load(memory_order_relaxed) == nullptr;
    }

    /// Puts a node and returns the one it displaces, or null. Owner only.
    [[nodiscard]] Node* put(Node* node) noexcept
    {
        if (empty())
        {
            // And it stays so: others only take.
            node_.store(node, memory_order_release);
            return nullptr;
        }
        return node_.exchange(node, memory_order_acq_rel);
    }

    /// Takes the node, or null. The owner, or the monitor.
    [[nodiscard]] Node* take() noexcept
    {
        if (empty())
            return nullptr;
        // Acquire pairs with the release of put(): the taker may be another thread.
        return node_.exchange(nullptr, memory_order_acq_rel);
    }

private:
    atomic<Node*> node_{nullptr};
};

} // namespace detail
} // namespace weft

#endif // WEFT_QUEUE_LIFO_SLOT_HPP
