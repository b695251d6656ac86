// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_TRACE_EVENT_RING_HPP
#define WEFT_SRC_TRACE_EVENT_RING_HPP

// The last events of a worker. The worker writes without waiting for anybody; whoever reads copies
// what is there, and drops what the worker has overwritten meanwhile.

#include <weft/platform/atomic.hpp>

#include "event.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace weft
{
namespace detail
{

class event_ring
{
public:
    /// An event as it is kept: time << 8 | kind, and its payload.
    struct slot
    {
        atomic<std::uint64_t> head{0};
        atomic<std::uint64_t> payload{0};
    };

    /// Of worker `number`, for `size` events, which is a power of two. Throws std::bad_alloc.
    event_ring(std::size_t size, std::size_t number)
        : worker(number), size_(size), slots_(std::make_unique<slot[]>(size))
    {
    }

    event_ring(event_ring const&) = delete;
    event_ring& operator=(event_ring const&) = delete;

    /// By the worker. No two events are of the same nanosecond: a slice from one to the next has a
    /// length.
    void write(std::uint64_t now, event_kind kind, std::uint64_t payload) noexcept
    {
        last_ = now > last_ ? now : last_ + 1;
        std::uint64_t const number = written_.load(memory_order_relaxed);
        slot& s = slots_[static_cast<std::size_t>(number) & (size_ - 1)];
        // Release: who reads a word of this event also sees that all before it had been written,
        // and knows thereby that the event which was here is gone.
        s.head.store(last_ << 8 | static_cast<std::uint64_t>(kind), memory_order_release);
        s.payload.store(payload, memory_order_release);
        // Publishes the event.
        written_.store(number + 1, memory_order_release);
    }

    /// Puts the events that are in the ring into `out`, the oldest first. Returns how many there
    /// were before them. Any thread. Throws std::bad_alloc.
    std::uint64_t copy(std::vector<event>& out) const
    {
        std::uint64_t const end = written_.load(memory_order_acquire);
        std::uint64_t const begin = end > size_ ? end - size_ : 0;
        out.resize(static_cast<std::size_t>(end - begin));
        for (std::uint64_t i = begin; i != end; ++i)
        {
            slot const& s = slots_[static_cast<std::size_t>(i) & (size_ - 1)];
            // Acquire: see write(), and the second look at written_ comes after these.
            std::uint64_t const head = s.head.load(memory_order_acquire);
            event& e = out[static_cast<std::size_t>(i - begin)];
            e.payload = s.payload.load(memory_order_acquire);
            e.time = head >> 8;
            e.kind = static_cast<event_kind>(head & 0xff);
        }
        std::uint64_t const lost = lost_of(written_.load(memory_order_relaxed));
        if (lost <= begin)
            return begin;
        std::uint64_t const dropped = lost < end ? lost - begin : end - begin;
        out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(dropped));
        return begin + dropped;
    }

    /// How many events can have been overwritten when so many are there: the next one may be on its
    /// way.
    std::uint64_t lost_of(std::uint64_t count) const noexcept
    {
        return count >= size_ ? count - size_ + 1 : 0;
    }

    std::uint64_t written() const noexcept
    {
        return written_.load(memory_order_acquire);
    }

    std::size_t size() const noexcept
    {
        return size_;
    }

    /// For who writes them out as they are.
    slot const* slots() const noexcept
    {
        return slots_.get();
    }

    std::size_t const worker;

    // The ring that was made before this one. Written before this one is published.
    event_ring* older = nullptr;

private:
    std::size_t const size_;
    std::unique_ptr<slot[]> const slots_;

    // The worker's own.
    std::uint64_t last_ = 0;

    atomic<std::uint64_t> written_{0};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_TRACE_EVENT_RING_HPP
