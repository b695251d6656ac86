// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A program that gdb stops while one of its threads is in a handler, and coroutines wait.

#include <weft/channel.hpp>
#include <weft/dump.hpp>
#include <weft/io_context.hpp>
#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>

// Debug information of what the library keeps to itself.
#include "sched/asio_traits.hpp"
#include "sched/basic_scheduler.hpp"

#include <boost/asio.hpp>

#include <sstream>
#include <string>
#include <thread>

namespace asio = boost::asio;

using scheduler = weft::detail::basic_scheduler<weft::detail::asio_traits>;
static_assert(sizeof(scheduler) != 0 && sizeof(scheduler::worker) != 0, "are complete");
scheduler* the_scheduler = nullptr;

extern "C" [[gnu::noinline]] void stopped_here()
{
    asm volatile("");
}

asio::awaitable<void> wants_accounts(weft::mutex& accounts)
{
    co_await accounts.async_lock(asio::use_awaitable);
}

asio::awaitable<void> needs_more(weft::mutex& accounts)
{
    co_await wants_accounts(accounts);
}

struct wants_permits
{
    void operator()(boost::system::error_code) const
    {
    }
};

bool one_sleeps(weft::io_context& context)
{
    std::ostringstream text;
    weft::dump(context, text);
    return text.str().find(": asleep") != std::string::npos;
}

struct wants_value
{
    void operator()(boost::system::error_code, int) const
    {
    }
};

int main()
{
    weft::options options;
    // Nobody wakes up to look after a handler that is stuck.
    options.lifo_stealing = weft::lifo_stealing::off;
    weft::io_context context(options);
    weft::mutex accounts(context);
    accounts.set_name("accounts");
    weft::semaphore permits(context, 1);
    weft::channel<int> values(context, 1);
    weft::mutex free(context);

    if (!accounts.try_lock())
        return 1;
    for (int i = 0; i != 2; ++i)
        asio::co_spawn(context, needs_more(accounts), asio::detached);
    permits.async_acquire(2, wants_permits());
    values.async_receive(wants_value());
    while (context.poll() != 0)
    {
    }
    context.restart();

    std::thread sleeper;
    asio::post(context,
        [&]
        {
            sleeper = std::thread([&] { context.run(); });
            while (!one_sleeps(context))
                std::this_thread::yield();
            stopped_here();
            context.stop();
        });
    context.run();
    sleeper.join();
}
