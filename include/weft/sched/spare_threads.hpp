// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_SPARE_THREADS_HPP
#define WEFT_SCHED_SPARE_THREADS_HPP

// Threads that stand in for workers of a scheduler that block (run_blocking). They are started when
// first needed and then kept; what is not needed waits.

#include <weft/config.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/sched/context_scheduler.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

class pool_threads;

/// Lets the calling thread go if it is among `threads`: nobody will wait for it.
WEFT_DECL void detach_this_thread(std::vector<std::thread>& threads) noexcept;

class WEFT_DECL spare_threads final : public spare_owner
{
public:
    /// At most `most` threads, which begin and end as `own` says.
    spare_threads(
        context_scheduler& sched, std::size_t most, std::shared_ptr<pool_threads> own) noexcept
        : scheduler_(sched), most_(most), own_(std::move(own))
    {
    }

    spare_threads(spare_threads const&) = delete;
    spare_threads& operator=(spare_threads const&) = delete;

    /// close() must have been called if one was ever needed.
    ~spare_threads() = default;

    /// For a pool that is destroyed by one of its threads: close() does not wait for that one,
    /// which does not come back here.
    void let_go_of_this_thread() noexcept;

    /// Waits for all to end, which they do when the scheduler has ended; none is started any more.
    void close();

    void worker_blocks() noexcept override;
    void worker_returns() noexcept override;
    bool retire() noexcept override;

private:
    void loop() noexcept;

    // Under mutex_.
    std::size_t wanted() const noexcept;
    void update_surplus() noexcept;
    void start_one() noexcept;

    context_scheduler& scheduler_;
    std::size_t const most_;
    std::shared_ptr<pool_threads> const own_;

    // How many spare threads should leave: a hint without the lock.
    std::atomic<std::size_t> surplus_{0};

    std::mutex mutex_;
    std::condition_variable needed_;

    // Guarded by mutex_. A thread starts, waits, stands in, waits again.
    std::vector<std::thread> threads_;
    struct
    {
        std::size_t blocked = 0; // workers that are inside run_blocking
        std::size_t starting = 0;
        std::size_t waiting = 0;
        std::size_t running = 0;
    } count_;
    bool closing_ = false;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_SPARE_THREADS_HPP
