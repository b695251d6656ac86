// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "checks.hpp"

namespace check
{

awaitable<void> connection::open(unsigned short port)
{
    stream_.expires_after(patience);
    tcp::endpoint const server{asio::ip::address_v4::loopback(), port};
    co_await stream_.async_connect(server, asio::use_awaitable);
    stream_.socket().set_option(tcp::no_delay{true});
}

awaitable<void> connection::send(std::string_view text)
{
    stream_.expires_after(patience);
    co_await asio::async_write(stream_, asio::buffer(text), asio::use_awaitable);
}

awaitable<std::string> connection::line()
{
    stream_.expires_after(patience);
    auto const size = co_await asio::async_read_until(
        stream_, asio::dynamic_buffer(input_), '\n', asio::use_awaitable);
    std::string text = input_.substr(0, size - 1);
    input_.erase(0, size);
    co_return text;
}

awaitable<std::string> connection::bytes(std::size_t size)
{
    stream_.expires_after(patience);
    if (input_.size() < size)
    {
        co_await asio::async_read(stream_, asio::dynamic_buffer(input_),
            asio::transfer_exactly(size - input_.size()), asio::use_awaitable);
    }
    std::string text = input_.substr(0, size);
    input_.erase(0, size);
    co_return text;
}

awaitable<std::string> connection::rest()
{
    stream_.expires_after(patience);
    auto const [error, size] =
        co_await asio::async_read(stream_, asio::dynamic_buffer(input_), use_tuple);
    if (error != asio::error::eof)
        throw boost::system::system_error(error, "reading to the end of the stream");
    co_return std::move(input_);
}

void connection::finish()
{
    stream_.socket().shutdown(tcp::socket::shutdown_send);
}

void connection::close()
{
    stream_.close();
}

} // namespace check
