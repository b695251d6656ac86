// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// When a spare thread is started, waits, stands in for one that blocks, and ends.

#include <weft/sched/spare_threads.hpp>

#include "pool_threads.hpp"

#include <algorithm>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE void detach_this_thread(std::vector<std::thread>& threads) noexcept
{
    auto const mine = std::find_if(threads.begin(), threads.end(),
        [](std::thread const& t) { return t.get_id() == std::this_thread::get_id(); });
    if (mine == threads.end())
        return;
    mine->detach();
    threads.erase(mine);
}

WEFT_INLINE void spare_threads::let_go_of_this_thread() noexcept
{
    std::lock_guard<std::mutex> const lock(mutex_);
    detach_this_thread(threads_);
}

WEFT_INLINE void spare_threads::close()
{
    std::vector<std::thread> threads;
    {
        std::lock_guard<std::mutex> const lock(mutex_);
        closing_ = true;
        threads.swap(threads_);
    }
    needed_.notify_all();
    for (std::thread& t : threads)
        t.join();
}

WEFT_INLINE std::size_t spare_threads::wanted() const noexcept
{
    // A pool that was stopped is not started again, and has nothing to do for a spare thread.
    return closing_ || scheduler_.stopped() ? 0 : (std::min)(count_.blocked, most_);
}

WEFT_INLINE void spare_threads::update_surplus() noexcept
{
    std::size_t const w = wanted();
    surplus_.store(count_.running > w ? count_.running - w : 0, std::memory_order_relaxed);
}

/// One spare thread. Everything it needs is there before it starts.
WEFT_INLINE void spare_threads::loop() noexcept
{
    std::unique_lock<std::mutex> lock(mutex_);
    --count_.starting;
    for (;;)
    {
        ++count_.waiting;
        needed_.wait(lock, [this] { return closing_ || count_.running < wanted(); });
        --count_.waiting;
        if (closing_)
            return;
        ++count_.running;
        update_surplus();
        lock.unlock();
        auto const end = scheduler_.run_as_spare();
        if (end == spare_end::destroyed)
            return;
        lock.lock();
        if (end == spare_end::over)
            --count_.running;
        update_surplus();
    }
}

WEFT_INLINE void spare_threads::worker_blocks() noexcept
{
    std::lock_guard<std::mutex> const lock(mutex_);
    ++count_.blocked;
    update_surplus();
    if (count_.running >= wanted())
        return;
    // Threads that are between two states look again by themselves.
    if (wanted() - count_.running > count_.waiting + count_.starting && threads_.size() < most_)
        start_one();
    needed_.notify_one();
}

/// Under mutex_.
WEFT_INLINE void spare_threads::start_one() noexcept
{
    bool reserved = false;
    try
    {
        threads_.reserve(threads_.size() + 1);
        // The thread's as long as it lives: nobody else takes it while the thread waits, and it
        // never has to ask for memory where nobody could be told that there is none.
        scheduler_.reserve_workers(1);
        reserved = true;
        threads_.emplace_back([this, own = own_, number = threads_.size()]() noexcept
            { own->run_spare(number, [this] { loop(); }); });
        ++count_.starting;
    }
    catch (...)
    {
        // No thread or no memory to be had: the pool runs with one worker less for a while.
        if (reserved)
            scheduler_.unreserve_worker();
    }
}

WEFT_INLINE void spare_threads::worker_returns() noexcept
{
    std::lock_guard<std::mutex> const lock(mutex_);
    --count_.blocked;
    update_surplus();
}

WEFT_INLINE bool spare_threads::retire() noexcept
{
    if (surplus_.load(std::memory_order_relaxed) == 0)
        return false;
    std::lock_guard<std::mutex> const lock(mutex_);
    if (count_.running <= wanted())
        return false;
    --count_.running;
    update_surplus();
    return true;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
