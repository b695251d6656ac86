// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_PARITY_ECHO_HPP
#define WEFT_TEST_PARITY_ECHO_HPP

#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace test
{

// A connected pair of TCP sockets over loopback, made without running a context.
template <class Context>
std::pair<boost::asio::ip::tcp::socket, boost::asio::ip::tcp::socket> tcp_pair(Context&& context)
{
    using boost::asio::ip::tcp;
    tcp::acceptor acceptor(context, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    tcp::socket client(context);
    client.connect(acceptor.local_endpoint());
    tcp::socket server = acceptor.accept();
    return {std::move(client), std::move(server)};
}

// Bytes that differ at every position and for every seed, so that a loss, a repetition or an
// exchange shows.
inline std::string pattern(std::size_t size, std::uint64_t seed)
{
    std::string bytes(size, '\0');
    std::uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
    for (char& byte : bytes)
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        byte = static_cast<char>(state >> 56);
    }
    return bytes;
}

} // namespace test

#endif
