// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include "parity/echo.hpp"

namespace
{

using asio::ip::tcp;

const tcp::endpoint any_port(asio::ip::address_v4::loopback(), 0);

} // namespace

BOOST_FIXTURE_TEST_SUITE(tcp_, test::with_context)

BOOST_AUTO_TEST_CASE(accept_and_connect_complete)
{
    tcp::acceptor acceptor(context, any_port);
    tcp::socket server(context);
    tcp::socket client(context);
    int calls = 0;
    acceptor.async_accept(server,
        [&](error_code ec)
        {
            BOOST_TEST(!ec);
            ++calls;
        });
    client.async_connect(acceptor.local_endpoint(),
        [&](error_code ec)
        {
            BOOST_TEST(!ec);
            ++calls;
        });
    BOOST_TEST(calls == 0);
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST(calls == 2);
    BOOST_TEST(server.remote_endpoint() == client.local_endpoint());
}

BOOST_AUTO_TEST_CASE(accept_delivers_a_socket_on_its_own_executor_or_a_given_one)
{
    io_context other;
    tcp::acceptor acceptor(context, any_port);
    int accepted = 0;
    acceptor.async_accept(
        [&](error_code ec, tcp::socket socket)
        {
            BOOST_TEST(!ec);
            BOOST_TEST((socket.get_executor() == acceptor.get_executor()));
            ++accepted;
        });
    acceptor.async_accept(other,
        [&](error_code ec, tcp::socket socket)
        {
            BOOST_TEST(!ec);
            BOOST_TEST((socket.get_executor() == tcp::socket(other).get_executor()));
            ++accepted;
        });
    tcp::socket first(context);
    tcp::socket second(context);
    first.connect(acceptor.local_endpoint());
    second.connect(acceptor.local_endpoint());
    context.run();
    BOOST_TEST(accepted == 2);
}

BOOST_AUTO_TEST_CASE(a_connection_that_is_refused_reports_it)
{
    tcp::endpoint closed;
    {
        tcp::acceptor acceptor(context, any_port);
        closed = acceptor.local_endpoint();
    }
    tcp::socket client(context);
    error_code result;
    client.async_connect(closed, [&](error_code ec) { result = ec; });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(result == asio::error::connection_refused);
}

BOOST_AUTO_TEST_CASE(bytes_written_are_read)
{
    auto [client, server] = test::tcp_pair(context);
    const std::string sent = "the quick brown fox";
    std::string received(sent.size(), '\0');
    int calls = 0;
    asio::async_read(server, asio::buffer(received),
        [&](error_code ec, std::size_t n)
        {
            BOOST_TEST(!ec);
            BOOST_TEST(n == sent.size());
            ++calls;
        });
    asio::async_write(client, asio::buffer(sent),
        [&](error_code ec, std::size_t n)
        {
            BOOST_TEST(!ec);
            BOOST_TEST(n == sent.size());
            ++calls;
        });
    context.run();
    BOOST_TEST(calls == 2);
    BOOST_TEST(received == sent);
}

BOOST_AUTO_TEST_CASE(a_read_of_data_that_is_there_completes_asynchronously)
{
    auto [client, server] = test::tcp_pair(context);
    asio::write(client, asio::buffer("abcd", 4));
    server.wait(tcp::socket::wait_read);
    std::array<char, 4> buffer{};
    bool called = false;
    asio::post(context,
        [&]
        {
            server.async_read_some(asio::buffer(buffer),
                [&](error_code ec, std::size_t n) { called = !ec && n == 4; });
            BOOST_TEST(!called);
        });
    context.run();
    BOOST_TEST(called);
}

BOOST_AUTO_TEST_CASE(a_read_into_no_buffer_completes_asynchronously)
{
    auto [client, server] = test::tcp_pair(context);
    bool called = false;
    server.async_read_some(asio::mutable_buffer(nullptr, 0),
        [&](error_code ec, std::size_t n) { called = !ec && n == 0; });
    BOOST_TEST(!called);
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(called);
}

BOOST_AUTO_TEST_CASE(the_end_of_the_stream_is_reported)
{
    auto [client, server] = test::tcp_pair(context);
    std::array<char, 4> buffer{};
    error_code result;
    server.async_read_some(asio::buffer(buffer), [&](error_code ec, std::size_t) { result = ec; });
    context.poll();
    client.shutdown(tcp::socket::shutdown_send);
    context.run();
    BOOST_TEST(result == asio::error::eof);
}

BOOST_AUTO_TEST_CASE(both_directions_of_a_socket_work_at_the_same_time)
{
    // Two operations on one socket at a time, which is no object to be shared between threads.
    auto strand = asio::make_strand(context);
    auto [client, server] = test::tcp_pair(strand);
    const std::string forth = test::pattern(1 << 20, 1);
    const std::string back = test::pattern(1 << 20, 2);
    std::string at_server(forth.size(), '\0');
    std::string at_client(back.size(), '\0');
    int done = 0;
    const auto count = [&](error_code ec, std::size_t n)
    {
        done += !ec && n == (1 << 20) ? 1 : 0;
    };
    asio::async_write(client, asio::buffer(forth), count);
    asio::async_write(server, asio::buffer(back), count);
    asio::async_read(client, asio::buffer(at_client), count);
    asio::async_read(server, asio::buffer(at_server), count);
    test::run_on(context, 2);
    BOOST_TEST(done == 4);
    BOOST_TEST((at_server == forth));
    BOOST_TEST((at_client == back));
}

