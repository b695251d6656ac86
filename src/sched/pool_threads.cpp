// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What a thread of a pool does before it runs anything: its name, its CPUs, the hook of the
// options; and how the pool waits until all have.

#include "pool_threads.hpp"

#include "../platform/this_thread.hpp"

#include <weft/platform/visibility.hpp>

#include <stdexcept>
#include <string>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE pool_threads::pool_threads(options const& opts)
    : options_(opts), cpus_(opts.pin && opts.cpus.empty() ? cpus_of_this_thread() : opts.cpus),
      gate_(may_fail() ? gate::closed : gate::open)
{
}

WEFT_INLINE bool pool_threads::may_fail() const noexcept
{
    return !cpus_.empty() || options_.on_thread_start;
}

WEFT_INLINE void pool_threads::await_begun(std::size_t count)
{
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return begun_ == count; });
    gate_ = failure_.what ? gate::given_up : gate::open;
    changed_.notify_all();
    if (failure_.what)
        std::rethrow_exception(failure_.what);
}

WEFT_INLINE void pool_threads::give_up() noexcept
{
    std::lock_guard<std::mutex> const lock(mutex_);
    gate_ = gate::given_up;
    changed_.notify_all();
}

WEFT_INLINE bool pool_threads::await_ended(deadline until)
{
    std::unique_lock<std::mutex> lock(mutex_);
    return changed_.wait_until(lock, until, [this] { return running_ == 0; });
}

WEFT_INLINE void pool_threads::starting() noexcept
{
    std::lock_guard<std::mutex> const lock(mutex_);
    ++running_;
}

WEFT_INLINE void pool_threads::end() noexcept
{
    std::lock_guard<std::mutex> const lock(mutex_);
    --running_;
    changed_.notify_all();
}

/// What comes before any handler of the calling thread.
WEFT_INLINE void pool_threads::set_up(std::size_t number, bool spare) const
{
    if (!options_.thread_name.empty())
        name_this_thread(options_.thread_name, (spare ? "-b" : "-") + std::to_string(number));
    if (!cpus_.empty())
    {
        bool const one = options_.pin && !spare;
        auto const mine = one ? std::vector<unsigned>{cpus_[number % cpus_.size()]} : cpus_;
        // Where those of the pool have been, it was possible: a CPU that has been switched off
        // since is no reason to do without a spare thread.
        if (!run_this_thread_on(mine) && !spare)
            throw std::invalid_argument(
                one ? "weft::options::cpus: this process may not use CPU " + std::to_string(mine[0])
                    : std::string("weft::options::cpus names a CPU that this process may not use"));
    }
    if (options_.on_thread_start)
        options_.on_thread_start(spare ? options_.threads + number : number);
}

WEFT_INLINE bool pool_threads::begin(std::size_t number) noexcept
{
    std::exception_ptr failure;
    try
    {
        set_up(number, false);
    }
    catch (...)
    {
        failure = std::current_exception();
    }
    std::lock_guard<std::mutex> const lock(mutex_);
    ++begun_;
    if (failure && (!failure_.what || number < failure_.number))
    {
        failure_.what = failure;
        failure_.number = number;
    }
    changed_.notify_all();
    return !failure;
}

WEFT_INLINE bool pool_threads::begin_spare(std::size_t number) noexcept
{
    try
    {
        set_up(number, true);
        return true;
    }
    catch (...)
    {
        if (!options_.on_exception)
            std::terminate();
        options_.on_exception(std::current_exception());
        return false;
    }
}

/// Whether this thread is to run.
WEFT_INLINE bool pool_threads::wait_for_others() noexcept
{
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return gate_ != gate::closed; });
    return gate_ == gate::open;
}

WEFT_INLINE void pool_threads::stopped(std::size_t number) const noexcept
{
    if (options_.on_thread_stop)
        options_.on_thread_stop(number);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
