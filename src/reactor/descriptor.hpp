// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_REACTOR_DESCRIPTOR_HPP
#define WEFT_SRC_REACTOR_DESCRIPTOR_HPP

// What the reactor keeps of each descriptor: the operation that it returns for the descriptor's
// events, and the operations that wait for these.

#include <weft/reactor/insides.hpp>
#include <weft/reactor/operation.hpp>

#include "expose.hpp"

#include <cstdint>

#if defined(BOOST_ASIO_HAS_EPOLL) && !defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
#include <boost/asio/detail/epoll_reactor.hpp>
#include <boost/asio/detail/op_queue.hpp>
#include <boost/asio/detail/reactor_op.hpp>

#include <sys/epoll.h>

#include <type_traits>
#include <utility>
#endif

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

#if defined(BOOST_ASIO_HAS_EPOLL) && !defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)

using epoll_reactor = boost::asio::detail::epoll_reactor;
using descriptor_state = std::remove_pointer_t<epoll_reactor::per_descriptor_data>;
using reactor_op = boost::asio::detail::reactor_op;

template <typename Descriptor>
using no_try_speculative = decltype(&with_private_names<Descriptor>::try_speculative_);

static_assert(!finds_any<no_mutex, descriptor_state>,
    WEFT_ASIO_CHANGED("a member epoll_reactor::descriptor_state::mutex_"));
static_assert(!finds_any<no_queue, descriptor_state>,
    WEFT_ASIO_CHANGED("a member epoll_reactor::descriptor_state::op_queue_"));
static_assert(!finds_any<no_try_speculative, descriptor_state>,
    WEFT_ASIO_CHANGED("a member epoll_reactor::descriptor_state::try_speculative_"));

struct descriptor_mutex_tag
{
    friend auto member_of(descriptor_mutex_tag) noexcept;
};

template struct expose<descriptor_mutex_tag, &descriptor_state::mutex_>;

template <typename Tag>
using lock_of_descriptor =
    typename std::remove_reference_t<decltype(std::declval<descriptor_state&>().*
                                              member_of(Tag()))>::scoped_lock;

static_assert(finds_any<lock_of_descriptor, descriptor_mutex_tag>,
    WEFT_ASIO_CHANGED("epoll_reactor::descriptor_state::mutex_.scoped_lock"));

struct waiting_tag
{
    friend auto member_of(waiting_tag) noexcept;
};

template struct expose<waiting_tag, &descriptor_state::op_queue_>;

using waiting_operations = boost::asio::detail::op_queue<reactor_op>[epoll_reactor::max_ops];

static_assert(
    std::is_same_v<decltype(member_of(waiting_tag())), waiting_operations descriptor_state::*>,
    WEFT_ASIO_CHANGED("op_queue<reactor_op> epoll_reactor::descriptor_state::op_queue_[max_ops]"));

struct try_speculative_tag
{
    friend auto member_of(try_speculative_tag) noexcept;
};

template struct expose<try_speculative_tag, &descriptor_state::try_speculative_>;

static_assert(std::is_same_v<decltype(member_of(try_speculative_tag())),
                  bool (descriptor_state::*)[epoll_reactor::max_ops]>,
    WEFT_ASIO_CHANGED("bool epoll_reactor::descriptor_state::try_speculative_[max_ops]"));

/// For the operation of a descriptor, with what the reactor has found: whether no operation waits
/// at that descriptor. All that would come of running it has been done then: the next operation
/// that is started there is tried at once, and finds what these events have told of. (What begins
/// to wait later has found nothing, and has an event to come. Both go by the descriptor's lock, as
/// they do when the operation is run.)
inline bool settle_if_unawaited(operation* op, std::uintptr_t events) noexcept
{
    // Its only base class, which is private to it.
    auto* const descriptor = reinterpret_cast<descriptor_state*>(op);
    lock_of_descriptor<descriptor_mutex_tag> lock(descriptor->*member_of(descriptor_mutex_tag()));
    auto& waiting = descriptor->*member_of(waiting_tag());
    for (auto const& queue : waiting)
        if (!queue.empty())
            return false;
    auto& try_speculative = descriptor->*member_of(try_speculative_tag());
    constexpr std::uintptr_t for_all = EPOLLERR | EPOLLHUP;
    auto const is_ready = [events](std::uintptr_t kind)
    {
        return (events & (kind | for_all)) != 0;
    };
    if (is_ready(EPOLLIN))
        try_speculative[epoll_reactor::read_op] = true;
    if (is_ready(EPOLLOUT))
        try_speculative[epoll_reactor::write_op] = true;
    if (is_ready(EPOLLPRI))
        try_speculative[epoll_reactor::except_op] = true;
    return true;
}

#else

/// Other reactors do not say.
inline bool settle_if_unawaited(operation*, std::uintptr_t) noexcept
{
    return false;
}

#endif

} // namespace WEFT_LOCAL
} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_REACTOR_DESCRIPTOR_HPP
