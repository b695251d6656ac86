// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_HANDLER_EXECUTOR_HPP
#define WEFT_WAIT_HANDLER_EXECUTOR_HPP

// What the executor of a handler does with what it is given.

#include <weft/config.hpp>

#include <boost/asio/execution.hpp>
#include <boost/asio/require.hpp>

#if WEFT_HAS_IMMEDIATE_EXECUTOR
#include <boost/asio/associated_immediate_executor.hpp>
#endif

#include <optional>
#include <type_traits>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Whether a handler says where it may be called when its operation completes at once.
template <typename Handler, typename Executor, typename = void>
struct has_immediate_executor : std::integral_constant<bool, WEFT_HAS_IMMEDIATE_EXECUTOR>
{
};

#if WEFT_HAS_IMMEDIATE_EXECUTOR
template <typename Handler, typename Executor>
struct has_immediate_executor<Handler, Executor,
    std::void_t<typename boost::asio::associated_immediate_executor<Handler,
        Executor>::asio_associated_immediate_executor_is_unspecialised>> : std::false_type
{
};
#endif

/// Whether nothing can make the executor not call what it is given inside the submission:
/// any_completion_executor, which any_completion_handler has. An operation goes to its I/O executor
/// then, and to its handler's from there, as Asio's own always do.
template <typename Executor>
struct calls_at_will
    : std::integral_constant<bool, boost::asio::execution::is_executor<Executor>::value &&
                                       !boost::asio::can_require<Executor,
                                           boost::asio::execution::blocking_t::never_t>::value>
{
};

/// The I/O executor for an operation that waits, if its handler's is one that calls at will.
template <typename Executor, typename IoExecutor, bool Needed = calls_at_will<Executor>::value>
struct detour
{
    static constexpr bool needs_detour = false;
};

template <typename Executor, typename IoExecutor>
struct detour<Executor, IoExecutor, true>
{
    static constexpr bool needs_detour = true;
    std::optional<IoExecutor> detour_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_HANDLER_EXECUTOR_HPP
