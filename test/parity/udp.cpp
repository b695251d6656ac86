// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include "parity/echo.hpp"

namespace
{

using asio::ip::udp;

struct two_sockets
{
    io_context context;
    udp::socket left{context, {asio::ip::address_v4::loopback(), 0}};
    udp::socket right{context, {asio::ip::address_v4::loopback(), 0}};
    std::array<char, 2048> buffer{};
    udp::endpoint sender;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(udp_, two_sockets)

BOOST_AUTO_TEST_CASE(a_datagram_arrives_with_its_sender)
{
    std::string received;
    right.async_receive_from(asio::buffer(buffer), sender,
        [&](error_code ec, std::size_t n)
        {
            BOOST_TEST(!ec);
            received.assign(buffer.data(), n);
        });
    bool sent = false;
    left.async_send_to(asio::buffer("hello", 5), right.local_endpoint(),
        [&](error_code ec, std::size_t n) { sent = !ec && n == 5; });
    context.run();
    BOOST_TEST(sent);
    BOOST_TEST(received == "hello");
    BOOST_TEST(sender == left.local_endpoint());
}

BOOST_AUTO_TEST_CASE(connected_sockets_send_and_receive)
{
    left.connect(right.local_endpoint());
    right.connect(left.local_endpoint());
    std::size_t received = 0;
    right.async_receive(asio::buffer(buffer), [&](error_code, std::size_t n) { received = n; });
    left.async_send(asio::buffer("hello", 5), [](error_code, std::size_t) {});
    context.run();
    BOOST_TEST(received == 5u);
}

BOOST_AUTO_TEST_CASE(datagrams_keep_their_bounds_and_order)
{
    constexpr int count = 200;
    int received = 0;
    std::function<void()> receive = [&]
    {
        right.async_receive_from(asio::buffer(buffer), sender,
            [&](error_code ec, std::size_t n)
            {
                BOOST_TEST_REQUIRE(!ec);
                BOOST_TEST_REQUIRE((std::string(buffer.data(), n) ==
                                    test::pattern(static_cast<std::size_t>(received) + 1, 7)));
                if (++received != count)
                    receive();
            });
    };
    receive();
    int sent = 0;
    // One at a time, so that nothing is dropped for want of room.
    std::function<void()> send = [&]
    {
        const std::string datagram = test::pattern(static_cast<std::size_t>(sent) + 1, 7);
        left.send_to(asio::buffer(datagram), right.local_endpoint());
        if (++sent != count)
            asio::post(context,
                [&]
                {
                    while (received < sent)
                        context.poll_one();
                    send();
                });
    };
    asio::post(context, send);
    context.run();
    BOOST_TEST(received == count);
}

BOOST_AUTO_TEST_CASE(cancel_aborts_a_receive)
{
    error_code result;
    right.async_receive_from(
        asio::buffer(buffer), sender, [&](error_code ec, std::size_t) { result = ec; });
    context.poll();
    right.cancel();
    context.run();
    BOOST_TEST(result == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(ping_pong_runs_on_two_threads)
{
    constexpr int rounds = 1000;
    std::array<char, 16> left_buffer{};
    std::array<char, 16> right_buffer{};
    left.connect(right.local_endpoint());
    right.connect(left.local_endpoint());
    int pongs = 0;
    std::function<void(error_code, std::size_t)> at_right = [&](error_code, std::size_t n)
    {
        right.send(asio::buffer(right_buffer, n));
        if (right_buffer[0] != 'x')
            right.async_receive(asio::buffer(right_buffer), at_right);
    };
    std::function<void(error_code, std::size_t)> at_left = [&](error_code, std::size_t)
    {
        if (++pongs > rounds)
            return;
        left.send(asio::buffer(pongs == rounds ? "x" : "p", 1));
        left.async_receive(asio::buffer(left_buffer), at_left);
    };
    right.async_receive(asio::buffer(right_buffer), at_right);
    left.async_receive(asio::buffer(left_buffer), at_left);
    left.send(asio::buffer("p", 1));
    test::run_on(context, 2);
    BOOST_TEST(pongs == rounds + 1);
}

BOOST_AUTO_TEST_SUITE_END()
