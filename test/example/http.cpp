// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "http_client.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <csignal>
#include <filesystem>
#include <map>

namespace check
{

namespace
{

/// The files of the site, by the target that names them.
using site = std::map<std::string, std::string>;

site load(std::string const& root)
{
    site files;
    for (auto const& entry : std::filesystem::recursive_directory_iterator{root})
    {
        if (entry.is_regular_file())
        {
            auto const target = entry.path().string().substr(root.size());
            files.emplace(boost::replace_all_copy(target, " ", "%20"), read_file(entry.path()));
        }
    }
    if (files.empty())
        throw std::runtime_error("no files below " + root);
    return files;
}

awaitable<void> every_file_is_served(unsigned short port, site const& files)
{
    // All on one connection, GET and HEAD in turn: a byte too many would spoil the next answer.
    http_client client{co_await asio::this_coro::executor};
    co_await client.open(port);
    for (auto const& [target, content] : files)
    {
        co_await client.send(make_get(target));
        auto const full = co_await client.receive();
        expect_status(full, 200, "GET " + target);
        expect(full.body() == content, "GET " + target + " has the file's content");
        expect(full.keep_alive(), "the connection is kept");
        expect(full.count(http::field::date) == 1, "an answer has a date");

        co_await client.send("HEAD " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        auto const head = co_await client.receive_head();
        expect_status(head, 200, "HEAD " + target);
        for (auto const field :
            {http::field::content_length, http::field::content_type, http::field::etag})
            expect_equal(head[field], full[field], "HEAD says what GET says");
        expect_equal(
            head[http::field::content_length], std::to_string(content.size()), "the length");
    }
}

awaitable<void> pipelined_requests_are_answered_in_order(unsigned short port, site const& files)
{
    http_client client{co_await asio::this_coro::executor};
    co_await client.open(port);
    std::string text;
    for (auto const& [target, content] : files)
        text += make_get(target) + make_get("/does-not-exist");
    text += make_get("/does-not-exist", "Connection: close\r\n") + make_get("/never-answered");
    co_await client.send(text);
    for (auto const& [target, content] : files)
    {
        expect((co_await client.receive()).body() == content, "pipelined " + target);
        expect_status(co_await client.receive(), 404, "a missing file between two others");
    }
    auto const last = co_await client.receive();
    expect_status(last, 404, "the last request");
    expect(!last.keep_alive(), "what the client wants closed is announced as closed");
    co_await client.expect_end();
}

awaitable<void> a_request_may_come_in_pieces(unsigned short port)
{
    http_client client{co_await asio::this_coro::executor};
    co_await client.open(port);
    for (char const c : make_get("/index.html"))
        co_await client.send({&c, 1});
    expect_status(co_await client.receive(), 200, "a request sent byte by byte");
}

awaitable<void> versions_decide_on_keeping(unsigned short port)
{
    auto const executor = co_await asio::this_coro::executor;
    http_client old{executor};
    co_await old.open(port);
    co_await old.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    auto const kept = co_await old.receive();
    expect_status(kept, 200, "HTTP/1.0 needs no Host");
    expect(kept.keep_alive(), "HTTP/1.0 is kept if it asks for it");
    co_await old.send("GET / HTTP/1.0\r\n\r\n");
    expect(!(co_await old.receive()).keep_alive(), "HTTP/1.0 is closed by default");
    co_await old.expect_end();
}

awaitable<void> names_and_types(unsigned short port)
{
    http_client client{co_await asio::this_coro::executor};
    co_await client.open(port);
    struct example
    {
        char const* target;
        unsigned status;
        http::field field;
        char const* value;
    };
    for (auto const& [target, status, field, value] : {
             example{"/", 200, http::field::content_type, "text/html; charset=utf-8"},
             example{"/?query=1", 200, http::field::content_type, "text/html; charset=utf-8"},
             example{"/%69ndex.html", 200, http::field::content_type, "text/html; charset=utf-8"},
             example{"http://any.host/index.html", 200, http::field::content_type,
                 "text/html; charset=utf-8"},
             example{"/a%20b.TXT", 200, http::field::content_type, "text/plain; charset=utf-8"},
             example{"/large.bin", 200, http::field::content_type, "application/octet-stream"},
             example{"/directory", 301, http::field::location, "/directory/"},
             example{"//directory?a=b", 301, http::field::location, "/directory/?a=b"},
             example{"/directory/", 404, http::field::location, ""},
             example{"/index.html/", 404, http::field::location, ""},
             example{"/fifo", 403, http::field::location, ""},
         })
    {
        co_await client.send(make_get(target));
        auto const found = co_await client.receive();
        expect_status(found, status, target);
        expect_equal(found[field], value, target);
    }
}

awaitable<void> a_known_file_is_not_sent_again(unsigned short port)
{
    http_client client{co_await asio::this_coro::executor};
    co_await client.open(port);
    co_await client.send(make_get("/index.html"));
    auto const first = co_await client.receive();
    std::string const tag = first[http::field::etag];
    co_await client.send(make_get("/index.html", "If-None-Match: \"other\", " + tag + "\r\n"));
    auto const known = co_await client.receive();
    expect_status(known, 304, "a file with the client's tag");
    expect_equal(known.body(), "", "304 has no body");
    co_await client.send(make_get("/index.html", "If-None-Match: \"other\"\r\n"));
    expect((co_await client.receive()).body() == first.body(), "a file with another tag is sent");
}

} // namespace

awaitable<void> check_http(unsigned short port, std::string root)
{
    auto const files = load(root);
    co_await every_file_is_served(port, files);
    co_await pipelined_requests_are_answered_in_order(port, files);
    co_await a_request_may_come_in_pieces(port);
    co_await versions_decide_on_keeping(port);
    co_await names_and_types(port);
    co_await a_known_file_is_not_sent_again(port);
}

awaitable<void> check_http_stop(unsigned short port, std::string root, int process)
{
    auto const content = read_file(root + "/large.bin");
    auto const executor = co_await asio::this_coro::executor;
    http_client idle{executor};
    http_client busy{executor};
    co_await idle.open(port);
    co_await busy.open(port);

    co_await idle.send(make_get("/"));
    expect_status(co_await idle.receive(), 200, "a request before the end");

    // With its header here, and a body larger than all buffers between, the answer is under way.
    co_await busy.send(make_get("/large.bin"));
    std::string line;
    do
        line = co_await busy.raw().line();
    while (line != "\r");

    if (::kill(process, SIGTERM) != 0)
        throw std::runtime_error("no such process: " + std::to_string(process));

    co_await idle.expect_end();
    http_client late{executor};
    auto const [error] = co_await late.raw().stream().async_connect(
        tcp::endpoint{asio::ip::address_v4::loopback(), port}, use_tuple);
    expect(error == asio::error::connection_refused, "nobody is accepted any more");

    expect(co_await busy.raw().rest() == content, "what was being answered is answered in full");
}

} // namespace check
