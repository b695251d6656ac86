// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/spare_threads.hpp>

#include <algorithm>

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

std::size_t spare_threads::wanted() const noexcept
{
    return over_ || closing_ ? 0 : (std::min)(blocked_, most_);
}

void spare_threads::update_surplus() noexcept
{
    std::size_t const w = wanted();
    surplus_.store(standing_in_ > w ? standing_in_ - w : 0, std::memory_order_relaxed);
}

/// One spare thread. The scheduler reports exceptions; one that comes through ends the program.
void spare_threads::loop() noexcept
{
    std::unique_lock<std::mutex> lock(mutex_);
    --starting_;
    for (;;)
    {
        ++waiting_;
        needed_.wait(lock, [this] { return closing_ || standing_in_ < wanted(); });
        --waiting_;
        if (closing_)
            return;
        ++standing_in_;
        update_surplus();
        lock.unlock();
        bool const retired = scheduler_.run_as_stand_in();
        lock.lock();
        if (!retired)
        {
            over_ = true;
            --standing_in_;
        }
        update_surplus();
    }
}

void spare_threads::worker_blocks() noexcept
{
    std::lock_guard<std::mutex> const lock(mutex_);
    ++blocked_;
    update_surplus();
    if (standing_in_ >= wanted())
        return;
    // Threads that are between two states look again by themselves.
    if (wanted() - standing_in_ > waiting_ + starting_ && threads_.size() < most_)
    {
        try
        {
            // One worker for each thread that has none now.
            scheduler_.provide_workers(threads_.size() - standing_in_ + 1);
            threads_.reserve(threads_.size() + 1);
            threads_.emplace_back([this] { loop(); });
            ++starting_;
        }
        catch (...)
        {
            // No thread or no memory to be had: the pool runs with one worker less for a while.
        }
    }
    needed_.notify_one();
}

void spare_threads::worker_returns() noexcept
{
    std::lock_guard<std::mutex> const lock(mutex_);
    --blocked_;
    update_surplus();
}

bool spare_threads::retire() noexcept
{
    if (surplus_.load(std::memory_order_relaxed) == 0)
        return false;
    std::lock_guard<std::mutex> const lock(mutex_);
    if (standing_in_ <= wanted())
        return false;
    --standing_in_;
    update_surplus();
    return true;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
