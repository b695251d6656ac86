// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_IMPL_IO_CONTEXT_HPP
#define WEFT_IMPL_IO_CONTEXT_HPP

#include <weft/io_context.hpp>
#include <weft/platform/deadline.hpp>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{

/// A function object that dispatches a call of `handler` with its own arguments.
template <typename Executor, typename Handler>
auto wrap_in_dispatch(Executor executor, Handler handler)
{
    return [executor = std::move(executor), handler = std::move(handler)](auto&&... args)
    {
        boost::asio::dispatch(executor,
            [handler, pack = std::make_tuple(std::forward<decltype(args)>(args)...)]() mutable
            { std::apply(handler, std::move(pack)); });
    };
}

} // namespace detail

inline namespace WEFT_ABI_NAMESPACE
{

#if WEFT_HAS_CONTEXT_ALLOCATOR
template <typename Allocator>
io_context::io_context(std::allocator_arg_t, Allocator const& a)
    : driven_context(std::allocator_arg, a, default_hint),
      scheduler_(detail::context_scheduler::make(*this, options{}))
{
}

template <typename Allocator>
io_context::io_context(std::allocator_arg_t, Allocator const& a, int concurrency_hint)
    : driven_context(std::allocator_arg, a, validated_hint(concurrency_hint)),
      scheduler_(detail::context_scheduler::make(*this, options{}))
{
}

template <typename Allocator>
io_context::io_context(
    std::allocator_arg_t, Allocator const& a, service_maker const& initial_services)
    : driven_context(std::allocator_arg, a, initial_services),
      scheduler_(detail::context_scheduler::make(*this, options{}))
{
}
#endif

template <typename Rep, typename Period>
io_context::count_type io_context::run_for(std::chrono::duration<Rep, Period> const& time)
{
    return run_until_steady(detail::deadline_after(time));
}

template <typename Clock, typename Duration>
io_context::count_type io_context::run_until(std::chrono::time_point<Clock, Duration> const& time)
{
    if constexpr (std::is_same<Clock, std::chrono::steady_clock>::value)
        return run_until_steady(detail::deadline_of(time));
    else
    {
        count_type n = 0;
        while (run_one_until(time))
            if (n != (std::numeric_limits<count_type>::max)())
                ++n;
        return n;
    }
}

template <typename Rep, typename Period>
io_context::count_type io_context::run_one_for(std::chrono::duration<Rep, Period> const& time)
{
    return run_one_until_steady(detail::deadline_after(time));
}

template <typename Clock, typename Duration>
io_context::count_type io_context::run_one_until(
    std::chrono::time_point<Clock, Duration> const& time)
{
    if constexpr (std::is_same<Clock, std::chrono::steady_clock>::value)
        return run_one_until_steady(detail::deadline_of(time));
    else
    {
        // A clock that can be set is looked at again every second.
        using seconds = std::chrono::duration<double>;
        for (seconds left = detail::time_until(time); left > seconds::zero();
             left = detail::time_until(time))
        {
            count_type const n =
                run_one_until_steady(detail::deadline_after((std::min)(left, seconds(1))));
            if (n != 0 || stopped())
                return n;
        }
        return 0;
    }
}

template <typename Rep, typename Period>
drain_report io_context::drain_for(std::chrono::duration<Rep, Period> const& time)
{
    return drain_until_steady(detail::deadline_after(time));
}

template <typename Clock, typename Duration>
drain_report io_context::drain_until(std::chrono::time_point<Clock, Duration> const& time)
{
    return drain_until_steady(detail::deadline_at(time));
}

#if !defined(BOOST_ASIO_NO_DEPRECATED)
template <typename CompletionToken>
auto io_context::post(CompletionToken&& token)
{
    return boost::asio::post(get_executor(), std::forward<CompletionToken>(token));
}

template <typename CompletionToken>
auto io_context::dispatch(CompletionToken&& token)
{
    return boost::asio::dispatch(get_executor(), std::forward<CompletionToken>(token));
}

template <typename Handler>
auto io_context::wrap(Handler handler)
{
    return detail::wrap_in_dispatch(get_executor(), std::move(handler));
}

template <typename CompletionToken>
auto io_context::strand::post(CompletionToken&& token)
{
    return boost::asio::post(static_cast<base const&>(*this), std::forward<CompletionToken>(token));
}

template <typename CompletionToken>
auto io_context::strand::dispatch(CompletionToken&& token)
{
    return boost::asio::dispatch(
        static_cast<base const&>(*this), std::forward<CompletionToken>(token));
}

template <typename Handler>
auto io_context::strand::wrap(Handler handler)
{
    return detail::wrap_in_dispatch(static_cast<base const&>(*this), std::move(handler));
}
#endif

} // namespace WEFT_ABI_NAMESPACE

namespace detail
{

/// A Service that Asio's registry can construct: it hands an execution_context to constructors. The
/// service's key is its own, for the registry takes it from the inherited `id` or `key_type`.
template <typename Service>
struct constructible_service final : Service
{
    explicit constructible_service(boost::asio::execution_context& context)
        : Service(static_cast<io_context&>(context))
    {
    }
};

} // namespace detail
} // namespace weft

template <typename Service>
Service& boost::asio::use_service(weft::io_context& context)
{
    boost::asio::execution_context& base = context;
    if constexpr (std::is_constructible<Service, boost::asio::execution_context&>::value)
        return boost::asio::use_service<Service>(base);
    else
        return boost::asio::use_service<weft::detail::constructible_service<Service>>(base);
}

#endif // WEFT_IMPL_IO_CONTEXT_HPP
