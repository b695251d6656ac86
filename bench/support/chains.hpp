// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Sections under a lock by callbacks, each of which begins the next.

#ifndef WEFT_BENCH_SUPPORT_CHAINS_HPP
#define WEFT_BENCH_SUPPORT_CHAINS_HPP

#include "harness.hpp"
#include "locks.hpp"
#include "tally.hpp"

#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace bench
{

/// Added to a row's number of tasks: they are chains of callbacks.
constexpr std::size_t by_callbacks = 1000;

/// Starts `width` chains of `times` sections, and waits for them. The i-th section of a chain is
/// begun by `work.acquire(i, handler)`, goes on with `work.enter(i)`, and ends by
/// `work.leave(i, what enter gave)`; if it is held, a post comes between.
template <class Executor, class Work>
class chains
{
public:
    chains(const Executor& executor, Work& work) : executor_(executor), work_(work)
    {
    }

    outcome run(std::size_t width, std::uint64_t times, bool held = false)
    {
        times_ = times;
        held_ = held;
        refused_.store(false, std::memory_order_relaxed);
        done_.expect(static_cast<int>(width));
        const auto start = clock::now();
        for (std::size_t i = 0; i != width; ++i)
            boost::asio::post(executor_, [l = link{this, 0}]() mutable { l.begin(); });
        const bool right = done_.wait();
        const auto elapsed = clock::now() - start;
        if (refused_.load(std::memory_order_relaxed))
            return failed("a section was refused");
        return right ? outcome{width * times, elapsed} : failed("a chain ended twice");
    }

private:
    struct link
    {
        chains* all;
        std::uint64_t number;

        void begin()
        {
            all->work_.acquire(number, *this);
        }

        void operator()(const boost::system::error_code& refused = {})
        {
            if (refused)
                all->refused_.store(true, std::memory_order_relaxed);
            const std::uint64_t kept = all->work_.enter(number);
            if (all->held_)
                boost::asio::post(all->executor_, [l = *this, kept]() mutable { l.end(kept); });
            else
                end(kept);
        }

        void end(std::uint64_t kept)
        {
            all->work_.leave(number, kept);
            if (++number == all->times_)
                all->done_.arrive();
            else
                begin();
        }
    };

    Executor executor_;
    Work& work_;
    std::uint64_t times_ = 0;
    bool held_ = false;
    std::atomic<bool> refused_{false};
    countdown done_;
};

/// Sections that add one to a number under a lock, as chains or otherwise.
template <class Lock>
struct locked_count
{
    template <class Executor>
    explicit locked_count(const Executor& executor) : lock(executor)
    {
    }

    template <class Handler>
    void acquire(std::uint64_t, Handler&& handler)
    {
        lock.acquire(std::forward<Handler>(handler));
    }

    std::uint64_t enter(std::uint64_t)
    {
        return value;
    }

    void leave(std::uint64_t, std::uint64_t before)
    {
        value = before + 1;
        lock.release();
    }

    Lock lock;
    std::uint64_t volatile value = 0;
};

/// Leaves out what is by callbacks, for columns that call nothing back, or that differ from others
/// in their coroutines alone.
inline column without_callbacks(column c)
{
    c.make = [make = std::move(c.make)](unsigned threads, const setting& s)
    {
        return s.what.width > by_callbacks ? nullptr : make(threads, s);
    };
    return c;
}

} // namespace bench

#endif
