// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does an HTTP/1.1 request cost on connections that stay open? Boost.Beast on the
// column's context, by callbacks and by coroutines, reads a small GET and answers with 16 bytes;
// the load is another process, a closed loop over loopback. An operation is one request. Does not
// show: bodies, TLS, routing; parsing and the kernel's TCP are most of what there is.

#include "support/harness.hpp"
#include "support/load_client.hpp"
#include "support/tcp_server.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <optional>
#include <stdexcept>

namespace
{

namespace http = boost::beast::http;

using request = http::request<http::empty_body>;
using response = http::response<http::string_body>;

bench::load_client* client = nullptr;

response answer_to(const request& asked)
{
    response answer{http::status::ok, 11};
    answer.body().assign(asked.target().substr(1));
    answer.prepare_payload();
    return answer;
}

template <class Executor>
class callback_session : public bench::session_base<Executor>,
                         public std::enable_shared_from_this<callback_session<Executor>>
{
public:
    using bench::session_base<Executor>::session_base;

    void start()
    {
        request_ = {};
        http::async_read(this->socket_, buffer_, request_,
            [self = this->shared_from_this()](boost::system::error_code error, std::size_t)
            {
                if (!error)
                    self->answer();
            });
    }

private:
    void answer()
    {
        response_ = answer_to(request_);
        http::async_write(this->socket_, response_,
            [self = this->shared_from_this()](boost::system::error_code error, std::size_t)
            {
                if (!error)
                    self->start();
            });
    }

    boost::beast::flat_buffer buffer_;
    request request_;
    response response_;
};

template <class Executor>
class coroutine_session : public bench::session_base<Executor>,
                          public std::enable_shared_from_this<coroutine_session<Executor>>
{
public:
    using bench::session_base<Executor>::session_base;

    void start()
    {
        boost::asio::co_spawn(
            this->socket_.get_executor(), serve(this->shared_from_this()), boost::asio::detached);
    }

private:
    static boost::asio::awaitable<void, Executor> serve(std::shared_ptr<coroutine_session> self)
    {
        boost::system::error_code error;
        auto token = boost::asio::redirect_error(boost::asio::use_awaitable_t<Executor>(), error);
        boost::beast::flat_buffer buffer;
        for (;;)
        {
            request asked;
            co_await http::async_read(self->socket_, buffer, asked, token);
            if (error)
                co_return;
            response answer = answer_to(asked);
            co_await http::async_write(self->socket_, answer, token);
            if (error)
                co_return;
        }
    }
};

template <class Engine>
class http_keepalive
{
public:
    http_keepalive(Engine& engine, const bench::setting& s) : span_(s.operations)
    {
        const std::uint16_t port = s.what.variant ? by_coroutines_.emplace(engine).port()
                                                  : by_callbacks_.emplace(engine).port();
        const std::string failure = client->connect({port, static_cast<std::uint32_t>(s.what.width),
            bench::heavy_ones::none, bench::protocol::http});
        if (!failure.empty())
            throw std::runtime_error(failure);
    }

    ~http_keepalive()
    {
        client->disconnect();
    }

    bench::outcome operator()()
    {
        const bench::load_result r = client->run(span_);
        if (r.failure[0] != '\0')
            return bench::failed(r.failure);
        bench::outcome o{r.requests, r.elapsed, std::nullopt, {r.at(0.5), r.at(0.99)}};
        o.quantiles = r.quantiles();
        return o;
    }

private:
    std::chrono::milliseconds span_;
    std::optional<bench::tcp_server<Engine, callback_session>> by_callbacks_;
    std::optional<bench::tcp_server<Engine, coroutine_session>> by_coroutines_;
};

} // namespace

int main(int argc, char** argv)
{
    bench::load_client forked;
    client = &forked;
    bench::question asked{"http_keepalive", "one HTTP request",
        {{"64 connections, callbacks", 120, 60, 64, false},
            {"64 connections, coroutines", 120, 60, 64, true},
            {"1 connection, callbacks", 120, 60, 1, false}}};
    asked.extras = {"p50 us", "p99 us"};
    asked.quick_threads = {2};
    asked.iterations = 1;
    return bench::run<http_keepalive>(argc, argv, asked);
}
