// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/worker_table.hpp>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

worker& worker_table::acquire(idle& sleepers)
{
    std::lock_guard<mutex> const lock(mutex_);
    if (free_.size() <= reserved_)
        return grow(sleepers);
    worker& w = *free_.back();
    free_.pop_back();
    return w;
}

void worker_table::reserve(std::size_t count, idle& sleepers)
{
    std::lock_guard<mutex> const lock(mutex_);
    while (free_.size() < reserved_ + count)
        free_.push_back(&grow(sleepers));
    reserved_ += count;
}

void worker_table::unreserve() noexcept
{
    std::lock_guard<mutex> const lock(mutex_);
    --reserved_;
}

void worker_table::release(worker& w, bool reserve) noexcept
{
    std::lock_guard<mutex> const lock(mutex_);
    // grow() has made room for every worker.
    free_.push_back(&w);
    if (reserve)
        ++reserved_;
}

worker& worker_table::acquire_reserved() noexcept
{
    std::lock_guard<mutex> const lock(mutex_);
    --reserved_;
    worker& w = *free_.back();
    free_.pop_back();
    return w;
}

std::unique_ptr<worker> worker_table::surrender(worker& w) noexcept
{
    std::lock_guard<mutex> const lock(mutex_);
    return std::move(workers_[w.index]);
}

worker& worker_table::grow(idle& sleepers)
{
    std::size_t const count = workers_.size();
    if (count == idle::max_workers)
        throw std::length_error("weft: more than 65535 threads in one context");

    // Everything that can throw comes before anything that shows.
    if (count == capacity_)
    {
        std::size_t const capacity = std::max<std::size_t>(8, 2 * capacity_);
        arrays_.reserve(arrays_.size() + 1);
        workers_.reserve(capacity);
        free_.reserve(capacity);
        auto array = std::make_unique<worker*[]>(capacity);
        // Not from the owners: a worker that was surrendered is still looked at.
        if (count != 0)
            std::copy_n(entries_.load(memory_order_relaxed), count, array.get());
        entries_.store(array.get(), memory_order_release);
        arrays_.push_back(std::move(array));
        capacity_ = capacity;
    }
    auto added = std::make_unique<worker>(count, injection_);
    sleepers.reserve(count + 1);

    entries_.load(memory_order_relaxed)[count] = added.get();
    workers_.push_back(std::move(added));
    // Release publishes the entry and the worker.
    size_.store(count + 1, memory_order_release);
    return *workers_.back();
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
