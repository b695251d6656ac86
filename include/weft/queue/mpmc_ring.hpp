// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_QUEUE_MPMC_RING_HPP
#define WEFT_QUEUE_MPMC_RING_HPP

// A bounded queue, first in first out, for any number of producers and consumers. Nothing here
// blocks or wakes; the slots are allocated once.
//
// Encoding. Positions (head, tail) and the stamps of slots are one kind of number:
//
//   lap | mark | index      index in [0, capacity), in the bits below the mark
//
// so that any capacity is exact, and neither a division nor a mask turns a position into a slot.
// After the last index comes index 0 of the next lap. Laps count modulo their bits. The mark is set
// in the tail only: closed, no more pushes; and since the tail is another number then, whoever was
// about to claim a slot fails.
//
//   stamp == tail       the slot is free, for the push at this position
//   stamp == head + 1   the slot is filled, for the pop at this position
//
// A push or pop first claims its slot by moving tail or head on, and then has the slot for itself
// until it moves the stamp on. In between the slot is busy: there is a value, or a place, but not
// yet for others.
//
// Source: Dmitry Vyukov's bounded MPMC queue, in the form of crossbeam-channel's array flavour
// (laps, mark). Changed: "full" and "empty" are proved by seq_cst loads rather than fences; a push
// that finds the ring full behind an unfinished push says so instead of waiting for that; busy is
// an outcome of its own, because whoever wants to sleep until something changes may sleep on full
// and empty but not on busy (sync/channel_core.hpp says why).
//
// A claimed slot must be filled: what is pushed is constructed there without throwing. Types that
// may throw go into a box first (queue/message.hpp).

#include <weft/platform/atomic.hpp>
#include <weft/platform/backoff.hpp>
#include <weft/platform/cache_line.hpp>
#include <weft/platform/narrow.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{

/// What became of a push or a pop.
enum class ring_result
{
    done,
    blocked, // push: full; pop: empty
    busy,    // waits for another thread, which has claimed a slot and not finished
    closed   // push: for ever; pop: and empty
};

/// How the positions of a ring with `capacity` slots follow one another: the index of a slot, a
/// bit that marks the ring as closed, and the lap.
class ring_positions
{
protected:
    explicit ring_positions(std::uint64_t capacity) noexcept
        : mark_(power_above(capacity)), capacity_(capacity)
    {
    }

    std::uint64_t one_lap() const noexcept
    {
        return 2 * mark_;
    }

    std::uint64_t position_after(std::uint64_t position) const noexcept
    {
        return (position & (mark_ - 1)) + 1 < capacity_ ? position + 1
                                                        : (position & ~(one_lap() - 1)) + one_lap();
    }

    // Constant, but for swaps.
    std::uint64_t mark_;
    std::uint64_t capacity_;

private:
    static std::uint64_t power_above(std::uint64_t n) noexcept
    {
        std::uint64_t power = 1;
        while (power <= n && power != 0)
            power *= 2;
        return power;
    }
};

template <typename T>
class mpmc_ring : ring_positions
{
    static_assert(std::is_nothrow_destructible<T>::value,
        "between claim and release of a slot nothing may throw");

public:
    /// The largest capacity: three bits of a position are not the index's.
    static constexpr std::uint64_t max_capacity = (std::uint64_t(1) << 61) - 1;

    /// Makes an empty ring with `capacity` slots, at least one; its positions start at lap `first`,
    /// which only tests want to be another than 0. Throws std::length_error if that is more than
    /// max_capacity, and std::bad_alloc.
    explicit mpmc_ring(std::uint64_t capacity, std::uint64_t first = 0)
        : ring_positions(capacity), tail_(first * one_lap()), head_(first * one_lap())
    {
        slots_.reset(new slot[checked_size(capacity)]);
        for (std::uint64_t i = 0; i != capacity_; ++i)
            slots_[i].stamp.store(first * one_lap() + i, memory_order_relaxed);
    }

