// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_AWAITABLE_HPP
#define WEFT_AWAITABLE_HPP

#include <weft/config.hpp>
#include <weft/io_context.hpp>

#if defined(BOOST_ASIO_HAS_CO_AWAIT)

#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace weft
{
inline namespace WEFT_ABI_NAMESPACE
{

/// A coroutine whose type names the executor that it runs on: the fastest kind, whose frames are
/// recycled on whichever thread they end.
///
/// Coroutines of a pool are `awaitable<T, thread_pool::executor_type>`. One that is to run on any
/// executor remains a boost::asio::awaitable<T>.
///
/// A coroutine can `co_await` coroutines of its own type, what `use_awaitable` of its own executor
/// returns, and operations that begin when they are awaited: with boost::asio::deferred, or weft's
/// without a token. It cannot await a boost::asio::awaitable<T>, and that is what
/// boost::asio::use_awaitable returns: in its place stands weft::use_awaitable. The executor of the
/// timer or socket does not matter to any of that.
///
/// @par Example
/// @code
/// weft::awaitable<> tick()
/// {
///     boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor);
///     timer.expires_after(std::chrono::seconds(1));
///     co_await timer.async_wait(weft::use_awaitable);
///     co_await timer.async_wait(boost::asio::deferred); // the same, in any coroutine
/// }
/// @endcode
template <typename T = void, typename Executor = io_context::executor_type>
using awaitable = boost::asio::awaitable<T, Executor>;

/// The type of use_awaitable, or of its like for another executor. As with Asio's, an I/O object of
/// the type `use_awaitable_t<>::as_default_on_t<boost::asio::steady_timer>` needs no token.
template <typename Executor = io_context::executor_type>
using use_awaitable_t = boost::asio::use_awaitable_t<Executor>;

/// The completion token for coroutines of the type awaitable<T>.
inline constexpr use_awaitable_t<> use_awaitable;

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

#endif // defined(BOOST_ASIO_HAS_CO_AWAIT)

#endif // WEFT_AWAITABLE_HPP
