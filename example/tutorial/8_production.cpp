// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Options, counters, and a stop in good order: what has begun is finished.

#include <atomic>
#include <boost/asio.hpp>
#include <csignal>
#include <iostream>
#include <weft.hpp>

namespace asio = boost::asio;
using namespace std::chrono_literals;

std::atomic<int> jobs_done{0};

// tag::stop[]
asio::awaitable<void> work(weft::channel<int>& jobs)
{
    while (true)
    {
        auto [closed, job] = co_await jobs.async_receive(asio::as_tuple(asio::deferred));
        if (closed)
            co_return; // the last one lets pool.join() return
        ++jobs_done;
    }
}

int main()
{
    weft::options options;
    options.threads = 2;
    options.on_exception = [](std::exception_ptr)
    {
        std::cerr << "a handler has thrown\n";
    };
    weft::thread_pool pool(options);

    weft::channel<int> jobs(pool, 100);
    asio::signal_set signals(pool, SIGINT, SIGTERM);
    signals.async_wait([&](auto...) { jobs.close(); }); // no new jobs; those inside are finished
    for (int i = 0; i != 2; ++i)
        co_spawn(pool, work(jobs), asio::detached);
    int const accepted = static_cast<int>(jobs.try_send_n(50, 1));
    std::raise(SIGTERM);
    pool.join();

    weft::stats const stats = pool.stats();
    std::cout << jobs_done << " jobs, " << stats.total.handlers << " handlers, "
              << stats.total.parks << " sleeps\n";
    return jobs_done == accepted ? 0 : 1;
}
// end::stop[]
