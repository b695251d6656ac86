// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_WORKER_TABLE_HPP
#define WEFT_SCHED_WORKER_TABLE_HPP

#include <weft/config.hpp>
#include <weft/platform/atomic.hpp>
#include <weft/platform/mutex.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/sched/idle.hpp>
#include <weft/sched/worker.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// All workers of a scheduler, whether a thread has them or not. Workers are added and never
/// removed, so that a thief needs no lock to look at one.
class WEFT_DECL worker_table
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
    worker& operator[](std::size_t index) const noexcept
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
    worker& acquire(idle& sleepers);

    /// Takes a worker back. `reserve`: a worker stays set aside for acquire_reserved().
    void release(worker& w, bool reserve) noexcept;

    /// Gives the calling thread a worker that was set aside.
    worker& acquire_reserved() noexcept;

    /// Gives a worker away that a thread has, with its memory. For the end of the table: the worker
    /// can be looked at as before, and is not destroyed with it.
    std::unique_ptr<worker> surrender(worker& w) noexcept;

private:
    worker& grow(idle& sleepers);

    unsigned const injection_;

    // Published by size_, or by entries_ itself when the array has moved; old arrays stay readable.
    atomic<worker**> entries_{nullptr};
    atomic<std::size_t> size_{0};

    mutex mutex_;

    // Guarded by mutex_.
    std::size_t capacity_ = 0;
    std::size_t reserved_ = 0;
    std::vector<std::unique_ptr<worker>> workers_;
    std::vector<std::unique_ptr<worker*[]>> arrays_;
    std::vector<worker*> free_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_WORKER_TABLE_HPP
