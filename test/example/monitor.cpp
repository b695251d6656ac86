// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "http_client.hpp"

#include <string>

namespace check
{

namespace
{

awaitable<answer> get(http_client& client, std::string_view target)
{
    co_await client.send(make_get(target));
    co_return co_await client.receive();
}

/// The number behind a name in a text.
unsigned long value_of(std::string const& text, std::string const& name)
{
    auto const at = text.find(name);
    expect(at != text.npos, name + " is there");
    return std::stoul(text.substr(at + name.size()));
}

} // namespace

awaitable<void> check_monitor(unsigned short port)
{
    http_client client{co_await asio::this_coro::executor};
    co_await client.open(port);
    for (int i = 0; i != 20; ++i)
    {
        auto const worked = co_await get(client, "/work");
        expect_status(worked, 200, "the status of work");
        expect(worked.body().find("is done\n") != std::string::npos, "work is done");
    }

    auto const metrics = co_await get(client, "/metrics");
    expect_status(metrics, 200, "the status of /metrics");
    expect_equal(
        metrics[http::field::content_type], "text/plain; version=0.0.4", "the type of /metrics");
    expect(value_of(metrics.body(), "weft_handler_run_seconds_count{context=\"monitor\"} ") != 0,
        "handlers were timed");
    std::string const labels = "{context=\"monitor\",kind=\"mutex\",name=\"table\"} ";
    expect_equal(std::to_string(value_of(metrics.body(), "weft_waiters" + labels)), "0",
        "nobody waits for the table");

    auto const stats = co_await get(client, "/stats.json");
    expect_equal(stats[http::field::content_type], "application/json", "the type of /stats.json");
    expect(value_of(stats.body(), "\"handlers\":") >= 20 * 5, "all work was counted");

    auto const page = co_await get(client, "/");
    expect(page.body().starts_with("<!doctype html>"), "the page is one");
    expect(page.body().find("http") == std::string::npos, "the page needs nothing from elsewhere");
    expect_status(co_await get(client, "/nowhere"), 404, "the status of what is not there");
}

} // namespace check
