// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include "parity/echo.hpp"

namespace
{

using asio::ip::tcp;

struct pending_read
{
    io_context context;
    std::pair<tcp::socket, tcp::socket> pair = test::tcp_pair(context);
    tcp::socket& client = pair.first;
    tcp::socket& server = pair.second;
    std::array<char, 64> buffer{};
    error_code result = asio::error::would_block;
    std::size_t received = 99;
    int calls = 0;

    auto handler()
    {
        return [this](error_code ec, std::size_t n)
        {
            result = ec;
            received = n;
            ++calls;
        };
    }

    void read_some()
    {
        server.async_read_some(asio::buffer(buffer), handler());
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(tcp_cancellation, pending_read)

BOOST_AUTO_TEST_CASE(cancel_before_run_aborts_the_read)
{
    read_some();
    server.cancel();
    BOOST_TEST(calls == 0);
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(calls == 1);
    BOOST_TEST(result == asio::error::operation_aborted);
    BOOST_TEST(received == 0u);
}

BOOST_AUTO_TEST_CASE(cancel_while_polling_aborts_the_read)
{
    read_some();
    BOOST_TEST(context.poll() == 0u);
    server.cancel();
    BOOST_TEST(context.poll() == 1u);
    BOOST_TEST(result == asio::error::operation_aborted);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(cancel_from_a_handler_aborts_the_read)
{
    read_some();
    asio::post(context, [&] { server.cancel(); });
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST(result == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(cancel_aborts_every_operation_of_the_socket)
{
    read_some();
    int waits = 0;
    server.async_wait(tcp::socket::wait_read,
        [&](error_code ec) { waits += ec == asio::error::operation_aborted ? 1 : 0; });
    server.async_wait(tcp::socket::wait_error,
        [&](error_code ec) { waits += ec == asio::error::operation_aborted ? 1 : 0; });
    context.poll();
    server.cancel();
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST(calls == 1);
    BOOST_TEST(waits == 2);
}

BOOST_AUTO_TEST_CASE(a_cancelled_socket_can_be_used_again)
{
    for (int round = 0; round != 100; ++round)
    {
        read_some();
        context.poll();
        server.cancel();
        context.run();
        BOOST_TEST_REQUIRE(result == asio::error::operation_aborted);
        context.restart();
        read_some();
        asio::write(client, asio::buffer("abcd", 4));
        context.run();
        BOOST_TEST_REQUIRE(!result);
        BOOST_TEST_REQUIRE(received == 4u);
        context.restart();
    }
}

BOOST_AUTO_TEST_CASE(close_aborts_the_read)
{
    read_some();
    context.poll();
    server.close();
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(result == asio::error::operation_aborted);
    BOOST_TEST(!server.is_open());
}

BOOST_AUTO_TEST_CASE(the_end_of_the_socket_aborts_the_read)
{
    {
        const tcp::socket ends = std::move(server);
        const_cast<tcp::socket&>(ends).async_read_some(asio::buffer(buffer), handler());
        context.poll();
    }
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(result == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(the_end_of_an_acceptor_aborts_the_accept)
{
    error_code accepted;
    {
        tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
        acceptor.async_accept([&](error_code ec, tcp::socket) { accepted = ec; });
        context.poll();
    }
    context.run();
    BOOST_TEST(accepted == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(operations_on_a_closed_socket_fail_asynchronously)
{
    server.close();
    read_some();
    BOOST_TEST(calls == 0);
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(result == asio::error::bad_descriptor);
}

BOOST_AUTO_TEST_CASE(close_inside_the_read_handler_is_safe)
{
    server.async_read_some(asio::buffer(buffer),
        [&](error_code, std::size_t)
        {
            ++calls;
            server.close();
        });
    asio::write(client, asio::buffer("abcd", 4));
    context.run();
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(a_signal_aborts_only_the_operation_it_is_bound_to)
{
    asio::cancellation_signal signal;
    server.async_read_some(
        asio::buffer(buffer), asio::bind_cancellation_slot(signal.slot(), handler()));
    bool readable = false;
    server.async_wait(tcp::socket::wait_write, [&](error_code ec) { readable = !ec; });
    context.poll();
    signal.emit(asio::cancellation_type::total);
    context.run();
    BOOST_TEST(result == asio::error::operation_aborted);
    BOOST_TEST(readable);
}

BOOST_AUTO_TEST_CASE(a_signal_aborts_a_composed_read_and_tells_what_was_read)
{
    asio::cancellation_signal signal;
    asio::async_read(
        server, asio::buffer(buffer), asio::bind_cancellation_slot(signal.slot(), handler()));
    asio::write(client, asio::buffer("abcd", 4));
    server.wait(tcp::socket::wait_read);
    context.poll();
    BOOST_TEST(calls == 0);
    signal.emit(asio::cancellation_type::partial);
    context.run();
    BOOST_TEST(result == asio::error::operation_aborted);
    BOOST_TEST(received == 4u);
}

BOOST_AUTO_TEST_CASE(a_signal_aborts_a_timer)
{
    asio::cancellation_signal signal;
    asio::steady_timer timer(context, std::chrono::hours(1));
    timer.async_wait(
        asio::bind_cancellation_slot(signal.slot(), [&](error_code ec) { result = ec; }));
    asio::post(context, [&] { signal.emit(asio::cancellation_type::all); });
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST(result == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(a_signal_after_completion_does_nothing)
{
    asio::cancellation_signal signal;
    server.async_read_some(
        asio::buffer(buffer), asio::bind_cancellation_slot(signal.slot(), handler()));
    asio::write(client, asio::buffer("abcd", 4));
    context.run();
    signal.emit(asio::cancellation_type::all);
    context.restart();
    BOOST_TEST(context.run() == 0u);
    BOOST_TEST(!result);
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(a_timeout_by_a_timer_aborts_a_read_on_several_threads)
{
    auto strand = asio::make_strand(context);
    tcp::socket socket(strand, tcp::v4(), server.release());
    asio::steady_timer timer(strand);
    std::atomic<int> aborted = 0;
    int rounds = 0;
    std::function<void()> round = [&]
    {
        if (rounds++ == 50)
            return;
        timer.expires_after(std::chrono::microseconds(200));
        socket.async_read_some(asio::buffer(buffer),
            [&](error_code ec, std::size_t)
            {
                aborted += ec == asio::error::operation_aborted ? 1 : 0;
                round();
            });
        timer.async_wait(
            [&](error_code ec)
            {
                if (!ec)
                    socket.cancel();
            });
    };
    asio::post(strand, round);
    test::run_on(context, 3);
    BOOST_TEST(aborted == 50);
}

BOOST_AUTO_TEST_SUITE_END()
