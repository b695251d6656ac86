// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_SYSTEM_TIMER_HPP
#define WEFT_SYSTEM_TIMER_HPP

// The name of a timer of the wall clock over the executor of weft::io_context.

#include <weft/config.hpp>
#include <weft/executor.hpp>
#include <weft/fwd.hpp>

#include <boost/asio/basic_waitable_timer.hpp>

#include <chrono>
#include <memory>

namespace weft
{
inline namespace WEFT_ABI_NAMESPACE
{

/// A timer of std::chrono::system_clock in a weft::io_context: boost::asio::system_timer, but for
/// the type of its executor.
///
/// Its queue is Asio's. The wall clock can be set, and Asio's reactor looks at it again after a
/// while for that reason; what is due is late by up to five minutes then. A timeout is a matter of
/// weft::steady_timer.
template <typename Executor>
using basic_system_timer = boost::asio::basic_waitable_timer<std::chrono::system_clock,
    boost::asio::wait_traits<std::chrono::system_clock>, Executor>;

/// The timer of a weft::io_context, by the wall clock.
using system_timer = basic_system_timer<basic_executor<io_context, std::allocator<void>, 0>>;

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

#endif // WEFT_SYSTEM_TIMER_HPP
