// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "reactor/descriptor.hpp"

#include <weft/io_context.hpp>
#include <weft/reactor/driver.hpp>

#include "support/asio.hpp"

#include <mutex>
#include <optional>
#include <type_traits>

#if defined(BOOST_ASIO_HAS_EPOLL) && !defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
#include <boost/asio/detail/conditionally_enabled_mutex.hpp>
#include <boost/asio/detail/epoll_reactor.hpp>

#include <sys/epoll.h>

namespace asio = boost::asio;
using weft::detail::driver;
using weft::detail::ready_operation;
using weft::detail::waiters;

namespace
{

using state = std::remove_pointer_t<asio::detail::epoll_reactor::per_descriptor_data>;
using state_mutex = asio::detail::conditionally_enabled_mutex;

state_mutex& mutex_of(state& descriptor) noexcept;

template <auto Member>
struct expose_mutex
{
    friend state_mutex& mutex_of(state& descriptor) noexcept
    {
        return descriptor.*Member;
    }
};

template struct expose_mutex<&state::mutex_>;

/// A socket that is readable, with the reactor's operation for it.
struct readable_socket : driver::sink
{
    explicit readable_socket(int hint = BOOST_ASIO_CONCURRENCY_HINT_DEFAULT)
        : context(hint), d(asio::use_service<driver>(context)), socket(context), peer(context)
    {
        asio::local::connect_pair(socket, peer);
        send();
        while (!last)
            (void)d.wait(-1, *this);
    }

    void send()
    {
        BOOST_TEST_REQUIRE(::send(peer.native_handle(), "a", 1, 0) == 1);
    }

    bool has_room() noexcept override
    {
        return true;
    }

    void ready(ready_operation op) noexcept override
    {
        // And not that there is room to write, of both.
        if ((op.result & EPOLLIN) != 0)
            last = op;
    }

    void end() noexcept override
    {
    }

    /// As a thread that makes a system call at the descriptor.
    state_mutex& mutex()
    {
        return mutex_of(*reinterpret_cast<state*>(last->op));
    }

    waiters settle()
    {
        return weft::detail::settle_if_unawaited(last->op, last->result);
    }

    std::optional<ready_operation> last;
    weft::io_context context;
    driver& d;
    asio::local::stream_protocol::socket socket;
    asio::local::stream_protocol::socket peer;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(descriptor, readable_socket)

BOOST_AUTO_TEST_CASE(a_descriptor_is_busy_while_its_lock_is_taken)
{
    BOOST_TEST(!weft::detail::descriptor_is_busy(last->op));
    {
        std::lock_guard<state_mutex> const at_it(mutex());
        BOOST_TEST(weft::detail::descriptor_is_busy(last->op));
    }
    // And has not kept it.
    BOOST_TEST(!weft::detail::descriptor_is_busy(last->op));
}

BOOST_AUTO_TEST_CASE(whether_operations_wait_is_unknown_while_another_thread_is_there)
{
    std::array<char, 8> buffer;
    BOOST_TEST((settle() == waiters::none));
    {
        std::lock_guard<state_mutex> const at_it(mutex());
        BOOST_TEST((settle() == waiters::unknown));
    }
    BOOST_TEST(socket.receive(asio::buffer(buffer)) == 1u);
    socket.async_receive(asio::buffer(buffer), [](boost::system::error_code, std::size_t) {});
    BOOST_TEST((settle() == waiters::some));
    {
        std::lock_guard<state_mutex> const at_it(mutex());
        BOOST_TEST((settle() == waiters::unknown));
    }
    socket.cancel();
    BOOST_TEST((settle() == waiters::none));
}

// All other events would wait with it. Here for ever.
BOOST_AUTO_TEST_CASE(a_look_passes_an_event_on_while_another_thread_is_at_its_descriptor)
{
    auto const look = [this]
    {
        last.reset();
        send();
        (void)d.wait(0, *this);
        std::array<char, 8> buffer;
        (void)socket.receive(asio::buffer(buffer));
        return last.has_value();
    };
    state_mutex& at_it = mutex();
    for (int i = 0; i != 200; ++i)
        (void)look();
    // It asks about each by now.
    BOOST_TEST(!look());
    for (int i = 0; i != 200; ++i)
    {
        std::lock_guard<state_mutex> const lock(at_it);
        BOOST_TEST_REQUIRE(look());
    }
    // And has learnt nothing from that.
    BOOST_TEST(!look());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_descriptor_without_locks_is_never_busy)
{
    readable_socket unsafe(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO);
    unsafe.mutex().lock();
    BOOST_TEST(!weft::detail::descriptor_is_busy(unsafe.last->op));
    BOOST_TEST((unsafe.settle() == waiters::none));
    unsafe.mutex().unlock();
}
#endif
