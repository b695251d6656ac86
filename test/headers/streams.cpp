// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Streams of others, with weft's concrete executors.
#include <weft.hpp>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/serial_port.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

using stream = boost::beast::basic_stream<boost::asio::ip::tcp, weft::io_context::executor_type>;
using pool_stream =
    boost::beast::basic_stream<boost::asio::ip::tcp, weft::thread_pool::executor_type>;
using port = boost::asio::basic_serial_port<weft::io_context::executor_type>;

void read_from_both(weft::io_context& context, weft::thread_pool& pool);

namespace
{

template <typename Stream, typename Context>
void read_one(Context& context)
{
    Stream from(context);
    boost::beast::flat_buffer buffer;
    boost::beast::http::request<boost::beast::http::string_body> request;
    from.expires_after(std::chrono::seconds(1));
    boost::beast::http::async_read(
        from, buffer, request, [](boost::system::error_code, std::size_t) {});
}

} // namespace

void read_from_both(weft::io_context& context, weft::thread_pool& pool)
{
    read_one<stream>(context);
    read_one<pool_stream>(pool);
    port const p(context);
}
