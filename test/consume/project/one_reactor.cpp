// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The library and the program find the same services of a context: a timer and sockets complete on
// the thread that runs the context, and no other thread exists. (If they do not, the program makes
// an Asio scheduler of its own, which starts a thread to run the reactor.)
#include "check.hpp"

#include <weft.hpp>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <thread>

namespace asio = boost::asio;
using boost::system::error_code;

int main()
{
    weft::io_context context;
    std::thread::id const runner = std::this_thread::get_id();
    int ran = 0;
    auto const handler = [&](error_code ec, auto const&...)
    {
        ++ran;
        CHECK(!ec);
        CHECK(std::this_thread::get_id() == runner);
        CHECK(context.get_executor().running_in_this_thread());
        CHECK(threads_of_process() == 1);
    };

    asio::steady_timer timer(context, std::chrono::milliseconds(1));
    timer.async_wait(handler);
    asio::ip::tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
    asio::ip::tcp::socket served(context);
    asio::ip::tcp::socket client(context);
    acceptor.async_accept(served, handler);
    client.async_connect(acceptor.local_endpoint(), handler);
    auto const strand = asio::make_strand(context);
    asio::post(strand, [&] { handler(error_code()); });
    weft::semaphore semaphore(context, 0);
    semaphore.async_acquire(handler);
    asio::post(context, [&] { semaphore.release(); });
    context.run();
    CHECK(ran == 5);
    CHECK(threads_of_process() == 1);
    return failures == 0 ? 0 : 1;
}
