// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does a context cost that has nothing to do? It has a work guard and a socket that
// nobody connects to, for 0.3 s (0.2 s when quick); the value is the CPU time per second of its
// threads, without that of the thread that watches. A voluntary context switch is one visit to the
// kernel to sleep again: whoever sleeps throughout has none. Does not show: what it costs to fall
// asleep and to wake (see wake). Ratios of such small numbers mean nothing.

#include "support/harness.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <thread>

namespace
{

template <class Engine>
class idle_cpu
{
public:
    idle_cpu(Engine& engine, const bench::setting& s)
        : span_(std::chrono::milliseconds(s.operations)),
          acceptor_(engine.executor(), {boost::asio::ip::address_v4::loopback(), 0})
    {
        acceptor_.async_accept([](boost::system::error_code, auto) {});
    }

    bench::outcome operator()()
    {
        using seconds = std::chrono::duration<double>;
        using microseconds = std::chrono::duration<double, std::micro>;
        const bench::process_usage before = bench::process_usage::of_other_threads();
        const auto start = bench::clock::now();
        std::this_thread::sleep_for(span_);
        const auto elapsed = bench::clock::now() - start;
        const bench::process_usage used = bench::process_usage::of_other_threads() - before;
        const double duration = seconds(elapsed).count();
        return {1, elapsed, microseconds(used.cpu).count() / duration,
            {static_cast<double>(used.voluntary_switches) / duration}};
    }

private:
    using tcp = boost::asio::ip::tcp;
    using executor_type = typename Engine::executor_type;

    std::chrono::milliseconds span_;
    boost::asio::basic_socket_acceptor<tcp, executor_type> acceptor_;
};

} // namespace

int main(int argc, char** argv)
{
    bench::question asked{
        "idle_cpu", "one second of doing nothing", {{"guard and open socket", 300, 200}}};
    asked.unit = "us of CPU per second,";
    asked.extras = {"switches/s"};
    asked.comparable = false;
    asked.allocates = false;
    asked.iterations = 1;
    return bench::run<idle_cpu>(argc, argv, asked);
}
