// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_REACTOR_OPERATION_HPP
#define WEFT_REACTOR_OPERATION_HPP

#include <weft/config.hpp>
#include <weft/reactor/insides.hpp>

#include <boost/asio/detail/op_queue.hpp>
#include <boost/asio/detail/scheduler_operation.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// The unit of work: Asio's own, so that what Asio's reactor completes and what weft's executors
/// submit travel through the same queues.
using operation = boost::asio::detail::scheduler_operation;

template <typename Operation>
using completion_of = decltype(std::declval<Operation&>().complete(
    static_cast<void*>(nullptr), std::declval<boost::system::error_code const&>(), std::size_t()));

static_assert(finds<void, completion_of, operation>,
    WEFT_ASIO_CHANGED("scheduler_operation::complete(void*, error_code const&, size_t)"));

template <typename Operation>
using destruction_of = decltype(std::declval<Operation&>().destroy());

static_assert(
    finds<void, destruction_of, operation>, WEFT_ASIO_CHANGED("scheduler_operation::destroy()"));

template <typename Operation>
struct operation_opened : Operation
{
    template <typename Opened>
    static auto result(Opened& op) -> decltype(op.task_result_);
};

template <typename Operation>
using task_result_of =
    decltype(operation_opened<Operation>::result(std::declval<operation_opened<Operation>&>()));

static_assert(finds<unsigned, task_result_of, operation>,
    WEFT_ASIO_CHANGED("unsigned scheduler_operation::task_result_, protected"));

template <typename Access>
using link_of = decltype(Access::next(std::declval<operation*>()));

static_assert(finds<operation*&, link_of, boost::asio::detail::op_queue_access> ||
                  finds<operation*, link_of, boost::asio::detail::op_queue_access>,
    WEFT_ASIO_CHANGED("op_queue_access::next(scheduler_operation*)"));

/// How weft's lists reach the link inside an operation.
struct operation_link
{
    static operation* next(operation* op) noexcept
    {
        return boost::asio::detail::op_queue_access::next(op);
    }

    static void next(operation* op, operation* following) noexcept
    {
        boost::asio::detail::op_queue_access::next(op, following);
    }
};

/// The number that the reactor left in an operation it completed.
inline unsigned result_of(operation* op) noexcept
{
    struct access : operation
    {
        static unsigned read(operation* o) noexcept
        {
            return o->*(&access::task_result_);
        }
    };
    return access::read(op);
}

#if defined(BOOST_ASIO_HAS_EPOLL) && !defined(BOOST_ASIO_HAS_IO_URING)
constexpr bool only_descriptors_have_results = true;
#else
constexpr bool only_descriptors_have_results = false;
#endif

/// An operation that can run, with its result.
///
/// The result is kept beside the operation because the reactor's operation for a descriptor is one
/// object for all its events: the next wait writes the next events into it, whether or not the last
/// ones have been acted upon. For the same reason such an entry may exist twice, and must not go
/// into a list that links operations through themselves.
struct ready_operation
{
    operation* op;

    // As wide as a pointer: no padding, so that an entry is two whole words.
    std::uintptr_t result;

    ready_operation() = default;

    explicit ready_operation(operation* o, unsigned r) noexcept : op(o), result(r)
    {
    }

    /// An operation that comes out of a list, or was never in the reactor. With epoll it has no
    /// result, and is not read: where it has waited for long it is in nobody's cache, and some who
    /// ask hold a lock.
    explicit ready_operation(operation* o) noexcept
        : op(o), result(only_descriptors_have_results ? 0 : result_of(o))
    {
    }

    /// Whether the operation may wait in a linked list.
    bool linkable() const noexcept
    {
#if defined(BOOST_ASIO_HAS_EPOLL) && !defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
        // A descriptor's result are its events, which are never 0.
        return result == 0;
#else
        return true;
#endif
    }

    /// Runs the operation, which may be gone afterwards. `owner` is driver::inner(). Throws what
    /// the handler throws.
    void complete(void* owner) const
    {
        op->complete(owner, boost::system::error_code(), result);
    }

    /// Destroys the operation without running its handler.
    void destroy() const
    {
        op->destroy();
    }
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_REACTOR_OPERATION_HPP
