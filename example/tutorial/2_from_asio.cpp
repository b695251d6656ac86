// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What a program that used boost::asio::io_context has to change: its functions take an executor.

#include <boost/asio.hpp>
#include <chrono>
#include <iostream>
#include <memory>
#include <weft.hpp>

namespace asio = boost::asio;
using namespace std::chrono_literals;

// tag::executor[]
// This took boost::asio::io_context& before. An executor is all that an I/O object needs.
std::unique_ptr<asio::steady_timer> make_timer(asio::any_io_executor executor)
{
    return std::make_unique<asio::steady_timer>(executor, 10ms);
}
// end::executor[]

// tag::template[]
// This took it because it calls run(). A template takes both libraries' contexts.
template <class Context>
std::size_t run_to_the_end(Context& context)
{
    context.restart();
    return context.run();
}
// end::template[]

// tag::on_both[]
template <class Context>
std::size_t count_handlers(Context& context)
{
    auto const timer = make_timer(context.get_executor());
    timer->async_wait([](boost::system::error_code) { std::cout << "10 ms have passed\n"; });
    post(context, [] { std::cout << "a posted function has run\n"; });
    return run_to_the_end(context);
}

int main()
{
    asio::io_context before;
    weft::io_context after;
    return count_handlers(before) == 2 && count_handlers(after) == 2 ? 0 : 1;
}
// end::on_both[]
