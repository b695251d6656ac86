// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A process that forks while it has a context: both processes keep their pending operations.

#include <boost/asio.hpp>
#include <chrono>
#include <iostream>
#include <sys/wait.h>
#include <unistd.h>
#include <weft.hpp>

namespace asio = boost::asio;
using namespace std::chrono_literals;

// tag::fork[]
// No other thread may be inside run(), or use the context in another way.
pid_t fork_with(weft::io_context& context)
{
    context.notify_fork(asio::execution_context::fork_prepare);
    pid_t const child = fork();
    context.notify_fork(
        child == 0 ? asio::execution_context::fork_child : asio::execution_context::fork_parent);
    return child;
}
// end::fork[]

int main()
{
    weft::io_context context;
    bool expired = false;
    asio::steady_timer timer(context, 10ms);
    timer.async_wait([&](boost::system::error_code error) { expired = !error; });

    pid_t const child = fork_with(context);
    context.run();
    if (child == 0)
        _exit(expired ? 0 : 1);

    int status = 0;
    bool const ended = child > 0 && waitpid(child, &status, 0) == child;
    std::cout << "parent: " << expired << ", child: " << WEXITSTATUS(status) << '\n';
    return expired && ended && status == 0 ? 0 : 1;
}
