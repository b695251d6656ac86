// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does a TCP echo server give, for 1, 64 and 512 connections, even and uneven? The
// server runs on the column's context; the load is another process on the same machine, a closed
// loop of 1 KiB messages over loopback. In the uneven rows a tenth of the connections makes its
// handler burn about 20 us of CPU per message: at scattered places, so that contexts that are dealt
// connections in turn have equally many of them; or every tenth, which one of two contexts then has
// all of. By callbacks, but for the rows that say coroutines; in one row each read has a timer. An
// operation is one request; `cpu ns/op` is the server's. Does not show: a network, or a server that
// may have all cores: client and server share them, and the kernel's TCP is most of what both do. A
// closed loop flatters whoever is slow, for it is asked less often: latencies are better looked at
// in echo_latency, and of uneven rows only those can be compared of which the same share was heavy.

#include "support/echo_sessions.hpp"
#include "support/harness.hpp"
#if defined(BENCH_HAS_LIBUV)
#include "support/uv_echo.hpp"
#endif

#include <optional>
#include <stdexcept>

namespace
{

bench::load_client* client = nullptr;

enum kind : std::size_t
{
    callbacks = 0,
    coroutines = 1000,
    any_executor = 2000,
    // By callbacks, the heavy ones not scattered.
    every_tenth = 3000,
    // By callbacks, and each read has a timer of 30 seconds.
    timeouts = 4000
};

constexpr std::size_t connections_of(std::size_t width)
{
    return width % 1000;
}

bench::outcome measure(std::chrono::milliseconds span)
{
    const bench::load_result r = client->run(span);
    if (r.failure[0] != '\0')
        return bench::failed(r.failure);
    bench::outcome o{r.requests, r.elapsed, std::nullopt, {r.at(0.5), r.at(0.99), 100 * r.heavy}};
    o.quantiles = r.quantiles();
    return o;
}

void connect(std::uint16_t port, const bench::row& what)
{
    using bench::heavy_ones;
    const std::size_t connections = connections_of(what.width);
    const heavy_ones heavy = !what.variant                             ? heavy_ones::none
                             : what.width - connections == every_tenth ? heavy_ones::every_tenth
                                                                       : heavy_ones::scattered;
    const std::string failure =
        client->connect({port, static_cast<std::uint32_t>(connections), heavy});
    if (!failure.empty())
        throw std::runtime_error(failure);
}

template <class Engine>
class echo
{
public:
    echo(Engine& engine, const bench::setting& s) : span_(s.operations)
    {
        switch (s.what.width - connections_of(s.what.width))
        {
        case callbacks:
        case every_tenth:
            port_ = by_callbacks_.emplace(engine).port();
            break;
        case timeouts:
            port_ = by_timeouts_.emplace(engine).port();
            break;
        case coroutines:
            port_ = by_coroutines_.emplace(engine).port();
            break;
        default:
            port_ = by_any_executor_.emplace(engine).port();
        }
        connect(port_, s.what);
    }

    ~echo()
    {
        client->disconnect();
    }

    bench::outcome operator()()
    {
        return measure(span_);
    }

private:
    std::chrono::milliseconds span_;
    std::uint16_t port_ = 0;
    std::optional<bench::tcp_server<Engine, bench::callback_session>> by_callbacks_;
    std::optional<bench::tcp_server<Engine, bench::timeout_session>> by_timeouts_;
    std::optional<bench::tcp_server<Engine, bench::coroutine_session>> by_coroutines_;
    std::optional<bench::tcp_server<Engine, bench::any_executor_session>> by_any_executor_;
};

#if defined(BENCH_HAS_LIBUV)
class libuv_echo final : public bench::experiment
{
public:
    libuv_echo(unsigned threads, const bench::setting& s) : span_(s.operations), server_(threads)
    {
        connect(server_.port(), s.what);
    }

    ~libuv_echo() override
    {
        client->disconnect();
    }

    bench::outcome iterate() override
    {
        return measure(span_);
    }

private:
    std::chrono::milliseconds span_;
    bench::uv_echo server_;
};

bench::column libuv_column()
{
    return {"libuv",
        [](unsigned threads, const bench::setting& s) -> std::unique_ptr<bench::experiment>
        {
            if (s.what.width >= timeouts ||
                (s.what.width >= coroutines && s.what.width < every_tenth))
                return nullptr;
            return std::make_unique<libuv_echo>(threads, s);
        }};
}
#endif

} // namespace

int main(int argc, char** argv)
{
    bench::load_client forked;
    client = &forked;
    bench::burden::calibrate(std::chrono::microseconds(20));
    bench::question asked{"echo", "one echoed request",
        {{"1 connection", 120, 60, 1, false}, {"64 connections", 120, 60, 64, false},
            {"512 connections", 120, 60, 512, false}, {"64, 10 % heavy", 120, 60, 64, true},
            {"512, 10 % heavy", 120, 60, 512, true},
            {"64, every tenth heavy", 120, 60, every_tenth + 64, true},
            {"512, timeout per read", 120, 60, timeouts + 512, false},
            {"64, coroutines", 120, 60, coroutines + 64, false},
            {"64, any_io_executor", 120, 60, any_executor + 64, false}}};
    asked.extras = {"p50 us", "p99 us", "heavy %"};
    asked.quick_threads = {2};
    asked.iterations = 1;
    std::vector<bench::column> columns = bench::columns_of<echo>();
#if defined(BENCH_HAS_LIBUV)
    columns.push_back(libuv_column());
#endif
    return bench::run(argc, argv, asked, columns);
}
