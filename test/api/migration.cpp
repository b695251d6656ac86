// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What doc/migration.md says to write instead of what takes a boost::asio::io_context.

#include <weft/io_context.hpp>

#include "support/asio.hpp"

#include <boost/beast/_experimental/test/stream.hpp>
#include <boost/beast/core/detail/get_io_context.hpp>

namespace beast = boost::beast;

namespace
{

// As boost::redis::connection has them.
struct connection
{
    explicit connection(asio::any_io_executor ex) : executor(ex)
    {
    }

    explicit connection(asio::io_context& context) : connection(context.get_executor())
    {
    }

    asio::any_io_executor executor;
};

} // namespace

BOOST_AUTO_TEST_CASE(there_is_no_conversion_and_the_executor_is_taken)
{
    static_assert(!std::is_convertible_v<weft::io_context&, asio::io_context&>);
    static_assert(!std::is_convertible_v<weft::io_context&, asio::any_io_executor>);
    static_assert(!std::is_constructible_v<connection, weft::io_context&>);

    weft::io_context context;
    connection conn{context.get_executor()};
    BOOST_TEST((conn.executor == asio::any_io_executor(context.get_executor())));
    BOOST_TEST(&asio::query(conn.executor, asio::execution::context) == &context);
    BOOST_TEST((conn.executor.target<weft::io_context::executor_type>() != nullptr));
}

BOOST_AUTO_TEST_CASE(a_test_stream_takes_the_context_or_its_executor)
{
    weft::io_context context;
    beast::test::stream written{context.get_executor()};
    beast::test::stream read{context};
    read.append("text");
    std::string text(4, '\0');
    std::size_t received = 0;
    read.async_read_some(asio::buffer(text), [&](error_code, std::size_t n) { received = n; });
    context.run();
    BOOST_TEST(received == 4u);
    BOOST_TEST(text == "text");

    written.connect(read);
    written.async_write_some(asio::buffer(text), [](error_code, std::size_t) {});
    context.restart();
    context.run();
    BOOST_TEST(read.str() == "text");
}

BOOST_AUTO_TEST_CASE(sockets_are_connected_without_a_context_found_in_them)
{
    weft::io_context context;
    asio::ip::tcp::socket client(context);
    asio::ip::tcp::socket server(context);
    BOOST_TEST(beast::detail::get_io_context(client) == nullptr);

    asio::ip::tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
    int connected = 0;
    acceptor.async_accept(server, [&](error_code ec) { connected += !ec; });
    client.async_connect(acceptor.local_endpoint(), [&](error_code ec) { connected += !ec; });
    context.run();
    BOOST_TEST(connected == 2);
    BOOST_TEST((server.remote_endpoint() == client.local_endpoint()));
}
