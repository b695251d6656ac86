// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// One coroutine serves two channels. It waits for both without taking a value, so the wait that
// loses the race has nothing to lose, and takes values afterwards.

#include <boost/asio.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <iostream>
#include <string>
#include <weft.hpp>

namespace asio = boost::asio;
using namespace asio::experimental::awaitable_operators;

constexpr int each = 1000;

struct totals
{
    int orders = 0;
    int refunds = 0;
};

// tag::select[]
asio::awaitable<void> serve(
    weft::channel<int>& orders, weft::channel<std::string>& refunds, totals& all)
try
{
    for (;;)
    {
        co_await (orders.async_wait_receive(asio::use_awaitable) ||
                  refunds.async_wait_receive(asio::use_awaitable));
        while (auto order = orders.try_receive())
            all.orders += *order;
        while (auto refund = refunds.try_receive())
            all.refunds += static_cast<int>(refund->size());
    }
}
catch (asio::multiple_exceptions const&)
{
    // Both waits have failed: both channels are closed, and empty.
}
// end::select[]

template <class T>
asio::awaitable<void> send(weft::channel<T>& to, T value)
{
    for (int i = 0; i != each; ++i)
        co_await to.async_send(value);
    to.close();
}

int main()
{
    weft::thread_pool pool(2);
    weft::channel<int> orders(pool, 4);
    weft::channel<std::string> refunds(pool, 4);
    totals all;
    // A coroutine with || runs on a strand, as Asio asks for: || cancels one side from the other.
    co_spawn(make_strand(pool), serve(orders, refunds, all), asio::detached);
    co_spawn(pool, send(orders, 1), asio::detached);
    co_spawn(pool, send(refunds, std::string("x")), asio::detached);
    pool.join();
    std::cout << all.orders << " orders, " << all.refunds << " refunds\n";
    return all.orders == each && all.refunds == each ? 0 : 1;
}
