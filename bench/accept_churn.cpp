// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does a connection cost that is accepted, echoes one message of 1 KiB, and is
// closed? The load, another process, keeps 16 of them under way, a closed loop over loopback; it
// ends each by a reset, so that no port has to wait. An operation is one connection.
// Does not show: several acceptors, or orderly ends, of which the kernel does the most.

#include "support/echo_sessions.hpp"
#include "support/harness.hpp"

#include <stdexcept>

namespace
{

bench::load_client* client = nullptr;

template <class Engine>
class accept_churn
{
public:
    accept_churn(Engine& engine, const bench::setting& s) : span_(s.operations), server_(engine)
    {
        const std::string failure =
            client->connect({server_.port(), static_cast<std::uint32_t>(s.what.width)});
        if (!failure.empty())
            throw std::runtime_error(failure);
    }

    ~accept_churn()
    {
        client->disconnect();
    }

    bench::outcome operator()()
    {
        const bench::load_result r = client->churn(span_);
        if (r.failure[0] != '\0')
            return bench::failed(r.failure);
        bench::outcome o{r.requests, r.elapsed, std::nullopt, {r.at(0.5), r.at(0.99)}};
        o.quantiles = r.quantiles();
        return o;
    }

private:
    std::chrono::milliseconds span_;
    bench::tcp_server<Engine, bench::callback_session> server_;
};

} // namespace

int main(int argc, char** argv)
{
    bench::load_client forked;
    client = &forked;
    bench::question asked{
        "accept_churn", "one connection, opened and closed", {{"16 at once", 120, 60, 16}}};
    asked.extras = {"p50 us", "p99 us"};
    asked.quick_threads = {1, 2};
    asked.iterations = 1;
    return bench::run<accept_churn>(argc, argv, asked);
}
