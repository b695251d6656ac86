// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_QUEUE_ORDERED_RING_HPP
#define WEFT_QUEUE_ORDERED_RING_HPP

// First in, first out, with a stamp beside each node, by which others are put between: a ring that
// grows. One thread at a time. Under a lock that several cores acquire in turn the cache lines
// count that each of them has to fetch: here both ends of a short queue are in one line, or two.

#include <weft/platform/cache_line.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

namespace weft
{
namespace detail
{

/// Whether `stamp` is later than another one, from which it is half of all stamps away at most. The
/// last two bits are no part of the time (sched/ready_time.hpp).
inline bool is_younger(std::uint32_t stamp, std::uint32_t than) noexcept
{
    constexpr std::uint32_t time = ~std::uint32_t{3};
    return static_cast<std::int32_t>((stamp & time) - (than & time)) > 0;
}

template <typename Node>
class ordered_ring
{
public:
    struct item
    {
        Node* node;
        std::uint32_t result; // what it is to be run with; 0: nothing
        std::uint32_t stamp;
    };

    ordered_ring() noexcept = default;
    ordered_ring(ordered_ring const&) = delete;
    ordered_ring& operator=(ordered_ring const&) = delete;

    ~ordered_ring()
    {
        release(items_);
    }

    bool empty() const noexcept
    {
        return begin_ == end_;
    }

    /// The stamp of the node that is taken next. Not empty.
    std::uint32_t oldest_stamp() const noexcept
    {
        return at(begin_).stamp;
    }

    /// Behind all others. False if there is no memory. Complexity: constant, amortised.
    [[gnu::always_inline]] bool append(item const& added) noexcept
    {
        if (end_ - begin_ == capacity_ && !grow())
            return false;
        at(end_++) = added;
        last_stamp_ = added.stamp;
        return true;
    }

    /// Puts each node behind those that are no younger than it, by their stamps, if those in the
    /// ring are in order; what was appended out of order may be behind or in front of it. Returns
    /// how many: fewer if there is no memory for the next one. Complexity: linear in the nodes and
    /// in what lies between their places and the nearer end, if they are in order themselves; and
    /// logarithmic in what is there.
    std::size_t insert(item const* items, std::size_t count) noexcept
    {
        // As most do that come alone. If it is not comparable with the others, it goes there, too.
        if (count == 1 && (empty() || !is_younger(last_stamp_, items->stamp)))
            return append(*items) ? 1 : 0;
        while (capacity_ - (end_ - begin_) < count && grow())
            ;
        count = (std::min)(count, std::size_t{capacity_ - (end_ - begin_)});
        if (count != 0)
        {
            bool const are_in_order =
                std::is_sorted(items, items + count,
                    [](item const& a, item const& b) { return is_younger(b.stamp, a.stamp); }) &&
                is_comparable(items[0].stamp) == is_comparable(items[count - 1].stamp);
            if (are_in_order)
                merge(items, static_cast<position>(count));
            else
                for (std::size_t i = 0; i != count; ++i)
                    merge(items + i, 1);
            last_stamp_ = at(end_ - 1).stamp;
        }
        return count;
    }

    /// Puts one node in and takes the oldest, which may be that one: as insert() and take(), but
    /// that a stamp which cannot be compared with the oldest is compared with the next one's. Needs
    /// no memory.
    [[gnu::noinline]] void exchange(item& one) noexcept
    {
        if (empty())
            return;
        item const added = one;
        bool const is_last = !is_younger(last_stamp_, added.stamp);
        if (!is_last && place_of(added.stamp) == begin_)
            return;
        one = at(begin_++);
        if (is_last)
            at(end_++) = added;
        else
            merge(&added, 1);
        last_stamp_ = at(end_ - 1).stamp;
    }

    /// Takes the oldest node. False if there is none.
    bool take(item& oldest) noexcept
    {
        if (empty())
            return false;
        oldest = at(begin_++);
        if (empty())
            has_become_empty();
        return true;
    }

private:
    // Counted on and on: modulo the capacity, which is a power of two, they are places.
    using position = std::uint32_t;

