// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/spare_threads.hpp>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

void spare_threads::close()
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

/// One spare thread. The scheduler reports exceptions; one that comes through ends the program.
void spare_threads::loop() noexcept
{
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;)
    {
        ++waiting_;
        needed_.wait(lock, [this] { return requests_ != 0 || closing_; });
        --waiting_;
        if (closing_)
            return;
        --requests_;
        lock.unlock();
        scheduler_.run_as_stand_in();
        lock.lock();
    }
}

bool spare_threads::take_from_surplus() noexcept
{
    for (std::size_t n = surplus_.load(std::memory_order_relaxed); n != 0;)
        if (surplus_.compare_exchange_weak(n, n - 1, std::memory_order_relaxed))
            return true;
    return false;
}

void spare_threads::worker_blocks() noexcept
{
    std::lock_guard<std::mutex> const lock(mutex_);
    // A stand-in that was to leave stays.
    if (closing_ || take_from_surplus())
        return;
    if (waiting_ <= requests_)
    {
        if (threads_.size() >= most_)
            return;
        try
        {
            scheduler_.provide_workers(waiting_ + 1);
            threads_.emplace_back([this] { loop(); });
        }
        catch (...)
        {
            // No thread or no memory to be had: the pool runs with one worker less for a while.
            return;
        }
    }
    ++requests_;
    needed_.notify_one();
}

void spare_threads::worker_returns() noexcept
{
    std::lock_guard<std::mutex> const lock(mutex_);
    if (requests_ != 0)
        --requests_;
    else if (threads_.size() > waiting_ + surplus_.load(std::memory_order_relaxed))
        surplus_.fetch_add(1, std::memory_order_relaxed);
}

bool spare_threads::retire() noexcept
{
    return take_from_surplus();
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
