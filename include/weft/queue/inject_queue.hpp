// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_QUEUE_INJECT_QUEUE_HPP
#define WEFT_QUEUE_INJECT_QUEUE_HPP

// The queue for work that comes from outside, and for what spills out of a worker's ring: unbounded,
// first in first out, many producers and many consumers. A list under a lock rather than a lock-free
// queue: batches move in constant time, nothing is allocated, so that neither a push nor a spill can
// fail, and the lock is held for a few instructions.

#include <weft/platform/atomic.hpp>
#include <weft/platform/cache_line.hpp>
#include <weft/platform/mutex.hpp>
#include <weft/queue/op_list.hpp>

#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

template <typename Node, typename Link>
class inject_queue
{
public:
    using list = op_list<Node, Link>;

    /// Whether there is nothing to pop. Before a worker sleeps it calls this after its announcement
    /// (sched/idle.hpp); otherwise it is a hint.
    bool empty() const noexcept
    {
        return size() == 0;
    }

    std::size_t size() const noexcept
    {
        return size_.load(memory_order_acquire);
    }

    void push(Node* node) noexcept
    {
        mutex_.lock();
        nodes_.push(node);
        pushes_.store(pushes_.load(memory_order_relaxed) + 1, memory_order_relaxed);
        publish_size();
        mutex_.unlock();
    }

    /// How often the function above was called. A statistic.
    std::uint64_t pushes() const noexcept
    {
        return pushes_.load(memory_order_relaxed);
    }

    /// Appends all of `batch` under one acquisition of the lock.
    void push(list& batch) noexcept
    {
        mutex_.lock();
        nodes_.splice(batch);
        publish_size();
        mutex_.unlock();
    }

    /// Takes the oldest node; null if there is none.
    Node* pop() noexcept
    {
        if (empty())
            return nullptr;
        mutex_.lock();
        Node* const node = nodes_.pop();
        publish_size();
        mutex_.unlock();
        return node;
    }

    /// Takes at most `how_many(size)` of the oldest nodes through `out(node)`, in order. Returns how
    /// many were taken. Both functions run under the lock.
    template <typename HowMany, typename Out>
    std::size_t pop_batch(HowMany how_many, Out out) noexcept
    {
        if (empty())
            return 0;
        mutex_.lock();
        std::size_t const limit = how_many(nodes_.size());
        std::size_t taken = 0;
        while (taken < limit)
        {
            Node* const node = nodes_.pop();
            if (!node)
                break;
            out(node);
            ++taken;
        }
        publish_size();
        mutex_.unlock();
        return taken;
    }

private:
    void publish_size() noexcept
    {
        // Release pairs with the acquire of size(): whoever sees work need not see it through the
        // lock. It does not order the store before later loads; whoever pushes then calls notify().
        size_.store(nodes_.size(), memory_order_release);
    }

    alignas(cache_line) mutex mutex_;

    // nodes_.size(), written under the lock and read without.
    atomic<std::size_t> size_{0};

    // Written under the lock.
    atomic<std::uint64_t> pushes_{0};

    // Guarded by mutex_.
    list nodes_;
};

} // namespace detail
} // namespace weft

#endif // WEFT_QUEUE_INJECT_QUEUE_HPP
