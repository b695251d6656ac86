// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_TRACE_SHARED_RING_HPP
#define WEFT_SRC_TRACE_SHARED_RING_HPP

// What threads have done that are no workers: they take turns at one ring.

#include <weft/platform/atomic.hpp>
#include <weft/platform/mutex.hpp>

#include "event_ring.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace weft
{
namespace detail
{

class shared_ring
{
public:
    static constexpr std::size_t most_events = std::size_t{1} << 12;

    /// Once. It is somebody else's, and outlives this object's use.
    void use(event_ring* ring) noexcept
    {
        ring_.store(ring, memory_order_release);
    }

    /// Null: there is none.
    event_ring* get() const noexcept
    {
        return ring_.load(memory_order_acquire);
    }

    /// One after the other, if there is a ring. Any thread.
    template <typename Events>
    void write(std::uint64_t now, Events const& events) noexcept
    {
        event_ring* const ring = get();
        if (!ring)
            return;
        std::lock_guard<mutex> const lock(mutex_);
        for (event const& e : events)
            ring->write(now, e.kind, e.payload);
    }

private:
    // Who writes into the ring has it.
    mutex mutex_;
    atomic<event_ring*> ring_{nullptr};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_TRACE_SHARED_RING_HPP
