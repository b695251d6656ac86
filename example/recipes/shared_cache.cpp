// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A cache under a shared mutex. Many look things up together; whoever does not find something takes
// the lock as a writer, looks again, and loads it while the lock is held: nobody loads it twice,
// and no thread is blocked meanwhile.

#include <weft.hpp>

#include <boost/asio.hpp>

#include <atomic>
#include <chrono>
#include <iostream>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

namespace asio = boost::asio;

namespace
{

struct cache
{
    explicit cache(weft::io_context& context) : mutex(context)
    {
    }

    weft::shared_mutex mutex;

    // Guarded by mutex.
    std::map<int, std::string> values;
    int loads = 0;
};

// Stands for a database.
constexpr std::chrono::milliseconds loading_takes{1};

asio::awaitable<std::string> get(cache& c, int key)
{
    {
        auto const lock = co_await c.mutex.async_scoped_lock_shared();
        if (auto const found = c.values.find(key); found != c.values.end())
            co_return found->second;
    }
    // A reader that asked for the writer's lock would wait for itself: that one is given back.
    auto const lock = co_await c.mutex.async_scoped_lock();
    auto const [found, is_new] = c.values.try_emplace(key);
    if (is_new)
    {
        asio::steady_timer database(co_await asio::this_coro::executor, loading_takes);
        co_await database.async_wait(asio::use_awaitable);
        ++c.loads;
        found->second = "value " + std::to_string(key);
    }
    co_return found->second;
}

} // namespace

int main()
{
    constexpr int keys = 10;
    constexpr int lookups = 200;
    weft::io_context context;
    cache c(context);
    std::atomic<int> right{0};
    for (int i = 0; i != lookups; ++i)
    {
        std::string const expected = "value " + std::to_string(i % keys);
        asio::co_spawn(context, get(c, i % keys),
            [&right, expected](std::exception_ptr failure, std::string value)
            {
                if (failure)
                    std::rethrow_exception(failure);
                right += value == expected ? 1 : 0;
            });
    }
    std::thread second([&] { context.run(); });
    context.run();
    second.join();
    std::cout << right << " lookups, " << c.loads << " loads\n";
    return right == lookups && c.loads == keys ? 0 : 1;
}
