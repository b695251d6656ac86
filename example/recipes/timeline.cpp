// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What two threads do with requests that come in bursts, as a timeline for ui.perfetto.dev. With an
// argument, it is written to that file.

#include <atomic>
#include <boost/asio.hpp>
#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <weft.hpp>

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr int bursts = 20;
constexpr int requests_in_burst = 12;

std::atomic<unsigned> worked{0};

void work(int steps)
{
    for (int i = 0; i != 1000 * steps; ++i)
        worked.fetch_add(1, std::memory_order_relaxed);
}

// tag::span[]
void answer(int number)
{
    {
        weft::trace::span const parsing("parse");
        work(4);
    }
    weft::trace::span const answering(number % 10 == 0 ? "compute" : "look up");
    work(number % 10 == 0 ? 80 : 8);
}
// end::span[]

asio::awaitable<void> client(weft::io_context& context, weft::mutex& log)
{
    weft::steady_timer pause(context);
    for (int burst = 0; burst != bursts; ++burst)
    {
        for (int i = 0; i != requests_in_burst; ++i)
            asio::post(context, [number = burst * requests_in_burst + i] { answer(number); });
        auto const lock = co_await log.async_scoped_lock();
        pause.expires_after(300us);
        co_await pause.async_wait(asio::use_awaitable);
    }
}

int main(int argc, char** argv)
{
    // tag::timeline[]
    weft::io_context context;
    weft::trace::start(context);
    // end::timeline[]
    weft::mutex log(context);
    for (int i = 0; i != 2; ++i)
        co_spawn(context, client(context, log), asio::detached);
    std::thread second([&] { context.run(); });
    context.run();
    second.join();

    std::ostringstream text;
    weft::trace::dump(context, text);
    if (argc > 1)
    {
        // tag::dump[]
        std::ofstream file(argv[1]);
        weft::trace::dump(context, file);
        // end::dump[]
    }
    std::cout << "a timeline of " << context.stats().total.handlers << " handlers, "
              << text.str().size() / 1000 << " kB\n";
    return text.str().find("\"compute\"") != std::string::npos ? 0 : 1;
}
