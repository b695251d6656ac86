// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include "parity/echo.hpp"

#include <boost/asio/spawn.hpp>

namespace
{

using asio::yield_context;
using asio::ip::tcp;

} // namespace

BOOST_FIXTURE_TEST_SUITE(spawn, test::with_context)

BOOST_AUTO_TEST_CASE(a_spawned_function_waits_and_goes_on)
{
    int steps = 0;
    asio::spawn(
        context,
        [&](yield_context yield)
        {
            asio::steady_timer timer(context);
            for (int i = 0; i != 100; ++i)
            {
                timer.expires_after(std::chrono::microseconds(10));
                timer.async_wait(yield);
                asio::post(context, yield);
                ++steps;
            }
        },
        asio::detached);
    BOOST_TEST(steps == 0);
    context.run();
    BOOST_TEST(steps == 100);
}

BOOST_AUTO_TEST_CASE(a_result_and_an_exception_reach_the_completion_handler)
{
    int result = 0;
    std::exception_ptr caught;
    asio::spawn(
        context, [](yield_context) { return 42; },
        [&](std::exception_ptr, int value) { result = value; });
    asio::spawn(
        context, [](yield_context) { throw std::runtime_error("failed"); },
        [&](std::exception_ptr error) { caught = error; });
    context.run();
    BOOST_TEST(result == 42);
    BOOST_TEST_REQUIRE((caught != nullptr));
    BOOST_CHECK_THROW(std::rethrow_exception(caught), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(errors_are_thrown_or_stored)
{
    bool thrown = false;
    error_code stored;
    asio::spawn(
        context,
        [&](yield_context yield)
        {
            auto [client, server] = test::tcp_pair(context);
            client.close();
            char byte = 0;
            server.async_read_some(asio::buffer(&byte, 1), yield[stored]);
            try
            {
                server.async_read_some(asio::buffer(&byte, 1), yield);
            }
            catch (const boost::system::system_error& error)
            {
                thrown = error.code() == asio::error::eof;
            }
        },
        asio::detached);
    context.run();
    BOOST_TEST(thrown);
    BOOST_TEST(stored == asio::error::eof);
}

BOOST_AUTO_TEST_CASE(sockets_are_echoed_on_several_threads)
{
    constexpr int connections = 16;
    tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
    std::atomic<int> wrong = 0;
    std::atomic<int> finished = 0;
    asio::spawn(
        context,
        [&](yield_context yield)
        {
            for (int i = 0; i != connections; ++i)
            {
                auto socket = std::make_shared<tcp::socket>(context);
                acceptor.async_accept(*socket, yield);
                asio::spawn(
                    context,
                    [socket](yield_context inner)
                    {
                        char buffer[512];
                        error_code ec;
                        for (;;)
                        {
                            const std::size_t n =
                                socket->async_read_some(asio::buffer(buffer), inner[ec]);
                            if (ec)
                                return;
                            asio::async_write(*socket, asio::buffer(buffer, n), inner[ec]);
                        }
                    },
                    asio::detached);
            }
        },
        asio::detached);
    for (int i = 0; i != connections; ++i)
        asio::spawn(
            context,
            [&, i](yield_context yield)
            {
                tcp::socket socket(context);
                socket.async_connect(acceptor.local_endpoint(), yield);
                for (std::uint64_t message = 0; message != 20; ++message)
                {
                    const std::string sent =
                        test::pattern(301, static_cast<std::uint64_t>(i) * 100 + message);
                    std::string received(sent.size(), '\0');
                    asio::async_write(socket, asio::buffer(sent), yield);
                    asio::async_read(socket, asio::buffer(received), yield);
                    wrong += sent != received ? 1 : 0;
                }
                ++finished;
            },
            asio::detached);
    test::run_on(context, 3);
    BOOST_TEST(wrong == 0);
    BOOST_TEST(finished == connections);
}

BOOST_AUTO_TEST_CASE(a_function_can_be_spawned_on_a_strand_and_on_a_pool)
{
    auto strand = asio::make_strand(context);
    bool in_strand = false;
    asio::spawn(
        strand,
        [&](yield_context yield)
        {
            asio::post(strand, yield);
            in_strand = strand.running_in_this_thread();
        },
        asio::detached);
    context.run();
    BOOST_TEST(in_strand);
    thread_pool pool(2);
    auto future = asio::spawn(
        pool,
        [&](yield_context yield)
        {
            asio::post(pool, yield);
            return 42;
        },
        asio::use_future);
    BOOST_TEST(future.get() == 42);
    pool.join();
}

BOOST_FIXTURE_TEST_CASE(a_suspended_function_is_unwound_with_its_context, test::context_of_its_own)
{
    const auto token = std::make_shared<int>(0);
    {
        io_context context;
        asio::spawn(
            context,
            [&context, token](yield_context yield)
            {
                const std::shared_ptr<int> local = token;
                asio::steady_timer timer(context, std::chrono::hours(1));
                timer.async_wait(yield);
            },
            asio::detached);
        context.poll();
        BOOST_TEST(token.use_count() >= 2);
    }
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_signal_cancels_a_spawned_function)
{
    asio::cancellation_signal signal;
    error_code result;
    asio::spawn(
        context,
        [&](yield_context yield)
        {
            asio::steady_timer timer(context, std::chrono::hours(1));
            timer.async_wait(yield[result]);
        },
        asio::bind_cancellation_slot(signal.slot(), asio::detached));
    asio::post(context, [&] { signal.emit(asio::cancellation_type::all); });
    context.run();
    BOOST_TEST(result == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_SUITE_END()
