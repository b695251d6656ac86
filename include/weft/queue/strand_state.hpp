// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_QUEUE_STRAND_STATE_HPP
#define WEFT_QUEUE_STRAND_STATE_HPP

// What waits for its turn in a strand, whether somebody holds the strand, and how many need it.
//
// The first two are one word: the strand is idle, or held with nothing new, or held and the newest
// node, which links to those before it. A push is one exchange of the word; that of an idle strand
// makes the caller its holder. The holder takes everything with one exchange, and turns the order
// round; it leaves with one, which fails if there is something new. (The stack that is emptied as a
// whole is Treiber's, 1986, without its problem of a node that comes back: nobody takes one alone.)
//
// Each strand object has a reference, and the holder one. The holder is one thread at a time, and
// who copies a strand and destroys the copy is most often that thread: what it gives up it keeps as
// spare, in a plain number, and uses again.

#include <weft/platform/atomic.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

template <typename Node, typename Link>
class strand_state
{
    static_assert(alignof(Node) > 1, "no node has the address that stands for `held`");

public:
    /// Idle, with one reference.
    strand_state() noexcept
    {
        spare_.set(0);
    }

    strand_state(strand_state const&) = delete;
    strand_state& operator=(strand_state const&) = delete;

    /// By somebody who has a reference. `is_holder`: this thread is the holder.
    void add_reference(bool is_holder) noexcept
    {
        if (is_holder && spare_.get() != 0)
            spare_.set(spare_.get() - 1);
        else
            // Relaxed: whoever gets the new reference got it from here.
            references_.fetch_add(1, memory_order_relaxed);
    }

    /// True if that was the last one: the caller destroys the state.
    [[nodiscard]] bool remove_reference(bool is_holder) noexcept
    {
        if (!is_holder)
            return remove(1);
        spare_.set(spare_.get() + 1);
        return false;
    }

    /// Whether there is one reference, the caller's: then there is no holder either.
    bool is_unused() const noexcept
    {
        return references_.load(memory_order_acquire) == 1;
    }

    /// Appends a node. True if the strand was idle: the caller, who has a reference, is the holder
    /// now, for which it has another one. Any thread.
    [[nodiscard]] bool push(Node* node) noexcept
    {
        if (!append(node))
            return false;
        references_.fetch_add(1, memory_order_relaxed);
        return true;
    }

    /// As push(), but it is the caller's own reference that the holder has.
    [[nodiscard]] bool push_with_reference(Node* node) noexcept
    {
        return append(node);
    }

    /// Makes the caller, who has a reference, the holder if the strand is idle. Any thread.
    [[nodiscard]] bool try_hold() noexcept
    {
        std::uintptr_t expected = idle;
        // Acquire: sees what the last holder did.
        if (word_.load(memory_order_relaxed) != idle ||
            !word_.compare_exchange_strong(
                expected, held, memory_order_acquire, memory_order_relaxed))
            return false;
        references_.fetch_add(1, memory_order_relaxed);
        return true;
    }

    /// The holder only: takes all nodes, linked, the oldest first; null if there is none.
    [[nodiscard]] Node* take_all() noexcept
    {
        if (word_.load(memory_order_relaxed) == held)
            return nullptr;
        // Acquire: sees the nodes.
        auto* newest = reinterpret_cast<Node*>(word_.exchange(held, memory_order_acquire));
        Node* oldest = nullptr;
        while (newest)
        {
            Node* const before = Link::next(newest);
            Link::next(newest, oldest);
            oldest = newest;
            newest = before;
        }
        return oldest;
    }

    enum class departure
    {
        refused, ///< there are nodes: the caller is still the holder
        left,    ///< the state is no more the caller's, and may be gone
        last     ///< nobody needs it any more: the caller destroys it
    };

    /// The holder only, who has run what it has taken: makes the strand idle.
    [[nodiscard]] departure leave() noexcept
    {
        if (word_.load(memory_order_relaxed) != held)
            return departure::refused;
        // Once it has left, this is another holder's.
        long const spare = spare_.get();
        spare_.set(0);
        std::uintptr_t expected = held;
        // Release: the next holder sees what this one did.
        if (!word_.compare_exchange_strong(
                expected, idle, memory_order_release, memory_order_relaxed))
        {
            spare_.set(spare);
            return departure::refused;
        }
        return remove(1 + spare) ? departure::last : departure::left;
    }

private:
    static constexpr std::uintptr_t idle = 0;
    static constexpr std::uintptr_t held = 1;

    bool append(Node* node) noexcept
    {
        std::uintptr_t old = word_.load(memory_order_relaxed);
        do
            Link::next(node, old > held ? reinterpret_cast<Node*>(old) : nullptr);
        // Release: publishes the node, and what was done before. Acquire: who becomes the holder
        // sees what the last one did.
        while (!word_.compare_exchange_weak(old, reinterpret_cast<std::uintptr_t>(node),
            memory_order_acq_rel, memory_order_relaxed));
        return old == idle;
    }

    bool remove(long count) noexcept
    {
        // Release: what was done with the state; acquire: by all others.
        return references_.fetch_sub(count, memory_order_acq_rel) == count;
    }

    atomic<std::uintptr_t> word_{idle};
    atomic<long> references_{1};

    // The holder's.
    cell<long> spare_;
};

} // namespace detail
} // namespace weft

#endif // WEFT_QUEUE_STRAND_STATE_HPP
