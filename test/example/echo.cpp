// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "checks.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <list>

namespace check
{

namespace
{

using namespace asio::experimental::awaitable_operators;

std::string make_text(std::size_t size, unsigned seed)
{
    std::string text(size, '\0');
    for (auto& c : text)
        c = static_cast<char>((seed = seed * 1664525 + 1013904223) >> 24);
    return text;
}

awaitable<void> send_and_finish(connection& peer, std::string_view text)
{
    co_await peer.send(text);
    peer.finish();
}

/// More than fits any socket buffer comes back whole, although both directions are full meanwhile.
awaitable<void> a_long_text_comes_back(unsigned short port)
{
    connection peer{co_await asio::this_coro::executor};
    co_await peer.open(port);
    auto const text = make_text(4'000'000, 1);
    auto const answer = co_await (send_and_finish(peer, text) && peer.rest());
    expect(answer == text, "a long text comes back as it was sent");
}

awaitable<void> talk(connection& peer, unsigned short port, unsigned seed)
{
    co_await peer.open(port);
    for (unsigned i = 0; i < 50; ++i)
    {
        auto const text = make_text(1 + (seed * 37 + i * 101) % 3000, seed * 1000 + i);
        co_await peer.send(text);
        expect(co_await peer.bytes(text.size()) == text, "a client gets what it sent itself");
    }
    peer.finish();
    expect_equal(co_await peer.rest(), "", "nothing follows the echo");
}

awaitable<void> many_clients_do_not_mix(unsigned short port)
{
    auto const executor = co_await asio::this_coro::executor;
    std::list<connection> peers;
    asio::steady_timer last{executor, asio::steady_timer::time_point::max()};
    unsigned left = 64;
    std::exception_ptr failure;
    for (unsigned i = 0; i < 64; ++i)
    {
        asio::co_spawn(executor, talk(peers.emplace_back(executor), port, i),
            [&](std::exception_ptr error)
            {
                if (error)
                    failure = error;
                if (--left == 0)
                    last.cancel();
            });
    }
    co_await last.async_wait(use_tuple);
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace

awaitable<void> check_echo(unsigned short port)
{
    co_await a_long_text_comes_back(port);
    co_await many_clients_do_not_mix(port);
}

} // namespace check
