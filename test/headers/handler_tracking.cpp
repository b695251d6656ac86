// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Asio takes weft/handler_tracking.hpp for what it asks of such a header.
#define BOOST_ASIO_CUSTOM_HANDLER_TRACKING <weft/handler_tracking.hpp>

#include <boost/asio.hpp>
#include <weft.hpp>

namespace
{

namespace asio = boost::asio;

[[maybe_unused]] void use(weft::io_context& context, asio::ip::tcp::socket& socket, char& byte)
{
    asio::async_read(socket, asio::buffer(&byte, 1), [](boost::system::error_code, std::size_t) {});
    asio::steady_timer timer(context);
    timer.async_wait([](boost::system::error_code) {});
    asio::post(context, [] {});
    socket.cancel();
}

} // namespace
