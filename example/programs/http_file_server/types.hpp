// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The Asio and Beast types of this server, bound to one executor.
//
// Naming the executor's type, instead of any_io_executor, saves an indirect call per operation.

#ifndef WEFT_EXAMPLE_HTTP_FILE_SERVER_TYPES_HPP
#define WEFT_EXAMPLE_HTTP_FILE_SERVER_TYPES_HPP

#include "../context.hpp"

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

namespace example
{

namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::asio::ip::tcp;
using boost::system::error_code;

// Every session has a strand: a tcp_stream's timeout runs concurrently to its reads and writes, and
// the two touch the same socket.
using strand = asio::strand<io_context::executor_type>;

template <class T>
using awaitable = asio::awaitable<T, strand>;

/// Errors come back as values: for a server a lost connection is no exception.
inline constexpr auto use_tuple = asio::as_tuple(asio::use_awaitable_t<strand>{});

using tcp_socket = asio::basic_stream_socket<tcp, strand>;
using tcp_acceptor = asio::basic_socket_acceptor<tcp, strand>;
using tcp_stream = beast::basic_stream<tcp, strand>;
using timer = asio::basic_waitable_timer<std::chrono::steady_clock,
    asio::wait_traits<std::chrono::steady_clock>, strand>;
using signal_set = asio::basic_signal_set<strand>;

using request = http::request<http::string_body>;

} // namespace example

#endif
