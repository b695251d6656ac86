// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: how long does an idle context take to run what a foreign thread posts? One post every
// 500 us; the value is the time from just before the post to the handler's first instruction. With
// an open socket the context waits in its reactor, as a server does. Does not show: wake-ups under
// load, or by I/O; on a busy machine p99 is the kernel's scheduler. Where the two threads share a
// core, as they do on a machine that is idle otherwise, the handler comes before the poster's next
// step or after it, by the kernel's sense of fairness: p50 depends on how often which.

#include "support/harness.hpp"

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace
{

template <class Engine>
class wake
{
public:
    wake(Engine& engine, const bench::setting& s) : engine_(engine), posts_(s.operations)
    {
        latencies_.reserve(posts_);
        for (std::size_t i = 0; s.what.variant && i != engine.threads(); ++i)
            sockets_.emplace_back(engine.executor(i), boost::asio::ip::tcp::v4());
    }

    bench::outcome operator()()
    {
        latencies_.clear();
        const auto start = bench::clock::now();
        for (std::uint64_t i = 0; i != posts_; ++i)
        {
            std::this_thread::sleep_until(start + (i + 1) * std::chrono::microseconds(500));
            arrived_.store(0, std::memory_order_relaxed);
            const std::int64_t posted = nanoseconds_now();
            boost::asio::post(engine_.executor(i),
                [this] { arrived_.store(nanoseconds_now(), std::memory_order_release); });
            // Not a spin: the posting thread must leave its core to the one it has woken.
            std::this_thread::sleep_for(std::chrono::microseconds(100));
            while (arrived_.load(std::memory_order_acquire) == 0)
                std::this_thread::sleep_for(std::chrono::microseconds(20));
            latencies_.push_back(arrived_.load(std::memory_order_acquire) - posted);
        }
        const auto elapsed = bench::clock::now() - start;
        if (*std::min_element(latencies_.begin(), latencies_.end()) <= 0)
            return bench::failed("a handler ran before it was posted");
        std::sort(latencies_.begin(), latencies_.end());
        const auto at = [this](double q)
        {
            return static_cast<double>(bench::quantile_of_sorted(latencies_, q));
        };
        bench::outcome o{posts_, elapsed, at(0.5), {at(0.99), at(1)}};
        for (const double q : bench::quantile_points)
            o.quantiles.push_back(at(q) / 1e3);
        return o;
    }

private:
    static std::int64_t nanoseconds_now()
    {
        return std::chrono::nanoseconds(bench::clock::now().time_since_epoch()).count();
    }

    using socket =
        boost::asio::basic_stream_socket<boost::asio::ip::tcp, typename Engine::executor_type>;

    Engine& engine_;
    std::uint64_t posts_;
    std::vector<socket> sockets_;
    std::vector<std::int64_t> latencies_;
    std::atomic<std::int64_t> arrived_{0};
};

} // namespace

int main(int argc, char** argv)
{
    bench::question asked{"wake", "one foreign post to an idle context",
        {{"every 500 us", 600, 150}, {"every 500 us, open socket", 600, 150, 1, true}}};
    asked.unit = "ns of latency, p50,";
    asked.extras = {"p99", "max"};
    asked.iterations = 1;
    return bench::run<wake>(argc, argv, asked);
}
