// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_QUEUE_TIMER_HEAP_HPP
#define WEFT_QUEUE_TIMER_HEAP_HPP

// What waits for a time, the earliest first: a heap from whose middle anything can be taken.
//
// Four children to a node: half as many levels as with two, and the children share a cache line
// (Johnson's d-ary heap). The times stand in the heap itself, so that comparing them does not touch
// the nodes; each node knows its place, which is written when it changes.

#include <weft/platform/atomic.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace weft
{
namespace detail
{

/// A point in time, in ticks of a steady clock.
using timer_ticks = std::int64_t;

/// Later than all times that come.
constexpr timer_ticks never = (std::numeric_limits<timer_ticks>::max)();

/// `Node` has a field `heap_place`, a timer_place, which belongs to the heap. One thread at a time.
struct timer_place
{
    static constexpr std::size_t nowhere = (std::numeric_limits<std::size_t>::max)();

    // Whoever may use the heap; a cell, so that a model sees who does.
    cell<std::size_t> index;

    timer_place() noexcept
    {
        index.set(nowhere);
    }
};

template <typename Node>
class timer_heap
{
public:
    bool empty() const noexcept
    {
        return entries_.empty();
    }

    std::size_t size() const noexcept
    {
        return entries_.size();
    }

    /// The earliest time, or `never`.
    timer_ticks earliest() const noexcept
    {
        return entries_.empty() ? never : entries_.front().at;
    }

    static bool contains(Node const& node) noexcept
    {
        return node.heap_place.index.get() != timer_place::nowhere;
    }

    /// Shows all nodes to `out(Node const&)`, in no particular order.
    template <typename Out>
    void for_each(Out out) const
    {
        for (entry const& e : entries_)
            out(*e.node);
    }

    /// Puts in a node that is in no heap. Logarithmic. Throws std::bad_alloc.
    void insert(Node& node, timer_ticks at)
    {
        assert(!contains(node));
        if (entries_.capacity() == 0)
            entries_.reserve(first_room);
        entries_.push_back({at, &node});
        rise(entries_.size() - 1, {at, &node});
    }

    /// Takes out a node that is in this heap. Logarithmic.
    void erase(Node& node) noexcept
    {
        std::size_t const hole = node.heap_place.index.get();
        assert(hole < entries_.size() && entries_[hole].node == &node);
        node.heap_place.index.set(timer_place::nowhere);
        entry const last = entries_.back();
        entries_.pop_back();
        if (hole == entries_.size())
            return;
        if (hole != 0 && last.at < entries_[parent_of(hole)].at)
            rise(hole, last);
        else
            sink(hole, last);
    }

    /// Takes out a node of the earliest time; the heap is not empty.
    Node& pop() noexcept
    {
        Node& node = *entries_.front().node;
        erase(node);
        return node;
    }

private:
    struct entry
    {
        timer_ticks at;
        Node* node;
    };

    static constexpr std::size_t arity = 4;

    // Entries there is room for from the first one on, in four cache lines: how many of a few
    // timers wait at once changes with their order, and a server that has been running for long
    // does not allocate because two of them meet.
    static constexpr std::size_t first_room = 16;

    static constexpr std::size_t parent_of(std::size_t index) noexcept
    {
        return (index - 1) / arity;
    }

    void put(std::size_t index, entry e) noexcept
    {
        entries_[index] = e;
        e.node->heap_place.index.set(index);
    }

    /// Puts an entry where it belongs, at `index` or above.
    void rise(std::size_t index, entry e) noexcept
    {
        while (index != 0 && e.at < entries_[parent_of(index)].at)
        {
            put(index, entries_[parent_of(index)]);
            index = parent_of(index);
        }
        put(index, e);
    }

    /// Puts an entry where it belongs, at `index` or below.
    void sink(std::size_t index, entry e) noexcept
    {
        std::size_t const size = entries_.size();
        for (;;)
        {
            std::size_t const first = arity * index + 1;
            if (first >= size)
                break;
            std::size_t const end = first + arity < size ? first + arity : size;
            std::size_t least = first;
            for (std::size_t child = first + 1; child < end; ++child)
                if (entries_[child].at < entries_[least].at)
                    least = child;
            if (entries_[least].at >= e.at)
                break;
            put(index, entries_[least]);
            index = least;
        }
        put(index, e);
    }

    std::vector<entry> entries_;
};

} // namespace detail
} // namespace weft

#endif // WEFT_QUEUE_TIMER_HEAP_HPP
