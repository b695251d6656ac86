// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What the questions about locks compare: `co_await lock.acquire()`, `lock.release()`.

#ifndef WEFT_BENCH_SUPPORT_LOCKS_HPP
#define WEFT_BENCH_SUPPORT_LOCKS_HPP

#include "columns.hpp"
#include "harness.hpp"
#include "tally.hpp"

#include <weft.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/concurrent_channel.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace bench
{

template <class Executor>
class weft_mutex
{
public:
    explicit weft_mutex(const Executor& e) : mutex_(e)
    {
    }

    template <class... Token>
    auto acquire(Token&&... token)
    {
        return mutex_.async_lock(std::forward<Token>(token)...);
    }

    bool try_acquire()
    {
        return mutex_.try_lock();
    }

    void release()
    {
        mutex_.unlock();
    }

private:
    weft::basic_mutex<Executor> mutex_;
};

template <class Executor>
class weft_semaphore
{
public:
    weft_semaphore(const Executor& e, std::size_t permits) : semaphore_(e, permits)
    {
    }

    template <class... Token>
    auto acquire(Token&&... token)
    {
        return semaphore_.async_acquire(std::forward<Token>(token)...);
    }

    bool try_acquire()
    {
        return semaphore_.try_acquire();
    }

    void release()
    {
        semaphore_.release();
    }

private:
    weft::basic_semaphore<Executor> semaphore_;
};

/// What Asio's users make of a channel: whoever gets a message in has a permit. Awaited in the form
/// that is its fastest, as weft's are.
template <class Executor>
class channel_lock
{
public:
    explicit channel_lock(const Executor& e, std::size_t permits = 1) : channel_(e, permits)
    {
    }

    auto acquire()
    {
        return channel_.async_send(boost::system::error_code(), boost::asio::deferred);
    }

    template <class Handler>
    void acquire(Handler&& handler)
    {
        channel_.async_send(boost::system::error_code(), std::forward<Handler>(handler));
    }

    bool try_acquire()
    {
        return channel_.try_send(boost::system::error_code());
    }

    void release()
    {
        channel_.try_receive([](boost::system::error_code) {});
    }

private:
    boost::asio::experimental::concurrent_channel<Executor, void(boost::system::error_code)>
        channel_;
};

/// Starts `width` coroutines `body(i)` and waits for them.
template <class Executor>
class tasks
{
public:
    template <class Body>
    outcome run(const Executor& executor, std::size_t width, std::uint64_t operations, Body body)
    {
        done_.expect(static_cast<int>(width));
        const auto start = clock::now();
        for (std::size_t i = 0; i != width; ++i)
            boost::asio::co_spawn(executor, one(body, i), boost::asio::detached);
        const bool right = done_.wait();
        const auto elapsed = clock::now() - start;
        return right ? outcome{operations, elapsed} : failed("a task ended twice");
    }

private:
    template <class Body>
    boost::asio::awaitable<void, Executor> one(Body body, std::size_t i)
    {
        co_await body(i);
        done_.arrive();
    }

    countdown done_;
};

template <class Engine, template <class> class Lock, template <class, class> class Workload>
column lock_column(std::string name)
{
    using executor = typename Engine::executor_type;

    class made final : public experiment
    {
    public:
        made(unsigned threads, const setting& s) : engine_(threads), workload_(engine_, s)
        {
        }

        outcome iterate() override
        {
            return workload_();
        }

    private:
        Engine engine_;
        Workload<Engine, Lock<executor>> workload_;
    };

    return {std::move(name),
        [](unsigned threads, const setting& s) -> std::unique_ptr<experiment>
        {
            return std::make_unique<made>(threads, s);
        }};
}

/// What most programs have: executors whose type says nothing.
template <class Engine>
class over_any_executor
{
public:
    using executor_type = boost::asio::any_io_executor;

    explicit over_any_executor(unsigned threads) : engine_(threads), executor_(engine_.executor())
    {
    }

    const executor_type& executor(std::size_t = 0) const noexcept
    {
        return executor_;
    }

private:
    Engine engine_;
    executor_type executor_;
};

using asio_engine = shared_context<boost::asio::io_context>;
using weft_engine = shared_context<weft::io_context>;

} // namespace bench

#endif
