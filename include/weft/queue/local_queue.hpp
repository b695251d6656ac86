// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_QUEUE_LOCAL_QUEUE_HPP
#define WEFT_QUEUE_LOCAL_QUEUE_HPP

// The run queue of one worker: a ring into which the owner pushes at the back, from which the owner
// pops at the front, and of which a thief takes half. Nothing here allocates, blocks or wakes.
//
// Who may call what: one thread at a time holds the owner handle; any thread may hold thief
// handles.
//
// Encoding. head = steal:32 | real:32, tail:32, all counting for ever modulo 2^32.
//   steal == real   no thief is at work
//   [steal, real)   claimed by a thief, being copied out
//   [real, tail)    available
// The ring is full when tail - steal == Capacity and empty when tail == real.
//
// Stamps. Beside each entry stands a number that whoever pushed it has chosen, and that anybody may
// read before he takes the entry: when it became ready. It moves with the entry.
//
// Source: the run queue of Go's scheduler and its form in Tokio (multi_thread/queue.rs). Changed:
// the halves have 32 bits, because with 16 a thief that stalls while the owner pops 65,536 times
// succeeds with a stale claim (tokio#5041); the thief's last step is repeated until it succeeds,
// because a steal that is given up after copying runs its tasks twice; what spills is the newest
// half, so that work just fetched from the injection queue does not go straight back to it.

#include <weft/platform/atomic.hpp>
#include <weft/platform/cache_line.hpp>

#include <boost/config.hpp>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <type_traits>

namespace weft
{
namespace detail
{

template <typename T, std::uint32_t Capacity = 256>
class local_queue
{
    static_assert(std::is_trivially_copyable<T>::value,
        "an entry is copied by thieves, and a copy may be thrown away");
    static_assert(Capacity >= 2 && (Capacity & (Capacity - 1)) == 0,
        "positions wrap at 2^32 and must then still name the same slot");

public:
    class owner;
    class thief;

    static constexpr std::uint32_t capacity = Capacity;

    local_queue() noexcept = default;
    local_queue(local_queue const&) = delete;
    local_queue& operator=(local_queue const&) = delete;

    /// For model and unit tests: an empty queue whose positions start at `first`.
    explicit local_queue(std::uint32_t first) noexcept : head_(pack(first, first)), tail_(first)
    {
    }

    /// Entries that can be popped or stolen, as of some moment during the call. Any thread.
    BOOST_FORCEINLINE std::uint32_t size() const noexcept
    {
        // head before tail: the difference is then never negative, only stale.
        std::uint32_t const real = real_of(head_.load(memory_order_acquire));
        std::uint32_t const size = tail_.load(memory_order_acquire) - real;
        return size <= Capacity ? size : Capacity;
    }

    bool empty() const noexcept
    {
        return size() == 0;
    }

    /// The stamp of the entry that is taken next: false if there is none. Any thread; a hint.
    bool oldest(std::uint32_t& stamp) const noexcept
    {
        std::uint32_t const real = real_of(head_.load(memory_order_acquire));
        std::uint32_t const size = tail_.load(memory_order_acquire) - real;
        if (size == 0 || size > Capacity)
            return false;
        stamp = stamps_[real % Capacity].load(memory_order_relaxed);
        return true;
    }

private:
    static std::uint32_t steal_of(std::uint64_t head) noexcept
    {
        return static_cast<std::uint32_t>(head >> 32);
    }

    static std::uint32_t real_of(std::uint64_t head) noexcept
    {
        return static_cast<std::uint32_t>(head);
    }

    static std::uint64_t pack(std::uint32_t steal, std::uint32_t real) noexcept
    {
        return (static_cast<std::uint64_t>(steal) << 32) | real;
    }

    cell<T>& slot(std::uint32_t position) noexcept
    {
        return slots_[position % Capacity];
    }

    atomic<std::uint32_t>& stamp(std::uint32_t position) noexcept
    {
        return stamps_[position % Capacity];
    }

    // Writes an entry to a place that the caller owns. Inline: it is most of a push.
    [[gnu::always_inline]] void set(std::uint32_t position, T entry, std::uint32_t stamped) noexcept
    {
        slot(position).set(entry);
        stamp(position).store(stamped, memory_order_relaxed);
    }

    // Copies an entry, from and to places that the caller owns.
    void move(std::uint32_t from, std::uint32_t to) noexcept
    {
        set(to, slot(from).get(), stamp(from).load(memory_order_relaxed));
    }

    // Advanced by compare-exchange of the owner (pop, spill) and of thieves (claim, finish); by a
    // store of the owner while there are no thieves.
    // Release hands the slots behind the new position back to the owner; acquire takes them.
    alignas(cache_line) atomic<std::uint64_t> head_{0};