    mpmc_ring(mpmc_ring const&) = delete;
    mpmc_ring& operator=(mpmc_ring const&) = delete;

    ~mpmc_ring()
    {
        while (pop([](T&&) noexcept {}) == ring_result::done)
        {
        }
    }

    /// Exchanges everything with `other`. Nobody else uses either.
    void swap(mpmc_ring& other) noexcept
    {
        std::swap(mark_, other.mark_);
        std::swap(capacity_, other.capacity_);
        std::swap(slots_, other.slots_);
        swap(tail_, other.tail_);
        swap(head_, other.head_);
    }

    std::uint64_t capacity() const noexcept
    {
        return capacity_;
    }

    /// Appends what `construct(void*)` makes. It is called if there is room, and must not throw.
    template <typename Construct>
    [[nodiscard]] ring_result push_with(Construct&& construct) noexcept;

    /// Appends `value`, which stays as it is if there is no room.
    [[nodiscard]] ring_result push(T&& value) noexcept
    {
        static_assert(std::is_nothrow_move_constructible<T>::value,
            "between claim and release of a slot nothing may throw");
        return push_with([&](void* place) noexcept { ::new (place) T(std::move(value)); });
    }

    /// Takes the oldest value: `take(T&&)`. It is called if there is one, and must not throw.
    template <typename Take>
    ring_result pop(Take&& take) noexcept;

    /// What a push would do now.
    ring_result probe_push() const noexcept
    {
        std::uint64_t tail = tail_.load(memory_order_relaxed);
        return find_free(tail);
    }

    /// What a pop would do now.
    ring_result probe_pop() const noexcept
    {
        std::uint64_t head = head_.load(memory_order_relaxed);
        return find_filled(head);
    }

    /// No push succeeds any more. Those that have claimed a slot will finish.
    void close() noexcept
    {
        tail_.fetch_or(mark_, memory_order_seq_cst);
    }

    /// Takes close() back.
    void reopen() noexcept
    {
        tail_.fetch_and(~mark_, memory_order_seq_cst);
    }

    bool closed() const noexcept
    {
        return (tail_.load(memory_order_seq_cst) & mark_) != 0;
    }

    /// How many slots are claimed by pushes and not by pops: at some moment during the call.
    std::uint64_t size() const noexcept;

private:
    struct slot
    {
        // Written by whoever has claimed the slot. Release hands the room on, acquire takes it.
        atomic<std::uint64_t> stamp;
        room<T> value;
    };

    static void swap(atomic<std::uint64_t>& a, atomic<std::uint64_t>& b) noexcept
    {
        std::uint64_t const old = a.load(memory_order_relaxed);
        a.store(b.load(memory_order_relaxed), memory_order_relaxed);
        b.store(old, memory_order_relaxed);
    }

    static std::size_t checked_size(std::uint64_t capacity)
    {
        if (capacity > max_capacity || capacity > SIZE_MAX / sizeof(slot) / 2)
            throw std::length_error("weft: capacity");
        return narrow<std::size_t>(capacity);
    }

    slot& slot_at(std::uint64_t position) const noexcept
    {
        return slots_[narrow<std::size_t>(position & (mark_ - 1))];
    }

    ring_result find_free(std::uint64_t& tail) const noexcept;
    ring_result find_filled(std::uint64_t& head) const noexcept;

    // Constant, but for swap().
    std::unique_ptr<slot[]> slots_;

    // Moved on by whoever claims a slot, by a seq_cst exchange: it comes before the look for
    // waiters of the one who did, in the one order of all such operations.
    alignas(cache_line) atomic<std::uint64_t> tail_;
    alignas(cache_line) atomic<std::uint64_t> head_;
};

