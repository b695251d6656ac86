// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "recorder.hpp"

#include <weft/platform/cheap_clock.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/trace/point.hpp>

#include <boost/core/bit.hpp>

#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace weft
{
namespace detail
{

inline namespace WEFT_LOCAL
{

// All recorders that have rings. A signal handler walks the list, which takes the lock if it can.
WEFT_INLINE mutex recorders_mutex;
WEFT_INLINE atomic<recorder*> recorders{nullptr};

} // namespace WEFT_LOCAL

WEFT_INLINE atomic<unsigned> trace_point::contexts{0};

// Not in the header: how much the scheduler constructs decides what the compiler inlines there.
WEFT_INLINE recorder::recorder() noexcept = default;

WEFT_INLINE recorder::~recorder()
{
    {
        std::lock_guard<mutex> const lock(recorders_mutex);
        atomic<recorder*>* link = &recorders;
        while (recorder* const r = link->load(memory_order_relaxed))
        {
            if (r == this)
            {
                link->store(next_.load(memory_order_relaxed), memory_order_release);
                break;
            }
            link = &r->next_;
        }
    }
    for (event_ring* r = newest_.load(memory_order_relaxed); r;)
        delete std::exchange(r, r->older);
}

WEFT_INLINE void recorder::prepare(std::size_t events, std::size_t workers)
{
    std::lock_guard<mutex> const lock(mutex_);
    bool const first = events_ == 0;
    std::size_t const size = first ? boost::core::bit_ceil(events) : events_;
    std::vector<std::unique_ptr<event_ring>> made;
    made.reserve(workers);
    for (std::size_t i = 0; i != workers; ++i)
        if (i >= by_worker_.size() || !by_worker_[i])
            made.push_back(std::make_unique<event_ring>(size, i));
    std::unique_ptr<event_ring> shared;
    if (first)
        shared =
            std::make_unique<event_ring>((std::min)(size, shared_ring::most_events), no_worker);
    by_worker_.resize((std::max)(by_worker_.size(), workers), nullptr);

    events_ = size;
    for (auto& ring : made)
    {
        std::size_t const worker = ring->worker;
        by_worker_[worker] = add(std::move(ring));
    }
    if (!first)
        return;
    outside.use(add(std::move(shared)));
    std::lock_guard<mutex> const all_lock(recorders_mutex);
    next_.store(recorders.load(memory_order_relaxed), memory_order_relaxed);
    recorders.store(this, memory_order_release);
}

WEFT_INLINE event_ring* recorder::add(std::unique_ptr<event_ring> ring) noexcept
{
    event_ring* const added = ring.release();
    added->older = newest_.load(memory_order_relaxed);
    newest_.store(added, memory_order_release);
    return added;
}

WEFT_INLINE event_ring* recorder::ring_of(std::size_t worker) noexcept
{
    std::lock_guard<mutex> const lock(mutex_);
    if (events_ == 0)
        return nullptr;
    if (worker < by_worker_.size() && by_worker_[worker])
        return by_worker_[worker];
    try
    {
        auto made = std::make_unique<event_ring>(events_, worker);
        by_worker_.resize((std::max)(by_worker_.size(), worker + 1), nullptr);
        return by_worker_[worker] = add(std::move(made));
    }
    catch (...)
    {
        return nullptr;
    }
}

WEFT_INLINE recording recorder::copy() const
{
    std::vector<event_ring*> rings;
    {
        std::lock_guard<mutex> const lock(mutex_);
        rings = by_worker_;
    }
    rings.push_back(outside.get());
    recording result;
    result.process = static_cast<std::uint64_t>(::getpid());
    for (event_ring const* const ring : rings)
        if (ring)
        {
            worker_recording& w = result.workers.emplace_back();
            w.worker = ring->worker;
            w.lost = ring->copy(w.events);
        }
    // After the events that have their numbers.
    result.names = names.all();
    result.now = cheap_clock::now();
    // Clocks of two threads may differ, and events that are too close to each other are later.
    for (worker_recording const& w : result.workers)
        if (!w.events.empty())
            result.now = (std::max)(result.now, w.events.back().time + 1);
    return result;
}

WEFT_INLINE void recorder::began() noexcept
{
    trace_point::contexts.fetch_add(1, memory_order_relaxed);
}

WEFT_INLINE void recorder::ended() noexcept
{
    trace_point::contexts.fetch_sub(1, memory_order_relaxed);
}

WEFT_INLINE recorder const* recorder::first() noexcept
{
    return recorders.load(memory_order_acquire);
}

WEFT_INLINE recorder const* recorder::next() const noexcept
{
    return next_.load(memory_order_acquire);
}

WEFT_INLINE event_ring const* recorder::newest() const noexcept
{
    return newest_.load(memory_order_acquire);
}

WEFT_INLINE bool recorder::try_hold(unsigned attempts) noexcept
{
    for (; attempts != 0; --attempts)
        if (recorders_mutex.try_lock())
            return true;
    return false;
}

WEFT_INLINE void recorder::release() noexcept
{
    recorders_mutex.unlock();
}

} // namespace detail
} // namespace weft
