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
        std::uint32_t const words = added.result != 0 ? 2 : 1;
        if (!has_place(words, added.stamp, exact))
            return false;
        chunk& c = *back_;
        if (c.begin == c.end)
            c.stamp = added.stamp;
        c.words[c.end++] = reinterpret_cast<std::uintptr_t>(added.node) | (words - 1);
        if (words == 2)
            c.words[c.end++] = added.result;
        return true;
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
    struct chunk
    {
        // What fills 512 bytes together with the other members.
        static constexpr std::uint32_t capacity = (512 - 3 * 8) / sizeof(std::uintptr_t);

        chunk* next;
        std::uint32_t begin;
        std::uint32_t end;

        // Of the first node; those behind it count as old.
        std::uint32_t stamp;

        // A node's address; plus 1 if it has a result, which is the next word then.
        std::uintptr_t words[capacity];
    };

    // Unused chunks that are kept: half a megabyte, enough for bursts of 60,000. Guessed.
    static constexpr std::size_t most_unused = 1024;

    // Stamps that differ in these bits only are alike.
    static constexpr std::uint32_t stamp_step = 16;

    [[gnu::always_inline]] bool has_place(
        std::uint32_t words, std::uint32_t stamp, bool exact) noexcept
    {
        if (back_ && back_->end + words <= chunk::capacity &&
            (back_->begin == back_->end || stamp - back_->stamp < stamp_step || !exact))
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

    chunk* front_ = nullptr;
    chunk* back_ = nullptr;
    chunk* unused_ = nullptr;
    std::size_t unused_count_ = 0;
};

} // namespace detail
} // namespace weft

#endif // WEFT_QUEUE_NODE_CHUNKS_HPP
