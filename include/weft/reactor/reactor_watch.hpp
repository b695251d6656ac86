// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_REACTOR_REACTOR_WATCH_HPP
#define WEFT_REACTOR_REACTOR_WATCH_HPP

#include <weft/config.hpp>
#include <weft/platform/atomic.hpp>
#include <weft/platform/visibility.hpp>

#include <boost/asio/detail/config.hpp>

#include <chrono>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Lets one thread sleep until there is something in the reactor, without being in it: nothing is
/// taken out, and the kernel wakes it only while somebody says so. To say so costs a tenth of what
/// it costs to wake a thread.
///
/// It is an epoll instance that holds the reactor's own, whose interest is switched on and off, and
/// an eventfd by which other threads end the wait.
class WEFT_DECL reactor_watch
{
public:
    reactor_watch() noexcept = default;
    reactor_watch(reactor_watch const&) = delete;
    reactor_watch& operator=(reactor_watch const&) = delete;

    ~reactor_watch()
    {
        close();
    }

    /// Whether the reactor has an epoll instance, and needs nobody's time limit to end a wait in
    /// time.
#if defined(BOOST_ASIO_HAS_EPOLL) && defined(BOOST_ASIO_HAS_TIMERFD) &&                            \
    !defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
    static constexpr bool is_available = true;
#else
    static constexpr bool is_available = false;
#endif

    /// Whoever leaves the reactor after a shorter sleep wakes somebody to take its place: the next
    /// event comes soon. Twice what it takes two threads on idle cores of a virtual machine to wake
    /// each other in turn.
    static constexpr std::chrono::microseconds least_sleep{128};

    /// The reactor keeps its epoll instance there: another one after a fork.
    void reactor_is_made(int const& epoll) noexcept
    {
        reactor_.store(&epoll, memory_order_release);
    }

    bool has_reactor() const noexcept
    {
        return reactor_.load(memory_order_relaxed) != nullptr;
    }

    /// Makes what wait() needs. By who is to call wait(), one thread at a time, when there is a
    /// reactor. False if there is no descriptor to be had, now or earlier.
    bool open() noexcept;

    /// Closes everything, so that open() begins anew. By the only thread that uses the object.
    void close() noexcept;

    /// Sleeps until wake() is called, or the reactor has something while the watch is armed; it
    /// may return without either.
    void wait() noexcept;

    /// Makes the wait() that goes on, or the next one, return. Any thread.
    void wake() noexcept;

    /// From now on wait() returns, once, if there is something in the reactor, or as soon as there
    /// is. One thread at a time arms or disarms.
    void arm() noexcept;

    /// Undoes arm(), if it has been called since the last time.
    void disarm() noexcept;

private:
    void set_interest(unsigned events) noexcept;

    atomic<int const*> reactor_{nullptr};

    // Made by the first who waits.
    int epoll_ = -1;
    int waker_ = -1;
    bool failed_ = false;

    bool armed_ = false;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_REACTOR_REACTOR_WATCH_HPP
