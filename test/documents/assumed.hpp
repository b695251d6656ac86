// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_DOCUMENTS_ASSUMED_HPP
#define WEFT_TEST_DOCUMENTS_ASSUMED_HPP

// What the examples of the documentation speak of. They are compiled, and not run.

#include <weft.hpp>

#include <boost/asio.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <future>
#include <iostream>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

using boost::asio::as_tuple;
using boost::asio::deferred;
using boost::asio::redirect_error;
using boost::asio::use_awaitable;
using namespace boost::asio::experimental::awaitable_operators;

struct invoice
{
    std::unique_ptr<int> goods;
};

extern weft::io_context context;
extern weft::channel<invoice> orders;
extern weft::channel<invoice> refunds;
extern invoice order;
void serve(invoice& which);

extern weft::mutex m;
extern weft::semaphore limit;
extern boost::asio::ip::tcp::socket file;
extern boost::asio::const_buffer buffer;
extern std::string url;
boost::asio::awaitable<void> fetch(std::string const& from);

extern std::future<int> future;

#endif // WEFT_TEST_DOCUMENTS_ASSUMED_HPP
