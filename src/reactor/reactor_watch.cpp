// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/reactor/reactor_watch.hpp>

#include <cstdint>

#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#endif

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

#if defined(__linux__)

WEFT_INLINE bool reactor_watch::open() noexcept
{
    if (epoll_ != -1 || failed_)
        return !failed_;
    int const reactor = *reactor_.load(memory_order_acquire);
    epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
    waker_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    // Each write is an edge, so that nobody has to read.
    epoll_event wakes{};
    wakes.events = EPOLLIN | EPOLLET;
    epoll_event has_events{};
    if (epoll_ != -1 && waker_ != -1 && ::epoll_ctl(epoll_, EPOLL_CTL_ADD, waker_, &wakes) == 0 &&
        ::epoll_ctl(epoll_, EPOLL_CTL_ADD, reactor, &has_events) == 0)
        return true;
    // Others have a better use for what there is.
    close();
    failed_ = true;
    return false;
}

WEFT_INLINE void reactor_watch::close() noexcept
{
    if (epoll_ != -1)
        ::close(epoll_);
    if (waker_ != -1)
        ::close(waker_);
    epoll_ = waker_ = -1;
    failed_ = armed_ = false;
}

WEFT_INLINE void reactor_watch::wait() noexcept
{
    epoll_event event;
    (void)::epoll_wait(epoll_, &event, 1, -1);
}

WEFT_INLINE void reactor_watch::wake() noexcept
{
    std::uint64_t const one = 1;
    auto const written = ::write(waker_, &one, sizeof one);
    (void)written;
}

WEFT_INLINE void reactor_watch::arm() noexcept
{
    armed_ = true;
    set_interest(EPOLLIN | EPOLLONESHOT);
}

WEFT_INLINE void reactor_watch::disarm() noexcept
{
    if (!armed_)
        return;
    armed_ = false;
    set_interest(0);
}

WEFT_INLINE void reactor_watch::set_interest(unsigned events) noexcept
{
    epoll_event interest{};
    interest.events = events;
    (void)::epoll_ctl(epoll_, EPOLL_CTL_MOD, *reactor_.load(memory_order_relaxed), &interest);
}

#else

// Only epoll instances can be watched so.
WEFT_INLINE bool reactor_watch::open() noexcept
{
    return false;
}

WEFT_INLINE void reactor_watch::close() noexcept
{
}

WEFT_INLINE void reactor_watch::wait() noexcept
{
}

WEFT_INLINE void reactor_watch::wake() noexcept
{
}

WEFT_INLINE void reactor_watch::arm() noexcept
{
}

WEFT_INLINE void reactor_watch::disarm() noexcept
{
}

WEFT_INLINE void reactor_watch::set_interest(unsigned) noexcept
{
}

#endif

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
