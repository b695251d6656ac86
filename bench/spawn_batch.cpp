// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does it cost a coroutine on the context to spawn 100 that do nothing and to wait
// for all of them? One coroutine does so again and again; an operation is one of the 100. The last
// of them to end resumes the one that waits; a counter that all share is part of what is measured.
// Does not show: spawning from several coroutines at once (see skynet).

#include "support/harness.hpp"
#include "support/spawn.hpp"
#include "support/tally.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace
{

template <class Engine>
class spawn_batch
{
public:
    spawn_batch(Engine& engine, const bench::setting& s)
        : engine_(engine), any_(s.what.variant), batches_(s.operations / size)
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
        if (!once || sum_ != batches_ * (size * (size - 1) / 2))
            return bench::failed("the awaited results do not sum up");
        return {batches_ * size, elapsed};
    }

private:
    template <class Executor>
    void spawn(Executor executor)
    {
        boost::asio::co_spawn(executor,
            bench::spawn_batches(executor, batches_, size, &sum_, &done_), boost::asio::detached);
    }

    static constexpr std::uint64_t size = 100;

    Engine& engine_;
    bool any_;
    std::uint64_t batches_;
    std::uint64_t sum_ = 0;
    bench::countdown done_;
};

} // namespace

int main(int argc, char** argv)
{
    bench::question asked{"spawn_batch", "one co_spawn of an empty coroutine out of 100, awaited",
        {{"batches of 100", 100'000, 20'000, 1, false},
            {"any_io_executor", 100'000, 20'000, 1, true}}};
    return bench::run<spawn_batch>(argc, argv, asked);
}
