// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_WORKER_TABLE_HPP
#define WEFT_SRC_SCHED_WORKER_TABLE_HPP

// Where the workers of a scheduler are, and which of them no thread has.

#include <weft/platform/atomic.hpp>
#include <weft/platform/mutex.hpp>
#include <weft/sched/idle.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace weft
{
namespace detail
{

/// All workers of a scheduler, whether a thread has them or not. Workers are added and never
/// removed, so that a thief needs no lock to look at one.
template <typename Worker>
class worker_table
{
public:
    explicit worker_table(unsigned injection) noexcept : injection_(injection)
    {
    }

    worker_table(worker_table const&) = delete;
    worker_table& operator=(worker_table const&) = delete;

    /// Workers that exist. Any thread.
    std::size_t size() const noexcept
    {
        return size_.load(memory_order_acquire);
    }

    /// Worker `index`, which is below a size() that this thread has read. Any thread.
    Worker& operator[](std::size_t index) const noexcept
    {
        return *entries_.load(memory_order_acquire)[index];
    }

    /// Sets `count` workers aside for as many calls of acquire_reserved(). Throws as acquire();
    /// none is set aside then.
    void reserve(std::size_t count, idle& sleepers);

    /// Gives up a worker that was set aside.
    void unreserve() noexcept;

    /// Gives a worker to the calling thread: the one given back last, which has the warmest caches
    /// and whatever is left in its queues, or a new one. Workers that are set aside are not given.
    /// Throws std::bad_alloc, or std::length_error beyond idle::max_workers.
    Worker& acquire(idle& sleepers);

    /// Takes a worker back. `reserve`: a worker stays set aside for acquire_reserved().
    void release(Worker& w, bool reserve) noexcept;

    /// Gives the calling thread a worker that was set aside.
    Worker& acquire_reserved() noexcept;

    /// Shows the workers that no thread has to `out(Worker const&)`, under the lock.
    template <typename Out>
    void for_each_free(Out out) const
    {
        std::lock_guard<mutex> const lock(mutex_);
        for (Worker const* const w : free_)
            out(*w);
    }

    /// Shows all workers to `out(Worker const&)`, under the lock: none changes its thread
    /// meanwhile.
    template <typename Out>
    void for_each(Out out) const
    {
        std::lock_guard<mutex> const lock(mutex_);
        std::size_t const count = size();
        for (std::size_t i = 0; i != count; ++i)
            out(static_cast<Worker const&>((*this)[i]));
    }

    /// Gives a worker away that a thread has, with its memory. For the end of the table: the worker
    /// can be looked at as before, and is not destroyed with it.
    std::unique_ptr<Worker> surrender(Worker& w) noexcept;

private:
    Worker& grow(idle& sleepers);

    unsigned const injection_;

    // Published by size_, or by entries_ itself when the array has moved; old arrays stay readable.
    atomic<Worker**> entries_{nullptr};
    atomic<std::size_t> size_{0};

    mutable mutex mutex_;

    // Guarded by mutex_.
    std::size_t capacity_ = 0;
    std::size_t reserved_ = 0;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::unique_ptr<Worker*[]>> arrays_;
    std::vector<Worker*> free_;
};

template <typename Worker>
Worker& worker_table<Worker>::acquire(idle& sleepers)
{
    std::lock_guard<mutex> const lock(mutex_);
    bool const is_new = free_.size() <= reserved_;
    Worker& w = is_new ? grow(sleepers) : *free_.back();
    if (!is_new)
        free_.pop_back();
    w.holder.begin();
    return w;
}

template <typename Worker>
void worker_table<Worker>::reserve(std::size_t count, idle& sleepers)
{
    std::lock_guard<mutex> const lock(mutex_);
    while (free_.size() < reserved_ + count)
        free_.push_back(&grow(sleepers));
    reserved_ += count;
}

template <typename Worker>
void worker_table<Worker>::unreserve() noexcept
{
    std::lock_guard<mutex> const lock(mutex_);
    --reserved_;
}

template <typename Worker>
void worker_table<Worker>::release(Worker& w, bool reserve) noexcept
{
    std::lock_guard<mutex> const lock(mutex_);
    w.holder.end();
    // grow() has made room for every worker.
    free_.push_back(&w);
    if (reserve)
        ++reserved_;
}

template <typename Worker>
Worker& worker_table<Worker>::acquire_reserved() noexcept
{
    std::lock_guard<mutex> const lock(mutex_);
    --reserved_;
    Worker& w = *free_.back();
    free_.pop_back();
    w.holder.begin();
    return w;
}

template <typename Worker>
std::unique_ptr<Worker> worker_table<Worker>::surrender(Worker& w) noexcept
{
    std::lock_guard<mutex> const lock(mutex_);
    return std::move(workers_[w.index]);
}

template <typename Worker>
Worker& worker_table<Worker>::grow(idle& sleepers)
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
        auto array = std::make_unique<Worker*[]>(capacity);
        // Not from the owners: a worker that was surrendered is still looked at.
        if (count != 0)
            std::copy_n(entries_.load(memory_order_relaxed), count, array.get());
        entries_.store(array.get(), memory_order_release);
        arrays_.push_back(std::move(array));
        capacity_ = capacity;
    }
    auto added = std::make_unique<Worker>(count, injection_);
    sleepers.reserve(count + 1);

    entries_.load(memory_order_relaxed)[count] = added.get();
    workers_.push_back(std::move(added));
    // Release publishes the entry and the worker.
    size_.store(count + 1, memory_order_release);
    return *workers_.back();
}

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_WORKER_TABLE_HPP
