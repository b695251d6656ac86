// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_EXAMPLE_HTTP_CLIENT_HPP
#define WEFT_TEST_EXAMPLE_HTTP_CLIENT_HPP

#include "checks.hpp"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <string>
#include <string_view>

namespace check
{

namespace http = boost::beast::http;

using answer = http::response<http::string_body>;

/// A connection that reads answers as messages. What is sent is given as bytes, because most of
/// what these checks send is not what a well-behaved library would.
class http_client
{
public:
    explicit http_client(asio::any_io_executor executor) : connection_(std::move(executor))
    {
    }

    awaitable<void> open(unsigned short port);
    awaitable<void> send(std::string_view text);
    awaitable<answer> receive();

    /// An answer to HEAD: has a length but no body.
    awaitable<answer> receive_head();

    /// The server has ended the connection, and has not reset it.
    awaitable<void> expect_end();

    connection& raw() noexcept
    {
        return connection_;
    }

private:
    awaitable<answer> receive(bool without_body);

    connection connection_;
    beast::flat_buffer buffer_;
};

/// "GET target" with the fields it has to have and those given, each of which ends in "\r\n".
std::string make_get(std::string_view target, std::string_view fields = {});

inline void expect_status(answer const& found, unsigned wanted, std::string const& what)
{
    expect_equal(std::to_string(found.result_int()), std::to_string(wanted), what);
}

/// The bytes of a file.
std::string read_file(std::string const& path);

} // namespace check

#endif
