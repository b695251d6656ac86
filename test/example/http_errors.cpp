// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "http_client.hpp"

namespace check
{

namespace
{

struct bad_bytes
{
    std::string text;
    unsigned status;
};

/// Nobody knows where the next request begins after these: one answer, then the end.
std::vector<bad_bytes> make_bad_bytes()
{
    std::string const host = "Host: localhost\r\n";
    std::string const long_text(20'000, 'a');
    return {
        {"\r\n\r\n", 400},
        {"GET\r\n\r\n", 400},
        {"G@T / HTTP/1.1\r\n" + host + "\r\n", 400},
        {"GET / HTTP/1.1\n" + host + "\r\n", 400},
        {"GET / HTTP/2.0\r\n" + host + "\r\n", 400},
        {"GET / NOTHTTP\r\n" + host + "\r\n", 400},
        {"GET /a b HTTP/1.1\r\n" + host + "\r\n", 400},
        {"GET /\x01 HTTP/1.1\r\n" + host + "\r\n", 400},
        {"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n" + host + "Content-Length: 1x\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n" + host + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\nno size\r\n", 400},
        {"POST / HTTP/1.1\r\n" + host +
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400},
        {"POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: gzip\r\n\r\n", 501},
        {"GET /" + long_text + " HTTP/1.1\r\n" + host + "\r\n", 431},
        {"GET / HTTP/1.1\r\n" + host + "X-Long: " + long_text + "\r\n\r\n", 431},
        {"GET / HTTP/1.1\r\n" + host + "X-Endless: " + long_text + long_text, 431},
        {"POST / HTTP/1.1\r\n" + host + "Content-Length: 100000\r\n\r\n" + long_text, 413},
        {"POST / HTTP/1.1\r\n" + host + "Content-Length: 99999999999999999999\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\nfffff\r\n" + long_text,
            413},
    };
}

awaitable<void> bad_bytes_end_the_connection(unsigned short port)
{
    auto const executor = co_await asio::this_coro::executor;
    for (auto const& [text, status] : make_bad_bytes())
    {
        http_client client{executor};
        co_await client.open(port);
        co_await client.send(text);
        auto const what = "the answer to \"" + text.substr(0, 60) + '"';
        auto const found = co_await client.receive();
        expect_status(found, status, what);
        expect(!found.keep_alive(), what + " announces the end");
        co_await client.expect_end();
    }
}

/// A request that breaks off is not answered: its client has gone.
awaitable<void> half_a_request_is_dropped(unsigned short port)
{
    http_client client{co_await asio::this_coro::executor};
    co_await client.open(port);
    co_await client.send("GET / HTTP/1.1\r\nHost: loc");
    client.raw().finish();
    co_await client.expect_end();
}

/// These are requests, only not ones that can be granted: the connection goes on.
awaitable<void> refused_requests_keep_the_connection(unsigned short port)
{
    http_client client{co_await asio::this_coro::executor};
    co_await client.open(port);
    for (std::string const target : {"/..", "/../etc/passwd", "/directory/../../etc/passwd",
             "/%2e%2e/etc/passwd", "/directory%2f..%2f..%2fetc/passwd", "/index.html%00.txt",
             "/%zz", "/%4", "/%", "index.html", "*", "ftp://localhost/index.html"})
    {
        co_await client.send(make_get(target));
        expect_status(co_await client.receive(), 400, "GET " + target);
    }
    for (std::string const target : {"/missing", "/missing/", "/missing/file", "/..."})
    {
        co_await client.send(make_get(target));
        expect_status(co_await client.receive(), 404, "GET " + target);
    }
    for (std::string const method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"})
    {
        co_await client.send(method + " / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        auto const found = co_await client.receive();
        expect_status(found, 405, method);
        expect_equal(found[http::field::allow], "GET, HEAD", method + " learns what is allowed");
    }
    co_await client.send("GET / HTTP/1.1\r\n\r\n");
    expect_status(co_await client.receive(), 400, "a request without a host");
    co_await client.send("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
    expect_status(co_await client.receive(), 400, "a request with two hosts");
    co_await client.send("HEAD /missing HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect_status(co_await client.receive_head(), 404, "HEAD of a missing file");
    co_await client.send(make_get("/"));
    expect_status(co_await client.receive(), 200, "a good request after so many bad ones");
}

awaitable<void> bodies_are_read_and_dropped(unsigned short port)
{
    http_client client{co_await asio::this_coro::executor};
    co_await client.open(port);
    std::string const head = "POST / HTTP/1.1\r\nHost: localhost\r\n";
    std::string const body(5000, 'b');
    co_await client.send(head + "Content-Length: 5000\r\n\r\n" + body + make_get("/"));
    expect_status(co_await client.receive(), 405, "a request with a body");
    expect_status(co_await client.receive(), 200, "the request behind a body");

    co_await client.send(head + "Transfer-Encoding: chunked\r\n\r\n1388\r\n" + body +
                         "\r\n0\r\n\r\n" + make_get("/"));
    expect_status(co_await client.receive(), 405, "a request with a body in chunks");
    expect_status(co_await client.receive(), 200, "the request behind a body in chunks");

    co_await client.send(head + "Content-Length: 5000\r\nExpect: 100-continue\r\n\r\n");
    expect_status(co_await client.receive(), 100, "a client that waits is told to go on");
    co_await client.send(body);
    expect_status(co_await client.receive(), 405, "the answer proper");
}

} // namespace

awaitable<void> check_http_errors(unsigned short port)
{
    co_await bad_bytes_end_the_connection(port);
    co_await half_a_request_is_dropped(port);
    co_await refused_requests_keep_the_connection(port);
    co_await bodies_are_read_and_dropped(port);
}

} // namespace check
