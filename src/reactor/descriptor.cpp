// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "descriptor.hpp"

#include <weft/reactor/insides.hpp>

#include "expose.hpp"

#if defined(BOOST_ASIO_HAS_EPOLL) && !defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
#include <boost/asio/detail/conditionally_enabled_mutex.hpp>
#include <boost/asio/detail/epoll_reactor.hpp>
#include <boost/asio/detail/op_queue.hpp>
#include <boost/asio/detail/posix_mutex.hpp>
#include <boost/asio/detail/reactor_op.hpp>

#include <pthread.h>
#include <sys/epoll.h>

#include <mutex>
#include <type_traits>
#include <utility>
#endif

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

#if defined(BOOST_ASIO_HAS_EPOLL) && !defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)

inline namespace WEFT_LOCAL
{

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

using descriptor_mutex = boost::asio::detail::conditionally_enabled_mutex;

static_assert(std::is_same_v<decltype(member_of(descriptor_mutex_tag())),
                  descriptor_mutex descriptor_state::*>,
    WEFT_ASIO_CHANGED("conditionally_enabled_mutex epoll_reactor::descriptor_state::mutex_"));
static_assert(!finds_any<no_mutex, descriptor_mutex>,
    WEFT_ASIO_CHANGED("a member conditionally_enabled_mutex::mutex_"));

struct inner_mutex_tag
{
    friend auto member_of(inner_mutex_tag) noexcept;
};

template struct expose<inner_mutex_tag, &descriptor_mutex::mutex_>;

using inner_mutex = boost::asio::detail::posix_mutex;

// Newer versions have a function for it, and another mutex inside.
template <typename Mutex>
using attempt_of = decltype(std::declval<Mutex&>().try_lock());

static_assert(
    finds<bool, attempt_of, descriptor_mutex> ||
        std::is_same_v<decltype(member_of(inner_mutex_tag())), inner_mutex descriptor_mutex::*>,
    WEFT_ASIO_CHANGED("posix_mutex conditionally_enabled_mutex::mutex_"));
static_assert(!finds_any<no_mutex, inner_mutex>, WEFT_ASIO_CHANGED("a member posix_mutex::mutex_"));

struct native_mutex_tag
{
    friend auto member_of(native_mutex_tag) noexcept;
};

template struct expose<native_mutex_tag, &inner_mutex::mutex_>;

static_assert(
    std::is_same_v<decltype(member_of(native_mutex_tag())), ::pthread_mutex_t inner_mutex::*>,
    WEFT_ASIO_CHANGED("pthread_mutex_t posix_mutex::mutex_"));

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

// The upper half of 32 bits is for others (sched/busy_descriptor.hpp).
static_assert((EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLERR | EPOLLHUP | EPOLLRDHUP) < 1 << 16);

template <typename Mutex>
bool try_lock(Mutex& mutex) noexcept
{
    if constexpr (finds<bool, attempt_of, Mutex>)
        return mutex.try_lock();
    else
        return !mutex.enabled() || ::pthread_mutex_trylock(&((mutex.*member_of(inner_mutex_tag())).*
                                                             member_of(native_mutex_tag()))) == 0;
}

/// The state of the descriptor whose operation this is.
inline descriptor_state& descriptor_of(operation* op) noexcept
{
    // Its only base class, which is private to it.
    return *reinterpret_cast<descriptor_state*>(op);
}

} // namespace WEFT_LOCAL

WEFT_INLINE bool descriptor_is_busy(operation* op) noexcept
{
    descriptor_mutex& mutex = descriptor_of(op).*member_of(descriptor_mutex_tag());
    if (!try_lock(mutex))
        return true;
    mutex.unlock();
    return false;
}

WEFT_INLINE waiters settle_if_unawaited(operation* op, std::uintptr_t events) noexcept
{
    descriptor_state& descriptor = descriptor_of(op);
    descriptor_mutex& mutex = descriptor.*member_of(descriptor_mutex_tag());
    if (!try_lock(mutex))
        return waiters::unknown;
    std::lock_guard<descriptor_mutex> const lock(mutex, std::adopt_lock);
    auto& waiting = descriptor.*member_of(waiting_tag());
    for (auto const& queue : waiting)
        if (!queue.empty())
            return waiters::some;
    auto& try_speculative = descriptor.*member_of(try_speculative_tag());
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
    return waiters::none;
}

#else

// Other reactors do not say.

WEFT_INLINE bool descriptor_is_busy(operation*) noexcept
{
    return false;
}

WEFT_INLINE waiters settle_if_unawaited(operation*, std::uintptr_t) noexcept
{
    return waiters::unknown;
}

#endif

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
