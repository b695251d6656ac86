// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_QUEUE_INJECT_QUEUE_HPP
#define WEFT_QUEUE_INJECT_QUEUE_HPP

// The queue for work that comes from outside, and for what spills out of a worker's ring:
// unbounded, first in first out, many producers and many consumers. Pointers in a ring
// (ordered_ring.hpp) under a lock, rather than a lock-free queue: batches move as blocks of
// pointers, without a look at the nodes, which are cold.
//
// Beside each node stand two numbers that whoever pushed it has chosen: what it is to be run with,
// and a stamp, when it became ready. The oldest node's stamp is read without the lock.
//
// A push cannot fail. Where no memory for a larger ring is to be had, the nodes are linked through
// themselves behind the ring, until that is used up. A node that is linked loses its numbers, so
// that one with a result is refused instead.

#include <weft/platform/atomic.hpp>
#include <weft/platform/cache_line.hpp>
#include <weft/platform/mutex.hpp>
#include <weft/queue/op_list.hpp>
#include <weft/queue/ordered_ring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

template <typename Node, typename Link>
class inject_queue
{
    using ring = ordered_ring<Node>;

public:
    inject_queue() noexcept = default;
    inject_queue(inject_queue const&) = delete;
    inject_queue& operator=(inject_queue const&) = delete;

    /// Whether there is nothing to pop. Before a worker sleeps it calls this after
    /// idle::prepare_wait() (sched/idle.hpp); otherwise it is a hint.
    bool empty() const noexcept
    {
        return size() == 0;
    }

    std::size_t size() const noexcept
    {
        return size_.load(memory_order_acquire);
    }

    /// The stamp of the node that is taken next, as of some moment during the call; meaningless if
    /// the queue is empty. A hint.
    std::uint32_t oldest() const noexcept
    {
        return oldest_.load(memory_order_relaxed);
    }

    using item = typename ring::item;

    [[gnu::always_inline]] void push(Node* node, std::uint32_t stamp = 0) noexcept
    {
        push(
            node, [=](std::uint64_t) { return stamp; }, [] {});
    }

    /// As above. `stamp(pushes())` tells the stamp, and then `published()` runs, both under the
    /// lock: others see by then that there is something, and cannot take the node before it has
    /// returned.
    template <typename Stamp, typename Published>
    [[gnu::always_inline]] void push(Node* node, Stamp stamp, Published published) noexcept
    {
        mutex_.lock();
        std::uint64_t const before = pushes_.load(memory_order_relaxed);
        std::uint32_t const stamped = stamp(before);
        (void)append({node, 0, stamped});
        pushes_.store(before + 1, memory_order_relaxed);
        publish_pushed(1, stamped);
        published();
        mutex_.unlock();
    }

    /// How often the functions above were called. A statistic.
    std::uint64_t pushes() const noexcept
    {
        return pushes_.load(memory_order_relaxed);
    }

    /// Appends `count` nodes under one acquisition of the lock. Returns how many: fewer if there is
    /// no memory for the next one, and it has a result.
    [[nodiscard]] std::size_t push(item const* items, std::size_t count) noexcept
    {
        mutex_.lock();
        std::size_t const done = append_all(items, count);
        mutex_.unlock();
        return done;
    }

    /// As above, but each node goes before those that became ready after it. Then takes at most
    /// `how_many(size)` of the oldest nodes through `out(item)`, as pop_batch() does, under the
    /// same acquisition; one at the most if nodes are left for which there is no memory.
    template <typename HowMany, typename Out>
    [[nodiscard]] std::size_t exchange(
        item const* items, std::size_t count, HowMany how_many, Out out) noexcept
    {
        mutex_.lock();
        // Linked nodes have no stamps.
        bool const in_order = linked_.empty();
        std::size_t const size = size_.load(memory_order_relaxed);
        std::size_t const done = in_order ? ring_.insert(items, count) : append_all(items, count);
        std::size_t const limit = how_many(size + done);
        std::size_t const taken =
            take_batch(done == count ? limit : (std::min<std::size_t>)(limit, 1), out);
        publish_change(in_order ? done : 0, taken);
        mutex_.unlock();
        return done;
    }

    /// The same with one node, which has no result, for one: needs no memory.
    item exchange(item added) noexcept
    {
        mutex_.lock();
        if (linked_.empty())
            ring_.exchange(added);
        else
        {
            (void)append(added);
            (void)take(added);
        }
        publish_change(0, 0);
        mutex_.unlock();
        return added;
    }

    /// Takes the oldest node; null if there is none.
    Node* pop() noexcept
    {
        if (empty())
            return nullptr;
        mutex_.lock();
        item taken;
        bool const any = take(taken);
        if (any)
            publish_change(0, 1);
        mutex_.unlock();
        return any ? taken.node : nullptr;
    }

    /// Takes at most `how_many(size)` of the oldest nodes through `out(item)`, in order.
    /// Returns how many were taken. Both functions run under the lock.
    template <typename HowMany, typename Out>
    std::size_t pop_batch(HowMany how_many, Out out) noexcept
    {
        if (empty())
            return 0;
        mutex_.lock();
        std::size_t const taken = take_batch(how_many(size_.load(memory_order_relaxed)), out);
        publish_change(0, taken);
        mutex_.unlock();
        return taken;
    }

private:
    // Inline: every push and every batch is a loop around it.
    [[gnu::always_inline]] bool append(item const& added) noexcept
    {
        // Nothing goes before linked nodes.
        if (linked_.empty() && ring_.append(added))
            return true;
        if (added.result != 0)
            return false;
        linked_.push(added.node);
        return true;
    }

    std::size_t append_all(item const* items, std::size_t count) noexcept
    {
        std::size_t done = 0;
        while (done != count && append(items[done]))
            ++done;
        if (done != 0)
            publish_pushed(done, items[0].stamp);
        return done;
    }

    bool take(item& oldest) noexcept
    {
        if (ring_.take(oldest))
            return true;
        oldest = {linked_.pop(), 0, oldest_.load(memory_order_relaxed)};
        return oldest.node != nullptr;
    }

    template <typename Out>
    std::size_t take_batch(std::size_t limit, Out& out) noexcept
    {
        item oldest;
        std::size_t taken = 0;
        for (; taken != limit && take(oldest); ++taken)
            out(oldest);
        return taken;
    }

    // The size is stored with release, which pairs with the acquire of size(): whoever sees work
    // need not see it through the lock. It does not order the store before later loads; whoever
    // pushes then calls idle::prepare_notify(). Whoever exchanges does not: the size stays what it
    // was (idle.hpp, lemma 5).

    void publish_pushed(std::size_t count, std::uint32_t first) noexcept
    {
        std::size_t const size = size_.load(memory_order_relaxed);
        if (size == 0)
            oldest_.store(first, memory_order_relaxed);
        size_.store(size + count, memory_order_release);
    }

    void publish_change(std::size_t pushed, std::size_t popped) noexcept
    {
        if (!ring_.empty())
            oldest_.store(ring_.oldest_stamp(), memory_order_relaxed);
        size_.store(size_.load(memory_order_relaxed) + pushed - popped, memory_order_release);
    }

    // Not adaptive: measured, twice the throughput where four threads post from outside.
    alignas(cache_line) mutex mutex_;

    // Written under the lock and read without.
    atomic<std::size_t> size_{0};
    atomic<std::uint64_t> pushes_{0};
    atomic<std::uint32_t> oldest_{0};

    // Guarded by mutex_.
    ring ring_;
    op_list<Node, Link> linked_;
};

} // namespace detail
} // namespace weft

#endif // WEFT_QUEUE_INJECT_QUEUE_HPP
