// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/visibility.hpp>
#include <weft/watchdog.hpp>

#include "../platform/this_thread.hpp"
#include "watch_list.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include <signal.h>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// The thread of a watchdog, and what it looks at.
class watching
{
public:
    explicit watching(watchdog_options opts) : list_(std::make_shared<watch_list>(std::move(opts)))
    {
        // Signals of the program's are not for this thread, which inherits what is blocked here.
        sigset_t all;
        sigset_t before;
        ::sigfillset(&all);
        (void)::pthread_sigmask(SIG_SETMASK, &all, &before);
        try
        {
            thread_ = std::thread([this] { watch(); });
        }
        catch (...)
        {
            (void)::pthread_sigmask(SIG_SETMASK, &before, nullptr);
            throw;
        }
        (void)::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

    ~watching()
    {
        {
            std::lock_guard<std::mutex> const lock(mutex_);
            ends_ = true;
        }
        changed_.notify_one();
        thread_.join();
        list_->forget_all();
    }

    watching(watching const&) = delete;
    watching& operator=(watching const&) = delete;

    template <typename Context>
    void add(Context& context)
    {
        list_->add(context);
    }

private:
    void watch() noexcept
    {
        name_this_thread("weft-watchdog", "");
        list_->get_ready();
        std::unique_lock<std::mutex> lock(mutex_);
        auto next = std::chrono::steady_clock::now();
        while (!ends_)
        {
            lock.unlock();
            // Who has been seen twice in a handler is looked at when that is to be reported, not at
            // the next turn.
            auto const due = look();
            auto const now = std::chrono::steady_clock::now();
            // What has been missed is not made up for.
            if (now >= next)
                next = (std::max)(next + list_->period(), now);
            lock.lock();
            changed_.wait_until(lock, (std::min)(next, due), [this] { return ends_; });
        }
    }

    std::chrono::steady_clock::time_point look() noexcept
    {
        try
        {
            list_->look(std::chrono::steady_clock::now());
            return list_->next_due();
        }
        catch (std::bad_alloc const&)
        {
            // The next look may have memory.
            return watch_list::time_point::max();
        }
    }

    // Contexts that go away hold it meanwhile.
    std::shared_ptr<watch_list> const list_;

    std::mutex mutex_;
    std::condition_variable changed_;
    bool ends_ = false; // guarded by mutex_
    std::thread thread_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail

inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE watchdog::watchdog(options opts)
    : watching_(std::make_unique<detail::watching>(std::move(opts)))
{
}

WEFT_INLINE watchdog::~watchdog() = default;

WEFT_INLINE void watchdog::watch(io_context& context)
{
    watching_->add(context);
}

WEFT_INLINE void watchdog::watch(thread_pool& context)
{
    watching_->add(context);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft
