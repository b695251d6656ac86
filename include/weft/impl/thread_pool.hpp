// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_IMPL_THREAD_POOL_HPP
#define WEFT_IMPL_THREAD_POOL_HPP

#include <weft/thread_pool.hpp>

namespace weft
{
inline namespace WEFT_ABI_NAMESPACE
{

template <typename Rep, typename Period>
drain_report thread_pool::drain_for(std::chrono::duration<Rep, Period> const& time)
{
    return drain_until_steady(detail::deadline_after(time));
}

template <typename Clock, typename Duration>
drain_report thread_pool::drain_until(std::chrono::time_point<Clock, Duration> const& time)
{
    return drain_until_steady(detail::deadline_at(time));
}

#if WEFT_HAS_CONTEXT_ALLOCATOR

template <typename Allocator>
thread_pool::thread_pool(std::allocator_arg_t, Allocator const& a)
    : driven_context(std::allocator_arg, a, 0), options_(resolved({})),
      scheduler_(detail::context_scheduler::make(*this, options_)), own_(threads_of(options_)),
      spares_(*scheduler_, options_.max_spare_threads, own_), occupancy_(options_.threads)
{
    start();
}

template <typename Allocator>
thread_pool::thread_pool(std::allocator_arg_t, Allocator const& a, std::size_t threads)
    : driven_context(std::allocator_arg, a, threads == 1 ? 1 : 0), options_(with_threads(threads)),
      scheduler_(detail::context_scheduler::make(*this, options_)), own_(threads_of(options_)),
      spares_(*scheduler_, options_.max_spare_threads, own_), occupancy_(threads)
{
    start();
}

template <typename Allocator>
thread_pool::thread_pool(std::allocator_arg_t, Allocator const& a, std::size_t threads,
    service_maker const& initial_services)
    : driven_context(std::allocator_arg, a, initial_services), options_(with_threads(threads)),
      scheduler_(detail::context_scheduler::make(*this, options_)), own_(threads_of(options_)),
      spares_(*scheduler_, options_.max_spare_threads, own_), occupancy_(threads)
{
    start();
}

#endif // WEFT_HAS_CONTEXT_ALLOCATOR

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

#endif // WEFT_IMPL_THREAD_POOL_HPP