/// Starts from a tail of any age. If the result is done, the slot at `tail` was free.
///
/// What is loaded late proves what was loaded early: the tail is never more than a lap ahead of the
/// head, so one that is exactly a lap ahead of a younger head has not moved meanwhile.
template <typename T>
ring_result mpmc_ring<T>::find_free(std::uint64_t& tail) const noexcept
{
    for (;;)
    {
        if ((tail & mark_) != 0)
            return ring_result::closed;
        // Acquire pairs with the pop that has moved the last value out of the slot.
        if (slot_at(tail).stamp.load(memory_order_acquire) == tail)
            return ring_result::done;
        // seq_cst: a pop that claims later finds out about whoever went to sleep on "full". Pairs
        // with the exchange in pop().
        if (head_.load(memory_order_seq_cst) + one_lap() == tail)
            return ring_result::blocked;
        std::uint64_t const now = tail_.load(memory_order_seq_cst);
        if (now == tail)
            return ring_result::busy;
        tail = now;
    }
}

/// Starts from a head of any age. If the result is done, the slot at `head` was filled.
template <typename T>
ring_result mpmc_ring<T>::find_filled(std::uint64_t& head) const noexcept
{
    for (;;)
    {
        // Acquire pairs with the push that has made the value.
        if (slot_at(head).stamp.load(memory_order_acquire) == head + 1)
            return ring_result::done;
        // seq_cst: a push that claims later finds out about whoever went to sleep on "empty". Pairs
        // with the exchange in push_with(). By the tail and not by the stamp: a stamp is published
        // after the claim, and may not have arrived here when its pusher looks for sleepers.
        std::uint64_t const tail = tail_.load(memory_order_seq_cst);
        if (tail == head)
            return ring_result::blocked;
        // Not before the last claimed value is out: its pusher will say that it was sent.
        if (tail == (head | mark_))
            return ring_result::closed;
        std::uint64_t const now = head_.load(memory_order_seq_cst);
        if (now == head)
            return ring_result::busy;
        head = now;
    }
}

template <typename T>
template <typename Construct>
ring_result mpmc_ring<T>::push_with(Construct&& construct) noexcept
{
    backoff retry;
    std::uint64_t tail = tail_.load(memory_order_relaxed);
    for (;;)
    {
        ring_result const r = find_free(tail);
        if (r != ring_result::done)
            return r;
        std::uint64_t const mine = tail;
        if (tail_.compare_exchange_weak(
                tail, position_after(mine), memory_order_seq_cst, memory_order_relaxed))
        {
            slot& s = slot_at(mine);
            s.value.fill(construct);
            s.stamp.store(mine + 1, memory_order_release);
            return ring_result::done;
        }
        retry.pause();
    }
}

template <typename T>
template <typename Take>
ring_result mpmc_ring<T>::pop(Take&& take) noexcept
{
    backoff retry;
    std::uint64_t head = head_.load(memory_order_relaxed);
    for (;;)
    {
        ring_result const r = find_filled(head);
        if (r != ring_result::done)
            return r;
        std::uint64_t const mine = head;
        if (head_.compare_exchange_weak(
                head, position_after(mine), memory_order_seq_cst, memory_order_relaxed))
        {
            slot& s = slot_at(mine);
            take(std::move(s.value.value()));
            s.value.clear();
            s.stamp.store(mine + one_lap(), memory_order_release);
            return ring_result::done;
        }
        retry.pause();
    }
}

template <typename T>
std::uint64_t mpmc_ring<T>::size() const noexcept
{
    std::uint64_t tail = tail_.load(memory_order_seq_cst);
    for (;;)
    {
        std::uint64_t const head = head_.load(memory_order_seq_cst);
        std::uint64_t const now = tail_.load(memory_order_seq_cst);
        if (now == tail)
        {
            std::uint64_t const front = head & (mark_ - 1);
            std::uint64_t const back = tail & (mark_ - 1);
            if (front != back)
                return front < back ? back - front : capacity_ - front + back;
            return (tail & ~mark_) == head ? 0 : capacity_;
        }
        tail = now;
    }
}

} // namespace detail
} // namespace weft

#endif // WEFT_QUEUE_MPMC_RING_HPP
