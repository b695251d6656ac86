// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What a TCP request of 1 KiB costs more: one thread serves 64 connections of another process,
// which ask again at once. CPU time of the server for each request. The same server and the same
// connections in all modes, between which it is switched while it runs.

#include "gates.hpp"

#include "../support/echo_sessions.hpp"
#include "../support/machine.hpp"

#include <weft/io_context.hpp>
#include <weft/trace.hpp>

#include <boost/asio/executor_work_guard.hpp>

#include <stdexcept>
#include <thread>

namespace inside
{

namespace
{

class server
{
public:
    using executor_type = weft::io_context::executor_type;

    ~server()
    {
        guard_.reset();
        thread_.join();
    }

    const executor_type& executor(std::size_t = 0) const noexcept
    {
        return executor_;
    }

    weft::io_context& context() noexcept
    {
        return context_;
    }

private:
    weft::io_context context_{1};
    executor_type executor_ = context_.get_executor();
    boost::asio::executor_work_guard<executor_type> guard_{executor_};
    std::thread thread_{[this]
        {
            context_.run();
        }};
};

std::uint64_t ask(bench::load_client& client, std::chrono::milliseconds span)
{
    const bench::load_result r = client.run(span);
    if (r.failure[0] != '\0')
        throw std::runtime_error(r.failure);
    return r.requests;
}

} // namespace

gates echo(bool quick, bench::load_client& client)
{
    const auto span = quick ? 50ms : 400ms;
    server s;
    costs c;
    {
        bench::tcp_server<server, bench::callback_session> listening(s);
        bench::load what;
        what.port = listening.port();
        what.connections = 64;
        if (const std::string failure = client.connect(what); !failure.empty())
            throw std::runtime_error(failure);
        c = measure_rounds(quick ? 5 : 41,
            [&](mode m)
            {
                turn_to(s.context(), m);
                ask(client, span / 10);
                const auto before = bench::process_usage::of_other_threads();
                const std::uint64_t requests = ask(client, span);
                const auto took = bench::process_usage::of_other_threads() - before;
                return static_cast<double>(took.cpu.count()) / static_cast<double>(requests);
            });
        client.disconnect();
    }
    const std::string how =
        "a request of " + text_of(median_of(c, off) / 1000) + " us, 64 connections, one thread";
    return {{"metrics, sampled: TCP echo", share_of(c, sampled), 1, "%", how},
        {"metrics, all: TCP echo", share_of(c, all), 2.5, "%", how},
        {"flight recorder: TCP echo", share_of(c, recording), 1.5, "%", how}};
}

} // namespace inside
