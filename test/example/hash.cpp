// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "checks.hpp"
#include "hash_server/workload.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>

namespace check
{

namespace
{

using namespace asio::experimental::awaitable_operators;

/// Computed by another program, so that the server's own function is checked too.
awaitable<void> known_hashes(unsigned short port)
{
    connection peer{co_await asio::this_coro::executor};
    co_await peer.open(port);
    co_await peer.send("0 0\n1 1\n42 1000\n18446744073709551615 4096\n");
    expect_equal(co_await peer.line(), "cbf29ce484222325", "the hash of nothing");
    expect_equal(co_await peer.line(), "af647c4c8602fc6c", "the hash of one byte");
    expect_equal(co_await peer.line(), "3fa949766b6d8b4b", "the hash of 1000 bytes");
    expect_equal(co_await peer.line(), "e71c8b44c06d0ce0", "the hash of 4096 bytes");
}

awaitable<void> malformed(unsigned short port, std::string text)
{
    connection peer{co_await asio::this_coro::executor};
    co_await peer.open(port);
    co_await peer.send("1 1\n" + text);
    expect_equal(co_await peer.rest(), "af647c4c8602fc6c\nERR a request is: SEED SIZE\n",
        "what is in order before \"" + text.substr(0, 20) +
            "\" is answered, then the rest refused");
}

awaitable<void> a_request_may_come_in_pieces(unsigned short port)
{
    connection peer{co_await asio::this_coro::executor};
    co_await peer.open(port);
    for (char const c : std::string_view{"42 1000\n"})
        co_await peer.send({&c, 1});
    expect_equal(co_await peer.line(), "3fa949766b6d8b4b", "a request sent byte by byte");
}

std::string line_of(example::hash_request request)
{
    return std::to_string(request.seed) + ' ' + std::to_string(request.size) + '\n';
}

awaitable<void> send_burst(connection& peer, std::uint32_t count, std::uint32_t size)
{
    std::string text;
    for (std::uint32_t i = 0; i < count; ++i)
        text += line_of({i, size});
    co_await peer.send(text);
    peer.finish();
}

awaitable<void> receive_burst(connection& peer, std::uint32_t count, std::uint32_t size)
{
    for (std::uint32_t i = 0; i < count; ++i)
    {
        expect_equal(co_await peer.line(), example::to_hex(example::hash_of({i, size})),
            "answer " + std::to_string(i) + " of a burst");
    }
    expect_equal(co_await peer.rest(), "", "nothing follows the last answer");
}

/// One client with all its requests at once beside one that asks now and then.
awaitable<void> uneven_load(unsigned short port)
{
    auto const executor = co_await asio::this_coro::executor;
    connection heavy{executor};
    connection light{executor};
    co_await heavy.open(port);
    co_await light.open(port);
    co_await (send_burst(heavy, 4000, 16 * 1024) && receive_burst(heavy, 4000, 16 * 1024) &&
              send_burst(light, 10, 2000) && receive_burst(light, 10, 2000));
}

} // namespace

awaitable<void> check_hash(unsigned short port)
{
    co_await known_hashes(port);
    co_await a_request_may_come_in_pieces(port);
    co_await malformed(port, "hello\n");
    co_await malformed(port, "1\n");
    co_await malformed(port, "-1 1\n");
    co_await malformed(port, "1 1048577\n");
    co_await malformed(port, "99999999999999999999 1\n");
    co_await malformed(port, std::string(100, '1'));
    co_await uneven_load(port);
}

} // namespace check
