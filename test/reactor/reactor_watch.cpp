// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/reactor/reactor_watch.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <thread>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

using weft::detail::reactor_watch;

namespace
{

// What a reactor has: an epoll instance, and a descriptor on which something may happen.
struct watched
{
    watched()
    {
        renew();
        watch.reactor_is_made(epoll);
    }

    watched(watched const&) = delete;
    watched& operator=(watched const&) = delete;

    ~watched()
    {
        ::close(epoll);
        ::close(descriptor);
    }

    void renew()
    {
        if (epoll != -1)
            ::close(epoll);
        epoll = ::epoll_create1(EPOLL_CLOEXEC);
        epoll_event event{};
        event.events = EPOLLIN | EPOLLET;
        BOOST_TEST(::epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0);
    }

    void happen() const
    {
        std::uint64_t const one = 1;
        BOOST_TEST((::write(descriptor, &one, sizeof one) == sizeof one));
    }

    // As who looks into the reactor.
    int look() const
    {
        epoll_event event;
        return ::epoll_wait(epoll, &event, 1, 0);
    }

    int descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int epoll = -1;
    reactor_watch watch;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(watch_of_the_reactor, watched)

BOOST_AUTO_TEST_CASE(there_is_none_without_a_reactor)
{
    reactor_watch other;
    BOOST_TEST(!other.has_reactor());
    BOOST_TEST(watch.has_reactor());
}

BOOST_AUTO_TEST_CASE(what_happens_while_it_is_armed_ends_the_wait)
{
    BOOST_TEST(watch.open());
    watch.arm();
    std::thread waiting([this] { watch.wait(); });
    happen();
    waiting.join();
    // It is still there.
    BOOST_TEST(look() == 1);
}

BOOST_AUTO_TEST_CASE(what_has_happened_before_ends_the_wait)
{
    BOOST_TEST(watch.open());
    happen();
    watch.arm();
    watch.wait();
    BOOST_TEST(look() == 1);
}

BOOST_AUTO_TEST_CASE(a_watch_that_has_ended_is_armed_anew)
{
    BOOST_TEST(watch.open());
    for (int i = 0; i != 3; ++i)
    {
        watch.arm();
        happen();
        watch.wait();
        BOOST_TEST(look() == 1);
        watch.disarm();
        watch.disarm();
    }
}

BOOST_AUTO_TEST_CASE(another_thread_ends_the_wait)
{
    BOOST_TEST(watch.open());
    watch.wake();
    watch.wait();
    std::thread waiting([this] { watch.wait(); });
    watch.wake();
    waiting.join();
}

// As the child of a fork, whose reactor has made another epoll instance.
BOOST_AUTO_TEST_CASE(what_is_closed_is_opened_for_the_epoll_instance_that_is_there_then)
{
    BOOST_TEST(watch.open());
    watch.arm();
    watch.close();
    renew();
    BOOST_TEST(watch.open());
    watch.arm();
    happen();
    watch.wait();
    BOOST_TEST(look() == 1);
}

BOOST_AUTO_TEST_CASE(without_a_descriptor_there_is_no_watch_and_no_second_attempt)
{
    rlimit before{};
    BOOST_TEST(::getrlimit(RLIMIT_NOFILE, &before) == 0);
    rlimit none = before;
    none.rlim_cur = 0;
    BOOST_TEST(::setrlimit(RLIMIT_NOFILE, &none) == 0);
    bool const opened = watch.open();
    BOOST_TEST(::setrlimit(RLIMIT_NOFILE, &before) == 0);
    BOOST_TEST(!opened);
    BOOST_TEST(!watch.open());
    watch.close();
    BOOST_TEST(watch.open());
}

BOOST_AUTO_TEST_SUITE_END()
