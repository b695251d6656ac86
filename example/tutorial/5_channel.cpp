// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A bounded channel: whoever is too fast waits, and close() loses nothing.

#include <atomic>
#include <boost/asio.hpp>
#include <iostream>
#include <weft.hpp>

namespace asio = boost::asio;

constexpr int orders = 1000;

// tag::channel[]
asio::awaitable<void> take_orders(weft::channel<int>& queue)
{
    for (int i = 1; i <= orders; ++i)
        co_await queue.async_send(i); // suspends while eight orders are in the channel
    queue.close();
}

asio::awaitable<void> cook(weft::channel<int>& queue, std::atomic<int>& sum)
{
    for (;;)
    {
        auto [closed, order] = co_await queue.async_receive(asio::as_tuple(asio::deferred));
        if (closed) // and empty: everything that was sent has been received
            co_return;
        sum += order;
    }
}
// end::channel[]

int main()
{
    weft::thread_pool pool(2);
    weft::channel<int> queue(pool, 8);
    std::atomic<int> sum{0};
    co_spawn(pool, take_orders(queue), asio::detached);
    for (int i = 0; i != 3; ++i)
        co_spawn(pool, cook(queue, sum), asio::detached);
    pool.join();
    std::cout << "the sum of all orders is " << sum << '\n';
    return sum == orders * (orders + 1) / 2 ? 0 : 1;
}
