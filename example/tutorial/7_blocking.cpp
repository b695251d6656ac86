// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A handler that blocks says so, and the pool goes on without its thread.

#include <boost/asio.hpp>
#include <future>
#include <iostream>
#include <weft.hpp>

namespace asio = boost::asio;

// tag::blocking[]
int ask_and_wait(weft::thread_pool& pool)
{
    // This task goes to the queue of the thread that is about to block.
    std::future<int> answer = post(pool, asio::use_future([] { return 42; }));
    // Inside run_blocking the thread is no worker: its queue goes to others, and the pool starts
    // another thread if it has none to spare.
    return weft::run_blocking([&] { return answer.get(); });
}
// end::blocking[]

int main()
{
    weft::thread_pool pool(1); // without run_blocking its only thread would wait for itself
    std::future<int> result = post(pool, asio::use_future([&] { return ask_and_wait(pool); }));
    int const answer = result.get();
    pool.join();
    std::cout << "the answer is " << answer << '\n';
    return answer == 42 ? 0 : 1;
}
