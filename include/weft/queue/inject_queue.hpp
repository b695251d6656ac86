// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_QUEUE_INJECT_QUEUE_HPP
#define WEFT_QUEUE_INJECT_QUEUE_HPP

// The queue for work that comes from outside, and for what spills out of a worker's ring:
// unbounded, first in first out, many producers and many consumers. Pointers in chunks under a
// lock, rather than a lock-free queue: batches move as blocks of pointers, without a look at the
// nodes, which are cold.
//
// A push cannot fail. Where no memory for a chunk is to be had, the nodes are linked through
// themselves behind the chunks, until those are used up.

#include <weft/platform/atomic.hpp>
#include <weft/platform/cache_line.hpp>
#include <weft/platform/mutex.hpp>
#include <weft/queue/op_list.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace weft
{
namespace detail
{

template <typename Node, typename Link>
class inject_queue
{
public:
    inject_queue() noexcept = default;
    inject_queue(inject_queue const&) = delete;
    inject_queue& operator=(inject_queue const&) = delete;

    ~inject_queue()
    {
        free_chunks(front_);
        free_chunks(unused_);
    }

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
        push(node, [] {});
    }

    /// As above. `published()` runs under the lock: others see by then that there is something, and
    /// cannot take the node before it has returned.
    template <typename Published>
    void push(Node* node, Published published) noexcept
    {
        mutex_.lock();
        append(node);
        pushes_.store(pushes_.load(memory_order_relaxed) + 1, memory_order_relaxed);
        publish_size(size_.load(memory_order_relaxed) + 1);
        published();
        mutex_.unlock();
    }

    /// How often the functions above were called. A statistic.
    std::uint64_t pushes() const noexcept
    {
        return pushes_.load(memory_order_relaxed);
    }

    /// Appends `count` nodes under one acquisition of the lock.
    void push(Node* const* nodes, std::size_t count) noexcept
    {
        mutex_.lock();
        for (std::size_t i = 0; i != count; ++i)
            append(nodes[i]);
        publish_size(size_.load(memory_order_relaxed) + count);
        mutex_.unlock();
    }

    /// Takes the oldest node; null if there is none.
    Node* pop() noexcept
    {
        if (empty())
            return nullptr;
        mutex_.lock();
        Node* const node = take();
        if (node)
            publish_size(size_.load(memory_order_relaxed) - 1);
        mutex_.unlock();
        return node;
    }

    /// Takes at most `how_many(size)` of the oldest nodes through `out(node)`, in order. Returns
    /// how many were taken. Both functions run under the lock.
    template <typename HowMany, typename Out>
    std::size_t pop_batch(HowMany how_many, Out out) noexcept
    {
        if (empty())
            return 0;
        mutex_.lock();
        std::size_t const size = size_.load(memory_order_relaxed);
        std::size_t const limit = how_many(size);
        std::size_t taken = 0;
        while (taken < limit)
        {
            Node* const node = take();
            if (!node)
                break;
            out(node);
            ++taken;
        }
        publish_size(size - taken);
        mutex_.unlock();
        return taken;
    }

private:
    struct chunk
    {
        // What fills 512 bytes together with the other members.
        static constexpr std::uint32_t capacity = 62;

        chunk* next;
        std::uint32_t begin;
        std::uint32_t end;
        Node* nodes[capacity];
    };

    // Unused chunks that are kept: half a megabyte, enough for bursts of 60,000. Guessed.
    static constexpr std::size_t most_unused = 1024;

    void append(Node* node) noexcept
    {
        // Behind linked nodes there is no place for another chunk.
        if (!linked_.empty() || !has_place())
        {
            linked_.push(node);
            return;
        }
        back_->nodes[back_->end++] = node;
    }

    bool has_place() noexcept
    {
        if (back_ && back_->end != chunk::capacity)
            return true;
        chunk* added = unused_;
        if (added)
        {
            unused_ = added->next;
            --unused_count_;
        }
        else
        {
            added = static_cast<chunk*>(::operator new(sizeof(chunk), std::nothrow));
            if (!added)
                return false;
        }
        added->next = nullptr;
        added->begin = added->end = 0;
        (back_ ? back_->next : front_) = added;
        back_ = added;
        return true;
    }

    Node* take() noexcept
    {
        chunk* const c = front_;
        if (!c || c->begin == c->end)
            return linked_.pop();
        Node* const node = c->nodes[c->begin++];
        if (c->begin == c->end)
            retire_front();
        return node;
    }

    // The front chunk is used up: the last one starts again, another goes to the unused ones.
    void retire_front() noexcept
    {
        chunk* const c = front_;
        if (c == back_)
        {
            c->begin = c->end = 0;
            return;
        }
        front_ = c->next;
        c->next = nullptr;
        if (unused_count_ == most_unused)
        {
            ::operator delete(c);
            return;
        }
        c->next = unused_;
        unused_ = c;
        ++unused_count_;
    }

    static void free_chunks(chunk* c) noexcept
    {
        while (c)
        {
            chunk* const next = c->next;
            ::operator delete(c);
            c = next;
        }
    }

    void publish_size(std::size_t size) noexcept
    {
        // Release pairs with the acquire of size(): whoever sees work need not see it through the
        // lock. It does not order the store before later loads; whoever pushes then calls
        // idle::work_published().
        size_.store(size, memory_order_release);
    }

    // Not adaptive: measured, twice the throughput where four threads post from outside.
    alignas(cache_line) mutex mutex_;

    // Written under the lock and read without.
    atomic<std::size_t> size_{0};
    atomic<std::uint64_t> pushes_{0};

    // Guarded by mutex_.
    chunk* front_ = nullptr;
    chunk* back_ = nullptr;
    chunk* unused_ = nullptr;
    std::size_t unused_count_ = 0;
    op_list<Node, Link> linked_;
};

} // namespace detail
} // namespace weft

#endif // WEFT_QUEUE_INJECT_QUEUE_HPP
