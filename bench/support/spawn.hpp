// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Coroutines that spawn others and wait for them: one at a time, or all of a batch.

#ifndef BENCH_SUPPORT_SPAWN_HPP
#define BENCH_SUPPORT_SPAWN_HPP

#include "tally.hpp"

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

namespace bench
{

template <class Executor>
boost::asio::awaitable<std::uint64_t, Executor> nothing(std::uint64_t i)
{
    co_return i;
}

// Adds up 0 ... times - 1.
template <class Executor>
boost::asio::awaitable<void, Executor> spawn_often(
    Executor executor, std::uint64_t times, std::uint64_t* sum, countdown* done)
{
    for (std::uint64_t i = 0; i != times; ++i)
    {
        *sum += co_await boost::asio::co_spawn(
            executor, nothing<Executor>(i), boost::asio::use_awaitable_t<Executor>());
    }
    done->arrive();
}

// Waits for a number of coroutines, the last of which resumes the one that waits.
template <class Executor>
class batch
{
public:
    batch(const Executor& executor, std::uint64_t size) : executor_(executor), left_(size)
    {
    }

    // The sum of 0 ... size - 1.
    boost::asio::awaitable<std::uint64_t, Executor> run()
    {
        co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<Executor>, void()>(
            [this](auto handler) { this->start(std::move(handler)); },
            boost::asio::use_awaitable_t<Executor>());
        co_return sum_.load(std::memory_order_relaxed);
    }

private:
    template <class Handler>
    void start(Handler handler)
    {
        resume_.emplace(std::move(handler));
        // Once the last is spawned, the batch may be gone.
        const Executor executor = executor_;
        const std::uint64_t size = left_.load(std::memory_order_relaxed);
        for (std::uint64_t i = 0; i != size; ++i)
        {
            boost::asio::co_spawn(executor, nothing<Executor>(i),
                [this](const std::exception_ptr&, std::uint64_t n)
                {
                    sum_.fetch_add(n, std::memory_order_relaxed);
                    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1)
                        resume();
                });
        }
    }

    // May end the life of the batch.
    void resume()
    {
        auto handler = std::move(*resume_);
        std::move(handler)();
    }

    Executor executor_;
    // Its assignment calls itself for ever in Boost 1.81.
    std::optional<boost::asio::any_completion_handler<void()>> resume_;
    std::atomic<std::uint64_t> left_;
    std::atomic<std::uint64_t> sum_{0};
};

template <class Executor>
boost::asio::awaitable<void, Executor> spawn_batches(Executor executor, std::uint64_t batches,
    std::uint64_t size, std::uint64_t* sum, countdown* done)
{
    for (std::uint64_t i = 0; i != batches; ++i)
    {
        batch<Executor> all(executor, size);
        *sum += co_await all.run();
    }
    done->arrive();
}

} // namespace bench

#endif
