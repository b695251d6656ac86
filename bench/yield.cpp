// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does it cost a coroutine to let others run, `co_await post(use_awaitable)`?
// 1 coroutine finds nobody else to run, 8 can run on 8 threads. Coroutines carry the context's own
// executor type; the rows that say any_io_executor carry that.
// Does not show: the cost of starting coroutines (see spawn_await), or of deep ones.

#include "support/bare_queue.hpp"
#include "support/harness.hpp"
#include "support/tally.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>

struct alignas(64) progress
{
    std::uint64_t yields;
};

template <class Executor>
boost::asio::awaitable<void, Executor> yield_often(
    Executor executor, std::uint64_t times, progress* mine, bench::countdown* done)
{
    for (std::uint64_t i = 0; i != times; ++i)
    {
        co_await boost::asio::post(executor, boost::asio::use_awaitable_t<Executor>());
        ++mine->yields;
    }
    done->arrive();
}

template <class Engine>
class yield
{
public:
    yield(Engine& engine, const bench::setting& s)
        : engine_(engine), any_(s.what.variant), coroutines_(s.what.width),
          times_(s.operations / coroutines_), progress_(std::make_unique<progress[]>(coroutines_))
    {
    }

    bench::outcome operator()()
    {
        done_.expect(static_cast<int>(coroutines_));
        for (std::size_t i = 0; i != coroutines_; ++i)
            progress_[i].yields = 0;
        const auto start = bench::clock::now();
        for (std::size_t i = 0; i != coroutines_; ++i)
        {
            if (any_)
                spawn(boost::asio::any_io_executor(engine_.executor(i)), i);
            else
                spawn(engine_.executor(i), i);
        }
        const bool right = done_.wait();
        const auto elapsed = bench::clock::now() - start;
        for (std::size_t i = 0; i != coroutines_; ++i)
        {
            if (!right || progress_[i].yields != times_)
                return bench::failed("a coroutine did not yield as often as it should");
        }
        return {coroutines_ * times_, elapsed};
    }

private:
    template <class Executor>
    void spawn(Executor executor, std::size_t i)
    {
        boost::asio::co_spawn(
            executor, yield_often(executor, times_, &progress_[i], &done_), boost::asio::detached);
    }

    Engine& engine_;
    bool any_;
    std::size_t coroutines_;
    std::uint64_t times_;
    std::unique_ptr<progress[]> progress_;
    bench::countdown done_;
};

int main(int argc, char** argv)
{
    bench::question asked{"yield", "one co_await post(use_awaitable)",
        {{"1 coroutine", 200'000, 40'000, 1, false}, {"8 coroutines", 200'000, 40'000, 8, false},
            {"1, any_io_executor", 200'000, 40'000, 1, true},
            {"8, any_io_executor", 200'000, 40'000, 8, true}}};
    return bench::run(argc, argv, asked, bench::columns_and_bare_queue<yield>());
}
