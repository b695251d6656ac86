// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A semaphore limits how many requests are in flight; a time limit bounds how long one waits.

#include <algorithm>
#include <atomic>
#include <boost/asio.hpp>
#include <chrono>
#include <iostream>
#include <weft.hpp>

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct counts
{
    std::atomic<int> now{0}, most{0}, done{0}, refused{0};
};

// tag::semaphore[]
asio::awaitable<void> request(weft::semaphore& limit, counts& all)
{
    auto [failed, permit] =
        co_await limit.async_scoped_acquire_for(10s, asio::as_tuple(asio::deferred));
    if (failed) // asio::error::timed_out: the backend is overloaded
    {
        ++all.refused;
        co_return;
    }
    // At most three are here at a time.
    all.most = std::max<int>(all.most, ++all.now);
    asio::steady_timer backend(co_await asio::this_coro::executor, 1ms);
    co_await backend.async_wait(asio::use_awaitable);
    --all.now;
    ++all.done;
} // gives the permit back
// end::semaphore[]

int main()
{
    weft::io_context context; // run by one thread: all.most needs no more than that
    weft::semaphore limit(context, 3);
    counts all;
    for (int i = 0; i != 20; ++i)
        co_spawn(context, request(limit, all), asio::detached);
    context.run();
    std::cout << all.done << " done, " << all.refused << " refused, " << all.most
              << " at a time at most\n";
    return all.done + all.refused == 20 && all.most <= 3 ? 0 : 1;
}
