// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_QUEUE_NODE_CHUNKS_HPP
#define WEFT_QUEUE_NODE_CHUNKS_HPP

// First in, first out: pointers to nodes in chunks of 512 bytes, which are kept when they have been
// used up. One thread at a time. Beside each node stand a number that it is to be run with, and a
// stamp, which nodes that were appended one after the other may share.

#include <weft/platform/narrow.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace weft
{
namespace detail
{

template <typename Node>
class node_chunks
{
    static_assert(alignof(Node) > 1, "the last bit of an address tells of a result");

public:
    struct item
    {
        Node* node;
        std::uint32_t result; // 0: none
        std::uint32_t stamp;
    };

    node_chunks() noexcept = default;
    node_chunks(node_chunks const&) = delete;
    node_chunks& operator=(node_chunks const&) = delete;

    ~node_chunks()
    {
        free_chunks(front_);
        free_chunks(unused_);
    }

    bool empty() const noexcept
    {
        return !front_ || front_->begin == front_->end;
    }

    /// The stamp of the node that is taken next. Not empty.
    std::uint32_t oldest_stamp() const noexcept
    {
        return front_->stamp;
    }

    /// False if there is no memory. With `exact` a node whose stamp is another than that of the
    /// last one keeps it; otherwise it may count as older.
    [[gnu::always_inline]] bool append(item const& added, bool exact) noexcept
    {
        chunk* const c = chunk_for(added, back_, exact);
        if (!c)
            return false;
        c->put(added);
        return true;
    }

    /// Puts each node before those that are younger than it, by their stamps as far as they have
    /// been kept; `exact` as for append(). Returns how many: fewer if there is no memory for the
    /// next one. Complexity: linear in the nodes, if each is no older than the one before, and in
    /// the chunks behind the place of the first.
    std::size_t insert(item const* items, std::size_t count, bool exact) noexcept
    {
        chunk* before = back_;
        for (std::size_t i = 0; i != count; ++i)
        {
            std::uint32_t const stamp = items[i].stamp;
            if (goes_to_the_end(stamp))
            {
                if (!append(items[i], exact))
                    return i;
                before = back_;
                continue;
            }
            while (before && is_younger(before->stamp, stamp))
                before = before->previous;
            while (before && !is_younger(before->next->stamp, stamp))
                before = before->next;
            before = chunk_for(items[i], before, exact);
            if (!before)
                return i;
            before->put(items[i]);
        }
        return count;
    }

    /// Takes the oldest node. False if there is none.
    bool take(item& oldest) noexcept
    {
        if (empty())
            return false;
        chunk* const c = front_;
        std::uintptr_t const word = c->words[c->begin++];
        oldest.node = reinterpret_cast<Node*>(word & ~std::uintptr_t{1});
        oldest.result = (word & 1) != 0 ? narrow<std::uint32_t>(c->words[c->begin++]) : 0;
        oldest.stamp = c->stamp;
        if (c->begin == c->end)
            retire_front();
        return true;
    }

private:
    // Stamps that differ in these bits only are alike.
    static constexpr std::uint32_t stamp_step = 64;

    // The last two bits of a stamp are no part of the time, and are kept (sched/ready_time.hpp).
    static std::uint32_t time_of(std::uint32_t stamp) noexcept
    {
        return stamp & ~std::uint32_t{3};
    }

    struct chunk
    {
        // What fills 512 bytes together with the other members.
        static constexpr std::uint32_t capacity = (512 - 4 * 8) / sizeof(std::uintptr_t);

        chunk* next;
        chunk* previous;
        std::uint32_t begin;
        std::uint32_t end;

        // Of the first node; those behind it count as old.
        std::uint32_t stamp;

        // A node's address; plus 1 if it has a result, which is the next word then.
        std::uintptr_t words[capacity];

        // There is a place for it, and its stamp, no older than the chunk's, is alike if that
        // counts.
        bool takes(item const& added, bool exact) const noexcept
        {
            std::uint32_t const needed = added.result != 0 ? 2 : 1;
            bool const alike = added.stamp - stamp < stamp_step &&
                               time_of(added.stamp ^ stamp) == (added.stamp ^ stamp);
            return end + needed <= capacity && (begin == end || alike || !exact);
        }

        // Behind the others; there is a place.
        void put(item const& added) noexcept
        {
            if (begin == end)
                stamp = added.stamp;
            bool const has_result = added.result != 0;
            words[end++] = reinterpret_cast<std::uintptr_t>(added.node) | (has_result ? 1u : 0u);
            if (has_result)
                words[end++] = added.result;
        }
    };

    // Unused chunks that are kept: half a megabyte, enough for bursts of 60,000. Guessed.
    static constexpr std::size_t most_unused = 1024;

    // Where `added` goes, behind all that is in `before`: there, or in a new chunk behind it, which
    // is in front of all if `before` is null. Null if there is no memory.
    [[gnu::always_inline]] chunk* chunk_for(item const& added, chunk* before, bool exact) noexcept
    {
        if (before && before->takes(added, exact))
            return before;
        chunk* const fresh = take_unused();
        if (fresh)
            link(before, fresh);
        return fresh;
    }

    // Puts a chunk behind `before`; in front of all if that is null.
    void link(chunk* before, chunk* added) noexcept
    {
        chunk* const after = before ? before->next : front_;
        added->previous = before;
        added->next = after;
        (before ? before->next : front_) = added;
        (after ? after->previous : back_) = added;
    }

    // Stamps tell which of two is younger only if they are not too far apart: behind what has been
    // there for 5 minutes is the end.
    bool goes_to_the_end(std::uint32_t stamp) const noexcept
    {
        constexpr std::uint32_t far = 1u << 30;
        return empty() || !is_younger(back_->stamp, stamp) ||
               stamp - front_->stamp + far >= 2 * far;
    }

    static bool is_younger(std::uint32_t stamp, std::uint32_t than) noexcept
    {
        return static_cast<std::int32_t>(time_of(stamp) - time_of(than)) > 0;
    }

    // An empty chunk, linked to nothing; null if there is no memory.
    chunk* take_unused() noexcept
    {
        chunk* c = unused_;
        if (c)
        {
            unused_ = c->next;
            --unused_count_;
        }
        else
        {
            c = static_cast<chunk*>(::operator new(sizeof(chunk), std::nothrow));
            if (!c)
                return nullptr;
        }
        c->begin = c->end = 0;
        return c;
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
        front_->previous = nullptr;
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

    chunk* front_ = nullptr;
    chunk* back_ = nullptr;
    chunk* unused_ = nullptr;
    std::size_t unused_count_ = 0;
};

} // namespace detail
} // namespace weft

#endif // WEFT_QUEUE_NODE_CHUNKS_HPP