    // Written by the owner alone. Its release store publishes the slots before it to thieves.
    alignas(cache_line) atomic<std::uint32_t> tail_{0};

    // slots[p % Capacity] belongs to the owner while p is in [tail, steal + Capacity), is read-only
    // for p in [real, tail), and is read by the one thief at work for p in [steal, real).
    cell<T> slots_[Capacity];

    // Of the entries in the same places. Atomic, because others read them without a claim: who then
    // claims with the head that he has read knows that the entry was the same.
    atomic<std::uint32_t> stamps_[Capacity];
};

/// The owner's rights on a queue.
template <typename T, std::uint32_t Capacity>
class local_queue<T, Capacity>::owner
{
public:
    explicit owner(local_queue& queue) noexcept : queue_(queue)
    {
    }

    std::uint32_t size() const noexcept
    {
        return queue_.size();
    }

    /// Counts, modulo 2^32, what has been put in so far.
    std::uint32_t pushed() const noexcept
    {
        return queue_.tail_.load(memory_order_relaxed);
    }

    /// How many pushes will succeed; a thief that finishes can only make it more.
    [[gnu::always_inline]] std::uint32_t free_slots() const noexcept
    {
        std::uint32_t const tail = queue_.tail_.load(memory_order_relaxed);
        // Acquire pairs with the thief's finish: its reads of the slots come before our writes.
        return Capacity - (tail - steal_of(queue_.head_.load(memory_order_acquire)));
    }

    /// Appends an entry; false if that would leave fewer than `reserve` slots free.
    [[nodiscard]] [[gnu::always_inline]] bool push(
        T entry, std::uint32_t stamp = 0, std::uint32_t reserve = 0) noexcept
    {
        if (free_slots() <= reserve)
            return false;
        std::uint32_t const tail = queue_.tail_.load(memory_order_relaxed);
        queue_.set(tail, entry, stamp);
        queue_.tail_.store(tail + 1, memory_order_release);
        return true;
    }

    /// Takes the oldest entry; false if there is none.
    [[nodiscard]] bool pop(T& entry) noexcept
    {
        std::uint32_t position;
        return pop_from(position, entry);
    }

    /// As above, with its stamp.
    [[nodiscard]] bool pop(T& entry, std::uint32_t& stamp) noexcept
    {
        std::uint32_t position;
        if (!pop_from(position, entry))
            return false;
        stamp = queue_.stamp(position).load(memory_order_relaxed);
        return true;
    }

    /// As pop(), while no thief is at work and none comes. Inline: a call is as much again.
    [[nodiscard]] [[gnu::always_inline]] bool pop_unshared(T& entry) noexcept
    {
        std::uint32_t const tail = queue_.tail_.load(memory_order_relaxed);
        std::uint32_t const real = real_of(queue_.head_.load(memory_order_relaxed));
        if (real == tail)
            return false;
        entry = queue_.slot(real).get();
        queue_.head_.store(pack(real + 1, real + 1), memory_order_release);
        return true;
    }

    /// The entry that the `ahead`-th next pop will return, if no thief is faster; a stale one if
    /// there are not so many. For prefetching only.
    T peek(std::uint32_t ahead) const noexcept
    {
        // Only the owner writes slots.
        return queue_.slot(real_of(queue_.head_.load(memory_order_relaxed)) + ahead).get();
    }

    /// Takes the newest half out, oldest first, through `out(entry, stamp)`, and keeps the oldest
    /// half. An entry for which `movable(entry)` is false stays in the ring. Returns how many went
    /// out: 0 if a thief is at work, or if nothing could go.
    template <typename Movable, typename Out>
    std::uint32_t spill(Movable movable, Out out) noexcept
    {
        std::uint32_t const tail = queue_.tail_.load(memory_order_relaxed);
        std::uint64_t head = queue_.head_.load(memory_order_acquire);
        std::uint32_t first;
        do
        {
            first = real_of(head);
            if (steal_of(head) != first || tail - first < 2)
                return 0;
            // Claim everything. What is kept is published again below, under new positions: taking
            // the tail back would let a thief that has read it claim what is no longer there.
        } while (!queue_.head_.compare_exchange_weak(
            head, pack(tail, tail), memory_order_acq_rel, memory_order_acquire));

        // The i-th entry moves by `count` places, modulo Capacity: onto itself if the ring was
        // full, otherwise onto one that has been read.
        std::uint32_t const count = tail - first;
        std::uint32_t kept = count - count / 2;
        if (count != Capacity)
            for (std::uint32_t i = 0; i != kept; ++i)
                queue_.move(first + i, tail + i);
        std::uint32_t gone = 0;
        for (std::uint32_t i = kept; i != count; ++i)
        {
            T const entry = queue_.slot(first + i).get();
            if (movable(entry))
            {
                out(entry, queue_.stamp(first + i).load(memory_order_relaxed));
                ++gone;
            }
            else
                queue_.move(first + i, tail + kept++);
        }
        queue_.tail_.store(tail + kept, memory_order_release);
        return gone;
    }

private:
    friend class thief;

