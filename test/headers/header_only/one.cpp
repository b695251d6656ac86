// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A program of two sources that is WEFT_HEADER_ONLY, and linked without weft's library. That it
// links shows that nothing is defined twice, or nowhere; it runs to show that what both sources
// define is one.

// The first of weft's headers is not the same in both.
#include <weft/mutex.hpp>

#include <weft/io_context.hpp>
#include <weft/steady_timer.hpp>
#include <weft/strand.hpp>
#include <weft/watchdog.hpp>

#include "parts.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>

#include <chrono>
#include <iostream>

namespace
{

int failures = 0;

void expect(bool holds, char const* what)
{
    if (holds)
        return;
    std::cout << "not so: " << what << '\n';
    ++failures;
}

} // namespace

int main()
{
    using boost::system::error_code;
    weft::io_context context;
    weft::watchdog dog;
    dog.watch(context);

    weft::mutex mutex(context);
    bool second = false;
    expect(mutex.try_lock(), "a mutex that nobody has is locked");
    mutex.async_lock([&](error_code ec) { second = !ec; });
    expect(waiting_in(context) == 1, "the other source sees who waits at the mutex");
    mutex.unlock();

    bool fired = false;
    weft::steady_timer timer(context, std::chrono::milliseconds(1));
    timer.async_wait([&](error_code ec) { fired = !ec; });
    int posted = 0;
    boost::asio::strand<weft::io_context::executor_type> const strand(context.get_executor());
    for (int i = 0; i != 10; ++i)
        boost::asio::post(strand, [&] { ++posted; });
    context.run();
    expect(second && fired && posted == 10, "all handlers run");

    expect(sum_through_channel(context, 10) == 55, "the other source's channel works");
    expect(where_the_clock_is() == &weft::detail::clock_state, "both have the same clock");
    expect(what_answers_for_stacks() ==
               reinterpret_cast<void const*>(&weft::detail::weft_answer_stack_request),
        "both have the same handler of the watchdog's signal");
    expect(
        metrics_of(context).find("\"exceptions\":0") != std::string::npos, "metrics are written");
    return failures;
}
