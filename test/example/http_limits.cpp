// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "http_client.hpp"

#include <list>

namespace check
{

namespace
{

constexpr unsigned crowd = 100;

/// A client that says nothing, or not enough, is sent away; the bytes it sends now and then do not
/// help it.
awaitable<void> silent_clients_are_sent_away(unsigned short port)
{
    auto const executor = co_await asio::this_coro::executor;
    http_client silent{executor};
    http_client slow{executor};
    http_client done{executor};
    co_await silent.open(port);
    co_await slow.open(port);
    co_await done.open(port);
    co_await slow.send("GET / HTTP/1.1\r\nHost: lo");
    co_await done.send(make_get("/"));
    expect_status(co_await done.receive(), 200, "a request in time");
    co_await silent.expect_end();
    co_await slow.expect_end();
    co_await done.expect_end();
}

/// More clients than the server has descriptors for: it cannot accept the last one before it has
/// sent others away, and then it must not have given up accepting.
awaitable<void> a_crowd_is_served_in_the_end(unsigned short port)
{
    auto const executor = co_await asio::this_coro::executor;
    std::list<http_client> clients;
    for (unsigned i = 0; i < crowd; ++i)
        co_await clients.emplace_back(executor).open(port);
    auto& last = clients.back();
    co_await last.send(make_get("/", "Connection: close\r\n"));
    expect_status(co_await last.receive(), 200, "a client that had to wait");
    co_await last.expect_end();
}

} // namespace

awaitable<void> check_http_limits(unsigned short port)
{
    co_await silent_clients_are_sent_away(port);
    co_await a_crowd_is_served_in_the_end(port);
}

} // namespace check
