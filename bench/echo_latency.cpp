// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: how long does a TCP echo server let its clients wait at a given rate? An open loop: the
// load, another process, sends 1 KiB messages at a fixed rate over 64 connections, whatever became
// of those before, and latency counts from when a message was due. In the row with heavy
// connections every tenth makes its handler burn about 20 us of CPU per message. The value is p50.
// Does not show: a network. Where `late p99` (by how much the client itself missed its times) is
// not far below p99, the machine had no core left for the client, and p99 says so.

#include "support/echo_sessions.hpp"
#include "support/harness.hpp"
#if defined(BENCH_HAS_LIBUV)
#include "support/uv_echo.hpp"
#endif

#include <stdexcept>

namespace
{

constexpr std::uint32_t connections = 64;

bench::load_client* client = nullptr;

// Connects to a server for as long as it lives. The row's width is the rate.
class asked_openly
{
public:
    asked_openly(std::uint16_t port, const bench::setting& s)
        : span_(s.operations), rate_(static_cast<std::uint32_t>(s.what.width))
    {
        const auto heavy = s.what.variant ? bench::heavy_ones::scattered : bench::heavy_ones::none;
        const std::string failure = client->connect({port, connections, heavy});
        if (!failure.empty())
            throw std::runtime_error(failure);
    }

    asked_openly(const asked_openly&) = delete;
    asked_openly& operator=(const asked_openly&) = delete;

    ~asked_openly()
    {
        client->disconnect();
    }

    bench::outcome operator()()
    {
        const bench::load_result r = client->run_open(span_, rate_);
        if (r.failure[0] != '\0')
            return bench::failed(r.failure);
        const double achieved =
            static_cast<double>(r.requests) / std::chrono::duration<double>(r.elapsed).count();
        bench::outcome o{r.requests, r.elapsed, r.at(0.5),
            {r.at(0.99), r.at(0.999), r.at(1), achieved, r.late_p99, r.late_p999}};
        o.quantiles = r.quantiles();
        return o;
    }

private:
    std::chrono::milliseconds span_;
    std::uint32_t rate_;
};

template <class Engine>
class echo_latency
{
public:
    echo_latency(Engine& engine, const bench::setting& s) : server_(engine), ask_(server_.port(), s)
    {
    }

    bench::outcome operator()()
    {
        return ask_();
    }

private:
    bench::tcp_server<Engine, bench::callback_session> server_;
    asked_openly ask_;
};

#if defined(BENCH_HAS_LIBUV)
class libuv_latency final : public bench::experiment
{
public:
    libuv_latency(unsigned threads, const bench::setting& s)
        : server_(threads), ask_(server_.port(), s)
    {
    }

    bench::outcome iterate() override
    {
        return ask_();
    }

private:
    bench::uv_echo server_;
    asked_openly ask_;
};
#endif

} // namespace

int main(int argc, char** argv)
{
    bench::load_client forked;
    client = &forked;
    bench::burden::calibrate(std::chrono::microseconds(20));
    bench::question asked{"echo_latency", "one echoed request, due at a fixed rate",
        {{"1,000 per second", 1'000, 300, 1'000, false},
            {"5,000 per second", 400, 100, 5'000, false},
            {"20,000 per second", 250, 100, 20'000, false},
            {"10,000 per second, 10 % heavy", 300, 100, 10'000, true}}};
    asked.unit = "us of latency, p50,";
    asked.extras = {"p99", "p99.9", "max", "per second", "late p99", "late p99.9"};
    // Counted where there is more to count (echo).
    asked.allocates = false;
    asked.threads = {1, 2, 4};
    asked.quick_threads = {2};
    asked.iterations = 1;
    std::vector<bench::column> columns = bench::columns_of<echo_latency>();
#if defined(BENCH_HAS_LIBUV)
    columns.push_back({"libuv",
        [](unsigned threads, const bench::setting& s) -> std::unique_ptr<bench::experiment>
        {
            return std::make_unique<libuv_latency>(threads, s);
        }});
#endif
    return bench::run(argc, argv, asked, columns);
}
