// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_REACTOR_TIMER_WAIT_HPP
#define WEFT_REACTOR_TIMER_WAIT_HPP

#include <weft/config.hpp>
#include <weft/reactor/insides.hpp>
#include <weft/reactor/operation.hpp>

#include <boost/asio/detail/wait_op.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/error_code.hpp>

#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// A wait for a time: Asio's own operation for it, which knows its handler.
using timer_wait = boost::asio::detail::wait_op;

template <typename Wait>
using wait_error_of = decltype(Wait::ec_);

template <typename Wait>
using wait_key_of = decltype(Wait::cancellation_key_);

static_assert(std::is_base_of_v<operation, timer_wait> &&
                  finds<boost::system::error_code, wait_error_of, timer_wait>,
    WEFT_ASIO_CHANGED("error_code wait_op::ec_, in a scheduler_operation"));
static_assert(
    finds<void*, wait_key_of, timer_wait>, WEFT_ASIO_CHANGED("void* wait_op::cancellation_key_"));

/// What sched/timers.hpp knows of it.
struct timer_waits
{
    using wait = timer_wait;

    static wait* next(wait* w) noexcept
    {
        return static_cast<wait*>(operation_link::next(w));
    }

    static void next(wait* w, wait* following) noexcept
    {
        operation_link::next(w, following);
    }

    static void abort(wait* w) noexcept
    {
        w->ec_ = boost::asio::error::operation_aborted;
    }

    static void const* key(wait* w) noexcept
    {
        return w->cancellation_key_;
    }
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_REACTOR_TIMER_WAIT_HPP
