// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does it cost a coroutine on the context to spawn another one that does nothing
// and to wait for it? One coroutine does so again and again; an operation is one spawn and await.
// Does not show: waiting from a thread outside (that measures the kernel's wake-up, see wake), or
// many spawned at once (see spawn_batch).

#include "support/bare_queue.hpp"
#include "support/harness.hpp"
#include "support/spawn.hpp"
#include "support/tally.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace
{

template <class Engine>
class spawn_await
{
public:
    spawn_await(Engine& engine, const bench::setting& s)
        : engine_(engine), any_(s.what.variant), times_(s.operations)
    {
    }

    bench::outcome operator()()
    {
        sum_ = 0;
        done_.expect(1);
        const auto start = bench::clock::now();
        if (any_)
            spawn(boost::asio::any_io_executor(engine_.executor()));
        else
            spawn(engine_.executor());
        const bool once = done_.wait();
        const auto elapsed = bench::clock::now() - start;
        if (!once || sum_ != times_ * (times_ - 1) / 2)
            return bench::failed("the awaited results do not sum up");
        return {times_, elapsed};
    }

private:
    template <class Executor>
    void spawn(Executor executor)
    {
        boost::asio::co_spawn(
            executor, bench::spawn_often(executor, times_, &sum_, &done_), boost::asio::detached);
    }

    Engine& engine_;
    bool any_;
    std::uint64_t times_;
    std::uint64_t sum_ = 0;
    bench::countdown done_;
};

} // namespace

int main(int argc, char** argv)
{
    bench::question asked{"spawn_await", "one co_spawn of an empty coroutine, awaited",
        {{"1 coroutine", 100'000, 20'000, 1, false},
            {"1, any_io_executor", 100'000, 20'000, 1, true}}};
    return bench::run(argc, argv, asked, bench::columns_and_bare_queue<spawn_await>());
}
