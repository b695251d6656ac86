// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Several producers, one consumer, and an end that loses nothing. close() is all there is to it:
// from then on producers are refused, and hear of it; the consumer gets what they were not refused.
// Nobody has to count producers, or to send a value that means "the last one".

#include <weft.hpp>

#include <boost/asio.hpp>

#include <array>
#include <cstddef>
#include <exception>
#include <iostream>
#include <latch>

namespace asio = boost::asio;

namespace
{

constexpr std::size_t producers = 4;
constexpr std::size_t enough = 20'000;

struct measurement
{
    std::size_t producer = 0;
    std::size_t number = 0;
};

using measurements = weft::channel<measurement>;

// Measures until nobody wants it any more. `sent` counts what was accepted.
asio::awaitable<void> measure(measurements& to, std::size_t producer, std::size_t& sent)
{
    for (;;)
    {
        auto const [refused] = co_await to.async_send(
            measurement{producer, sent}, asio::as_tuple(asio::use_awaitable));
        if (refused)
            co_return;
        ++sent;
    }
}

// Somebody wants to stop: here the consumer itself, which has seen enough. It could be any thread,
// a handler for signals among them.
asio::awaitable<void> consume(
    measurements& from, std::array<std::size_t, producers>& received, bool& in_order)
{
    for (std::size_t count = 0;;)
    {
        auto const [ended, m] = co_await from.async_receive(asio::as_tuple(asio::use_awaitable));
        if (ended)
            co_return;
        in_order = in_order && m.number == received[m.producer];
        ++received[m.producer];
        if (++count == enough)
            from.close();
    }
}

} // namespace

int main()
{
    std::array<std::size_t, producers> sent{};
    std::array<std::size_t, producers> received{};
    bool in_order = true;
    weft::thread_pool pool(2);
    measurements m(pool, 16);
    std::latch running(producers + 1);
    auto const ended = [&](std::exception_ptr failure)
    {
        if (failure)
            std::rethrow_exception(failure);
        running.count_down();
    };
    asio::co_spawn(pool, consume(m, received, in_order), ended);
    for (std::size_t i = 0; i != producers; ++i)
        asio::co_spawn(pool, measure(m, i, sent[i]), ended);
    running.wait();
    pool.join();

    std::size_t total = 0;
    for (std::size_t i = 0; i != producers; ++i)
    {
        std::cout << "producer " << i << ": sent " << sent[i] << ", received " << received[i]
                  << '\n';
        total += received[i];
    }
    return sent == received && total >= enough && in_order ? 0 : 1;
}