    bool pop_from(std::uint32_t& position, T& entry) noexcept
    {
        std::uint32_t const tail = queue_.tail_.load(memory_order_relaxed);
        std::uint64_t head = queue_.head_.load(memory_order_acquire);
        for (;;)
        {
            std::uint32_t const real = real_of(head);
            if (real == tail)
                return false;
            std::uint32_t const steal = steal_of(head);
            // While a thief is at work its mark stays where it is.
            std::uint64_t const next = pack(steal == real ? real + 1 : steal, real + 1);
            if (queue_.head_.compare_exchange_weak(
                    head, next, memory_order_acq_rel, memory_order_acquire))
            {
                // Only the owner refills this slot, so that it may be read after the claim.
                entry = queue_.slot(real).get();
                position = real;
                return true;
            }
        }
    }

    local_queue& queue_;
};

/// What everybody else may do with a queue.
template <typename T, std::uint32_t Capacity>
class local_queue<T, Capacity>::thief
{
public:
    explicit thief(local_queue& queue) noexcept : queue_(queue)
    {
    }

    /// Counts, modulo 2^32, what has been taken out so far. Unchanged between two calls: nothing
    /// has been, in between.
    std::uint32_t position() const noexcept
    {
        return real_of(queue_.head_.load(memory_order_acquire));
    }

    /// Takes half of the entries, at least one: the oldest into `first`, the others to the back of
    /// `into`. Returns how many were taken; 0 if there was nothing, or another thief is at work.
    [[nodiscard]] std::uint32_t steal(owner into, T& first) noexcept
    {
        return steal_if(into, first, Capacity, [](std::uint32_t) { return true; });
    }

    /// As above, but `most` at the most, and none unless `wanted(stamp)` holds for the oldest.
    template <typename Wanted>
    [[nodiscard]] std::uint32_t steal_if(
        owner into, T& first, std::uint32_t most, Wanted wanted) noexcept
    {
        std::uint32_t const room = into.free_slots();
        std::uint32_t const to = into.queue_.tail_.load(memory_order_relaxed);

        // 1. Claim: move real, leave steal where it is.
        std::uint64_t head = queue_.head_.load(memory_order_acquire);
        std::uint32_t begin;
        std::uint32_t count;
        do
        {
            begin = real_of(head);
            if (steal_of(head) != begin)
                return 0;
            // Acquire, and after head: the slots up to this tail are written, and the tail is not
            // older than the head it is compared with.
            std::uint32_t const size = queue_.tail_.load(memory_order_acquire) - begin;
            // A head that has moved on since can make the difference absurd; the exchange then
            // fails.
            count = size <= Capacity ? size - size / 2 : 1;
            if (size == 0 || !wanted(queue_.stamp(begin).load(memory_order_relaxed)))
                return 0;
            count = (std::min)({count, most, room + 1});
        } while (!queue_.head_.compare_exchange_weak(
            head, pack(begin, begin + count), memory_order_acq_rel, memory_order_acquire));

        // 2. Copy. The owner may pop behind us meanwhile, but not refill these slots.
        first = queue_.slot(begin).get();
        for (std::uint32_t i = 1; i != count; ++i)
            into.queue_.set(to + i - 1, queue_.slot(begin + i).get(),
                queue_.stamp(begin + i).load(memory_order_relaxed));

        // 3. Finish: bring steal to wherever real is now. It fails each time the owner pops, and is
        // repeated: given up, it would leave the copies in two queues and the mark standing for
        // ever.
        head = queue_.head_.load(memory_order_acquire);
        for (;;)
        {
            std::uint32_t const real = real_of(head);
            assert(steal_of(head) == begin);
            if (queue_.head_.compare_exchange_weak(
                    head, pack(real, real), memory_order_acq_rel, memory_order_acquire))
                break;
        }
        if (count > 1)
            into.queue_.tail_.store(to + count - 1, memory_order_release);
        return count;
    }

private:
    local_queue& queue_;
};

} // namespace detail
} // namespace weft

#endif // WEFT_QUEUE_LOCAL_QUEUE_HPP
