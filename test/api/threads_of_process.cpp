// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0
#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "api/process.hpp"
#include "support/cases.hpp"
#include "support/sanitized.hpp"

#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace
{

// One of each kind of object, with an operation pending.
struct busy_objects
{
    template <class Context>
    explicit busy_objects(Context& context)
        : timer(context, std::chrono::hours(1)), system_timer(context, std::chrono::hours(1)),
          acceptor(context, {asio::ip::address_v4::loopback(), 0}),
          datagrams(context, {asio::ip::address_v4::loopback(), 0}), signals(context, SIGUSR1)
    {
        timer.async_wait([](error_code) {});
        system_timer.async_wait([](error_code) {});
        acceptor.async_accept([](error_code, asio::ip::tcp::socket) {});
        datagrams.async_receive(asio::buffer(buffer), [](error_code, std::size_t) {});
        signals.async_wait([](error_code, int) {});
    }

    asio::steady_timer timer;
    asio::system_timer system_timer;
    asio::ip::tcp::acceptor acceptor;
    asio::ip::udp::socket datagrams;
    asio::signal_set signals;
    std::array<char, 16> buffer{};
};

} // namespace

BOOST_AUTO_TEST_SUITE(threads_of_process)

BOOST_AUTO_TEST_CASE(a_context_with_io_objects_has_no_thread_of_its_own)
{
    const std::size_t before = test::threads_at_rest();
    weft::io_context context;
    busy_objects objects(context);
    asio::co_spawn(
        context, []() -> asio::awaitable<void> { co_return; }, asio::detached);
    BOOST_TEST(test::threads_of_this_process() == before);
    context.poll();
    BOOST_TEST(test::threads_of_this_process() == before);
}

BOOST_AUTO_TEST_CASE(the_threads_inside_run_are_all_there_are)
{
    constexpr std::ptrdiff_t count = 3;
    const std::size_t before = test::threads_at_rest();
    weft::io_context context;
    busy_objects objects(context);
    std::latch all(count + 1);
    std::latch looked(1);
    for (std::ptrdiff_t i = 0; i != count; ++i)
        asio::post(context,
            [&]
            {
                all.arrive_and_wait();
                looked.wait();
            });
    test::thread_group runners(static_cast<std::size_t>(count), [&] { context.run(); });
    all.arrive_and_wait();
    BOOST_TEST(test::threads_of_this_process() == before + count);
    looked.count_down();
    context.stop();
    runners.join();
    test::wait_until_threads_are(before);
}

BOOST_AUTO_TEST_CASE(a_pool_has_the_threads_it_was_asked_for_and_leaves_none)
{
    const std::size_t before = test::threads_at_rest();
    for (std::size_t count : {1u, 2u, 7u})
    {
        weft::thread_pool pool(count);
        BOOST_TEST(test::threads_of_this_process() == before + count);
        const busy_objects objects(pool);
        BOOST_TEST(test::threads_of_this_process() == before + count);
        pool.stop();
        pool.join();
        test::wait_until_threads_are(before);
    }
}

#if !WEFT_TEST_SANITIZED
// Little address space: room for the stacks of a few threads, and not of a hundred.
BOOST_AUTO_TEST_CASE(a_pool_whose_threads_cannot_all_be_started_joins_those_that_were)
{
    const pid_t child = ::fork();
    if (child == 0)
    {
        test::watchdog::arm(test::watchdog::seconds_per_case / 2);
        const std::size_t before = test::threads_at_rest();
        const rlimit little{rlim_t(1) << 28, rlim_t(1) << 28};
        int code = 1;
        if (::setrlimit(RLIMIT_AS, &little) != 0)
            code = 2;
        try
        {
            weft::thread_pool pool(100);
        }
        catch (const std::system_error& error)
        {
            test::wait_until_threads_are(before);
            code = error.code() == std::errc::resource_unavailable_try_again ? 0 : 3;
        }
        catch (...)
        {
            code = 4;
        }
        ::_exit(code);
    }
    int status = 0;
    BOOST_TEST_REQUIRE(::waitpid(child, &status, 0) == child);
    BOOST_TEST(WIFEXITED(status));
    BOOST_TEST(WEXITSTATUS(status) == 0);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
