// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// An HTTP server whose inside can be seen while it works.
//
//   monitor --port 8080 --load 16      and in a browser: http://127.0.0.1:8080/
//
//   GET /            a page that draws what the workers do
//   GET /work        some work, in parallel, and a line in a table under a lock
//   GET /metrics     the context's metrics, for Prometheus
//   GET /stats.json  the same for the page
//
// With --load it asks itself for work all the time, through as many connections.

#include "../support/command_line.hpp"
#include "../support/coroutine_end.hpp"
#include "../support/listener.hpp"
#include "../support/run.hpp"
#include "page.hpp"
#include "work.hpp"

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <weft.hpp>

namespace
{

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using weft::awaitable;

using executor_type = weft::io_context::executor_type;
using socket_type = asio::basic_stream_socket<tcp, executor_type>;
using stream = beast::basic_stream<tcp, executor_type>;
using request = http::request<http::empty_body>;
using response = http::response<http::string_body>;

constexpr auto use_tuple = asio::as_tuple(weft::use_awaitable);
constexpr std::chrono::seconds client_timeout{30};

struct server
{
    explicit server(weft::io_context& c) : context(c), work(c)
    {
    }

    weft::io_context& context;
    example::workload work;
};

response answer(request const& asked, http::status status, char const* type, std::string body)
{
    response result{status, asked.version()};
    result.set(http::field::content_type, type);
    result.set(http::field::cache_control, "no-store");
    result.keep_alive(asked.keep_alive());
    result.body() = std::move(body);
    result.prepare_payload();
    return result;
}

awaitable<response> respond(server& s, request const& asked)
{
    constexpr auto plain = "text/plain; charset=utf-8";
    if (asked.method() != http::verb::get)
        co_return answer(asked, http::status::method_not_allowed, plain, "GET only\n");
    auto const target = asked.target();
    if (target == "/")
        co_return answer(
            asked, http::status::ok, "text/html; charset=utf-8", std::string{example::page});
    if (target == "/metrics")
        co_return answer(asked, http::status::ok, "text/plain; version=0.0.4",
            weft::prometheus_text(s.context.stats(), "monitor"));
    if (target == "/stats.json")
        co_return answer(
            asked, http::status::ok, "application/json", weft::to_json(s.context.stats()));
    if (target != "/work")
        co_return answer(asked, http::status::not_found, plain, "there is no such thing here\n");
    // Rather some clients that are told so at once than all of them late.
    if (weft::overloaded(s.context, std::chrono::milliseconds{50}))
        co_return answer(asked, http::status::service_unavailable, plain, "busy\n");
    co_return answer(asked, http::status::ok, plain, co_await s.work.perform());
}

awaitable<void> serve(server& s, stream peer)
{
    beast::flat_buffer buffer;
    for (bool again = true; again;)
    {
        request asked;
        peer.expires_after(client_timeout);
        auto const [read_error, read] = co_await http::async_read(peer, buffer, asked, use_tuple);
        if (read_error)
            co_return;
        response const said = co_await respond(s, asked);
        again = said.keep_alive();
        peer.expires_after(client_timeout);
        auto const [write_error, written] = co_await http::async_write(peer, said, use_tuple);
        if (write_error)
            co_return;
    }
}

awaitable<void> accept_all(server& s, asio::basic_socket_acceptor<tcp, executor_type> acceptor)
{
    weft::steady_timer back_off{s.context};
    for (;;)
    {
        auto [error, socket] = co_await acceptor.async_accept(use_tuple);
        switch (example::classify_accept(error))
        {
        case example::accept_outcome::serve:
            socket.set_option(tcp::no_delay{true}, error);
            asio::co_spawn(s.context.get_executor(), serve(s, stream{std::move(socket)}),
                example::end_session);
            break;
        case example::accept_outcome::retry:
            break;
        case example::accept_outcome::back_off:
            back_off.expires_after(example::accept_back_off);
            co_await back_off.async_wait(use_tuple);
            break;
        case example::accept_outcome::closed:
            co_return;
        }
    }
}

/// A client that asks for work again and again, with a pause now and then.
awaitable<void> ask_for_work(weft::io_context& context, tcp::endpoint where, unsigned number)
{
    stream peer{context.get_executor()};
    co_await peer.async_connect(where, weft::use_awaitable);
    weft::steady_timer pause{context};
    beast::flat_buffer buffer;
    for (unsigned i = number;; ++i)
    {
        http::request<http::empty_body> ask{http::verb::get, "/work", 11};
        ask.set(http::field::host, "localhost");
        co_await http::async_write(peer, ask, weft::use_awaitable);
        http::response<http::string_body> said;
        co_await http::async_read(peer, buffer, said, weft::use_awaitable);
        if (i % 16 == 0)
        {
            pause.expires_after(std::chrono::milliseconds{20 + i % 40});
            co_await pause.async_wait(weft::use_awaitable);
        }
    }
}

} // namespace

int main(int argc, char** argv)
try
{
    example::server_options options;
    options.port = 8080;
    unsigned load = 0;
    example::command_line line{"Works, and shows what its workers do at http://ADDRESS:PORT/"};
    options.add_to(line);
    line.number("load", load, 0, 1000, "connections through which it asks itself for work");
    if (auto const code = line.parse(argc, argv))
        return *code;

    weft::io_context context{static_cast<int>(options.threads)};
    server s{context};
    asio::signal_set signals{context, SIGINT, SIGTERM};
    signals.async_wait([&context](boost::system::error_code, int) { context.stop(); });

    auto acceptor = example::listen(context.get_executor(), options);
    tcp::endpoint const here = acceptor.local_endpoint();
    asio::co_spawn(context.get_executor(), accept_all(s, std::move(acceptor)), example::end_server);
    for (unsigned i = 0; i != load; ++i)
        asio::co_spawn(
            context.get_executor(), ask_for_work(context, here, i), example::end_session);
    example::run(context, options.threads);
}
catch (std::exception const& e)
{
    std::cerr << argv[0] << ": " << e.what() << '\n';
    return 1;
}
