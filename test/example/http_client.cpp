// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "http_client.hpp"

#include <fstream>
#include <iterator>

namespace check
{

awaitable<void> http_client::open(unsigned short port)
{
    return connection_.open(port);
}

awaitable<void> http_client::send(std::string_view text)
{
    return connection_.send(text);
}

awaitable<answer> http_client::receive()
{
    return receive(false);
}

awaitable<answer> http_client::receive_head()
{
    return receive(true);
}

awaitable<answer> http_client::receive(bool without_body)
{
    http::response_parser<http::string_body> parser;
    parser.body_limit(boost::none);
    parser.skip(without_body);
    connection_.stream().expires_after(patience);
    co_await http::async_read(connection_.stream(), buffer_, parser, asio::use_awaitable);
    co_return parser.release();
}

awaitable<void> http_client::expect_end()
{
    expect(buffer_.size() == 0, "nothing follows the last answer");
    expect_equal(co_await connection_.rest(), "", "the connection ends after the last answer");
}

std::string make_get(std::string_view target, std::string_view fields)
{
    std::string text = "GET ";
    text += target;
    text += " HTTP/1.1\r\nHost: localhost\r\n";
    text += fields;
    text += "\r\n";
    return text;
}

std::string read_file(std::string const& path)
{
    std::ifstream file{path, std::ios::binary};
    if (!file)
        throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace check