BOOST_AUTO_TEST_CASE(buffer_sequences_are_scattered_and_gathered)
{
    auto [client, server] = test::tcp_pair(context);
    const std::string a = "abc";
    const std::string b = "defgh";
    std::array<char, 5> first{};
    std::array<char, 3> second{};
    const std::array<asio::const_buffer, 2> out{asio::buffer(a), asio::buffer(b)};
    const std::array<asio::mutable_buffer, 2> in{asio::buffer(first), asio::buffer(second)};
    std::size_t received = 0;
    asio::async_write(client, out, [](error_code, std::size_t) {});
    asio::async_read(server, in, [&](error_code, std::size_t n) { received = n; });
    context.run();
    BOOST_TEST(received == 8u);
    BOOST_TEST(std::string(first.data(), 5) == "abcde");
    BOOST_TEST(std::string(second.data(), 3) == "fgh");
}

BOOST_AUTO_TEST_CASE(a_moved_socket_stays_connected)
{
    auto [client, server] = test::tcp_pair(context);
    tcp::socket moved(std::move(server));
    tcp::socket assigned(context);
    assigned = std::move(moved);
    std::array<char, 4> buffer{};
    std::size_t received = 0;
    assigned.async_read_some(
        asio::buffer(buffer), [&](error_code, std::size_t n) { received = n; });
    asio::write(client, asio::buffer("abcd", 4));
    context.run();
    BOOST_TEST(received == 4u);
}

BOOST_AUTO_TEST_CASE(a_released_descriptor_can_be_given_to_another_context)
{
    auto [client, server] = test::tcp_pair(context);
    io_context other;
    tcp::socket elsewhere(other, tcp::v4(), server.release());
    std::array<char, 4> buffer{};
    std::size_t received = 0;
    elsewhere.async_read_some(
        asio::buffer(buffer), [&](error_code, std::size_t n) { received = n; });
    asio::write(client, asio::buffer("abcd", 4));
    other.run();
    BOOST_TEST(received == 4u);
}

BOOST_AUTO_TEST_CASE(async_connect_tries_every_endpoint)
{
    tcp::endpoint closed;
    {
        tcp::acceptor acceptor(context, any_port);
        closed = acceptor.local_endpoint();
    }
    tcp::acceptor acceptor(context, any_port);
    const std::vector<tcp::endpoint> endpoints{closed, acceptor.local_endpoint()};
    tcp::socket client(context);
    tcp::endpoint reached;
    asio::async_connect(client, endpoints,
        [&](error_code ec, const tcp::endpoint& endpoint)
        {
            BOOST_TEST(!ec);
            reached = endpoint;
        });
    context.run();
    BOOST_TEST(reached == acceptor.local_endpoint());
}

BOOST_AUTO_TEST_CASE(waiting_for_readiness_moves_no_data)
{
    auto [client, server] = test::tcp_pair(context);
    int ready = 0;
    server.async_wait(tcp::socket::wait_read, [&](error_code ec) { ready += ec ? 0 : 1; });
    client.async_wait(tcp::socket::wait_write, [&](error_code ec) { ready += ec ? 0 : 10; });
    asio::write(client, asio::buffer("abcd", 4));
    context.run();
    BOOST_TEST(ready == 11);
    BOOST_TEST(server.available() == 4u);
}

BOOST_AUTO_TEST_CASE(an_acceptor_accepts_connection_after_connection)
{
    tcp::acceptor acceptor(context, any_port);
    constexpr int count = 100;
    std::vector<tcp::socket> clients;
    int accepted = 0;
    std::function<void()> accept = [&]
    {
        acceptor.async_accept(
            [&](error_code ec, tcp::socket)
            {
                BOOST_TEST_REQUIRE(!ec);
                if (++accepted != count)
                    accept();
            });
    };
    accept();
    for (int i = 0; i != count; ++i)
    {
        clients.emplace_back(context);
        clients.back().connect(acceptor.local_endpoint());
        if (i % 8 == 0)
            context.poll();
    }
    context.run();
    BOOST_TEST(accepted == count);
}

BOOST_AUTO_TEST_CASE(sockets_on_a_pool_need_no_run)
{
    thread_pool pool(2);
    auto [client, server] = test::tcp_pair(pool);
    const std::string sent = test::pattern(1 << 16, 3);
    std::string received(sent.size(), '\0');
    asio::async_read(server, asio::buffer(received), [](error_code, std::size_t) {});
    asio::async_write(client, asio::buffer(sent), [](error_code, std::size_t) {});
    pool.join();
    BOOST_TEST((received == sent));
}

BOOST_FIXTURE_TEST_CASE(
    sockets_on_the_concrete_executor_work_like_the_type_erased_ones, test::context_of_its_own)
{
    using executor_type = io_context::executor_type;
    using socket_type = asio::basic_stream_socket<tcp, executor_type>;
    using acceptor_type = asio::basic_socket_acceptor<tcp, executor_type>;
    io_context context;
    acceptor_type acceptor(context, any_port);
    socket_type client(context);
    socket_type server(context);
    std::array<char, 4> buffer{};
    std::size_t received = 0;
    acceptor.async_accept(server,
        [&](error_code)
        {
            asio::async_read(
                server, asio::buffer(buffer), [&](error_code, std::size_t n) { received = n; });
        });
    client.async_connect(acceptor.local_endpoint(), [&](error_code)
        { asio::async_write(client, asio::buffer("abcd", 4), [](error_code, std::size_t) {}); });
    context.run();
    BOOST_TEST(received == 4u);
}

BOOST_AUTO_TEST_SUITE_END()
