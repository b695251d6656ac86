// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A server that is told to end under load: what it has accepted, it answers.

#include "http_client.hpp"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <signal.h>

namespace check
{

namespace
{

constexpr int coming = 24;  // clients that connect for each request
constexpr int staying = 12; // clients that keep their connection
constexpr int answers_before_the_signal = 400;

struct load
{
    unsigned short port;
    std::string content;
    int process;

    unsigned long connections = 0; // on which there was an answer
    unsigned long answers = 0;
    bool signalled = false;
    int running = coming + staying;
    std::shared_ptr<asio::steady_timer> ended = {};
};

/// Whether there was an answer, and a right one. None at all means that the server has not taken
/// the request; half an answer is wrong.
awaitable<bool> ask(beast::tcp_stream& stream, beast::flat_buffer& buffer, load& l, bool keeps)
{
    auto const request = make_get("/index.html", keeps ? "" : "Connection: close\r\n");
    stream.expires_after(patience);
    auto const [write_error, written] =
        co_await asio::async_write(stream, asio::buffer(request), use_tuple);
    if (write_error)
        co_return false;
    http::response_parser<http::string_body> parser;
    auto const [error, size] = co_await http::async_read(stream, buffer, parser, use_tuple);
    if (error)
    {
        expect(error != beast::error::timeout, "every request is answered or refused");
        expect(!parser.got_some(), "what is answered is answered in full");
        co_return false;
    }
    expect_status(parser.get(), 200, "under load");
    expect(parser.get().body() == l.content, "the body under load");
    ++l.answers;
    if (l.answers >= answers_before_the_signal && !l.signalled)
    {
        l.signalled = true;
        if (::kill(l.process, SIGTERM) != 0)
            throw std::runtime_error("no such process: " + std::to_string(l.process));
    }
    co_return true;
}

/// One connection. Returns whether the server may still be there.
awaitable<bool> connect_and_ask(load& l, bool keeps)
{
    beast::tcp_stream stream{co_await asio::this_coro::executor};
    beast::flat_buffer buffer;
    stream.expires_after(patience);
    auto const [refused] = co_await stream.async_connect(
        tcp::endpoint{asio::ip::address_v4::loopback(), l.port}, use_tuple);
    if (refused)
    {
        expect(l.signalled, "everybody is accepted before the signal");
        co_return false;
    }
    bool const answered = co_await ask(stream, buffer, l, keeps);
    if (!answered)
    {
        expect(l.signalled, "everything is answered before the signal");
        co_return false;
    }
    ++l.connections;
    bool more = keeps;
    while (more)
        more = co_await ask(stream, buffer, l, keeps);
    expect(!keeps || l.signalled, "connections are kept before the signal");
    co_return true;
}

awaitable<void> client(load& l, bool keeps)
{
    bool more = true;
    while (more)
        more = co_await connect_and_ask(l, keeps);
    if (--l.running == 0)
        l.ended->cancel();
}

} // namespace

awaitable<void> check_http_drain(unsigned short port, std::string root, int process)
{
    auto const executor = co_await asio::this_coro::executor;
    load l{port, read_file(root + "/index.html"), process};
    l.ended = std::make_shared<asio::steady_timer>(executor, asio::steady_timer::time_point::max());
    std::exception_ptr failure;
    auto const on_end = [&](std::exception_ptr error)
    {
        if (error)
        {
            failure = error;
            l.ended->cancel();
        }
    };
    for (int i = 0; i != coming + staying; ++i)
        asio::co_spawn(executor, client(l, i >= coming), on_end);
    (void)co_await l.ended->async_wait(use_tuple);
    if (failure)
    {
        // The other clients still run, and their load is here: this is the end of the program.
        try
        {
            std::rethrow_exception(failure);
        }
        catch (std::exception const& e)
        {
            std::cerr << "http-drain: " << e.what() << std::endl;
        }
        std::_Exit(1);
    }
    std::cout << "served: " << l.connections << " connections, " << l.answers << " requests, "
              << l.answers << " answers\n";
}

} // namespace check
