// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "server.hpp"

#include "../support/coroutine_end.hpp"
#include "../support/listener.hpp"

#include <algorithm>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <csignal>
#include <exception>
#include <iostream>
#include <utility>

namespace example
{

namespace
{

/// After the signal, for clients that have connected and not said anything yet.
constexpr std::chrono::seconds time_for_first_request{1};

} // namespace

server::server(io_context& context, server_options const& options,
    std::shared_ptr<site const> files, session_limits limits, std::chrono::seconds grace)
    : context_(context), strand_(asio::make_strand(context)), acceptor_(listen(strand_, options)),
      signals_(strand_, SIGINT, SIGTERM), drained_(strand_, timer::time_point::max()),
      site_(std::move(files)), limits_(limits), grace_(grace)
{
}

server::~server()
{
    sessions_->forget_on_empty();
}

void server::start()
{
    asio::co_spawn(strand_, accept_all(), end_server);
    asio::co_spawn(strand_, stop_on_signal(), end_server);
}

awaitable<void> server::accept_all()
{
    timer back_off{strand_};
    bool is_short = false;
    while (!is_stopping_)
    {
        // Every connection gets a strand of its own as its socket's executor.
        auto [error, socket] =
            co_await acceptor_.async_accept(asio::make_strand(context_), use_tuple);
        switch (classify_accept(error))
        {
        case accept_outcome::serve:
            is_short = false;
            serve(std::move(socket));
            break;
        case accept_outcome::retry:
            break;
        case accept_outcome::back_off:
            if (!std::exchange(is_short, true))
                std::cerr << "http_file_server: cannot accept: " << error.message() << '\n';
            back_off.expires_after(accept_back_off);
            co_await back_off.async_wait(use_tuple);
            break;
        case accept_outcome::closed:
            break;
        }
    }
    close_acceptor();
    sessions_->stop_all(
        [this] { asio::post(strand_, [this] { drained_.expires_at(timer::time_point::min()); }); });
}

/// Closing it resets the connections that the kernel has let in and nobody has accepted: these are
/// accepted first. Their clients think that they are connected.
void server::close_acceptor()
{
    error_code error;
    acceptor_.non_blocking(true, error);
    while (!error)
    {
        tcp_socket socket = acceptor_.accept(asio::make_strand(context_), error);
        if (!error)
            serve(std::move(socket));
    }
    acceptor_.close(error);
}

void server::serve(tcp_socket socket)
{
    error_code ignored;
    // Answers are written whole; holding back the last piece of one only delays it.
    socket.set_option(tcp::no_delay{true}, ignored);

    auto const executor = socket.get_executor();
    auto const added = std::make_shared<session>(std::move(socket), site_, limits_, sessions_);
    sessions_->insert(added);
    ++sessions_->counts.connections;
    asio::co_spawn(
        executor, [added] { return added->run(); }, end_session);
}

awaitable<void> server::stop_on_signal()
{
    using namespace asio::experimental::awaitable_operators;

    co_await signals_.async_wait(use_tuple);
    std::cout << "stopping" << std::endl;
    // An accept that has succeeded already is not undone thereby, and served like others.
    is_stopping_ = true;
    acceptor_.cancel();

    timer grace{strand_, std::min(grace_, time_for_first_request)};
    co_await (drained_.async_wait(use_tuple) || signals_.async_wait(use_tuple) ||
              grace.async_wait(use_tuple));
    sessions_->end_waiting();
    grace.expires_at(grace.expiry() + (grace_ - std::min(grace_, time_for_first_request)));
    co_await (drained_.async_wait(use_tuple) || signals_.async_wait(use_tuple) ||
              grace.async_wait(use_tuple));
    context_.stop();
}

} // namespace example