    // One page of entries.
    static constexpr position least_capacity = 256;
    static constexpr position most_capacity = position{1} << 31;

    // A larger ring, of half a megabyte, is given back when it has become empty so often in a row
    // with a fourth of its places used at most. Guessed.
    static constexpr position most_unused = 32 * 1024;
    static constexpr std::uint32_t long_unused = 1024;

    item& at(position p) const noexcept
    {
        return items_[p & (capacity_ - 1)];
    }

    // Stamps tell which of two is younger only if they are not too far apart: behind what has been
    // there for 5 minutes is the end.
    bool is_comparable(std::uint32_t stamp) const noexcept
    {
        constexpr std::uint32_t far = 1u << 30;
        return !empty() && stamp - at(begin_).stamp + far < 2 * far;
    }

    // There is room, and they are in order.
    void merge(item const* items, position count) noexcept
    {
        position const first = place_of(items[0].stamp);
        position const last = count == 1 ? first : place_of(items[count - 1].stamp);
        if (end_ - first <= last - begin_)
        {
            position from = end_;
            end_ += count;
            for (position to = end_; count != 0;)
                at(--to) = from != first && is_younger(at(from - 1).stamp, items[count - 1].stamp)
                               ? at(--from)
                               : items[--count];
        }
        else
        {
            position from = begin_;
            begin_ -= count;
            item const* const behind = items + count;
            for (position to = begin_; items != behind; ++to)
                at(to) = from != last && !is_younger(at(from).stamp, items->stamp) ? at(from++)
                                                                                   : *items++;
        }
    }

    // Behind the last one that is no younger.
    position place_of(std::uint32_t stamp) const noexcept
    {
        if (!is_comparable(stamp))
            return end_;
        // Most belong near the end, and what was appended last need not be in order.
        constexpr unsigned near = 16;
        position place = end_;
        for (unsigned i = 0; i != near; ++i, --place)
            if (place == begin_ || !is_younger(at(place - 1).stamp, stamp))
                return place;
        for (position first = begin_; first != place;)
        {
            position const middle = first + (place - first) / 2;
            if (is_younger(at(middle).stamp, stamp))
                place = middle;
            else
                first = middle + 1;
        }
        return place;
    }

    [[gnu::noinline]] bool grow() noexcept
    {
        if (capacity_ == most_capacity)
            return false;
        position const capacity = capacity_ == 0 ? least_capacity : 2 * capacity_;
        auto* const items = static_cast<item*>(
            ::operator new(capacity * sizeof(item), std::align_val_t(cache_line), std::nothrow));
        if (!items)
            return false;
        position const count = end_ - begin_;
        for (position i = 0; i != count; ++i)
            items[i] = at(begin_ + i);
        release(items_);
        items_ = items;
        capacity_ = capacity;
        begin_ = 0;
        end_ = count;
        return true;
    }

    // It begins again with the same places, which are in the cache.
    void has_become_empty() noexcept
    {
        // So many have been there at once, or fewer.
        position const used = end_;
        begin_ = end_ = 0;
        if (capacity_ <= most_unused)
            return;
        unused_for_ = used > capacity_ / 4 ? 0 : unused_for_ + 1;
        if (unused_for_ == long_unused)
            give_memory_back();
    }

    [[gnu::noinline]] void give_memory_back() noexcept
    {
        release(items_);
        items_ = nullptr;
        capacity_ = 0;
        unused_for_ = 0;
    }

    static void release(item* items) noexcept
    {
        ::operator delete(items, std::align_val_t(cache_line));
    }

    item* items_ = nullptr;
    position capacity_ = 0;
    position begin_ = 0;
    position end_ = 0;

    // Of the last node, if there is any: its place may be in a line that another core has written,
    // and is not to be read for that.
    std::uint32_t last_stamp_ = 0;

    // How often in a row it has become empty with few of the places used.
    std::uint32_t unused_for_ = 0;
};

} // namespace detail
} // namespace weft

#endif // WEFT_QUEUE_ORDERED_RING_HPP
