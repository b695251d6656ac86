// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does it cost to hand empty work to a context from threads that are not its own?
// One foreign thread, or four, post N empty handlers as fast as they can; an operation is one
// handler. Does not show: latency of a single post (see wake), work with any weight. Four producers
// beside the context's threads are more threads than most machines here have cores.

#include "support/harness.hpp"
#include "support/tally.hpp"

#include <boost/asio/post.hpp>

#include <latch>
#include <thread>
#include <vector>

namespace
{

template <class Engine>
class post_outside
{
public:
    post_outside(Engine& engine, const bench::setting& s)
        : engine_(engine), producers_(s.what.width), each_(s.operations / producers_),
          tally_(engine.threads())
    {
    }

    bench::outcome operator()()
    {
        const std::uint64_t handlers = producers_ * each_;
        std::latch ready(static_cast<std::ptrdiff_t>(producers_ - 1));
        // Nobody begins before the clock runs: this thread may lose its core in between.
        std::latch begin(1);
        tally_.expect(handlers);
        std::vector<std::thread> others;
        for (std::size_t i = 1; i != producers_; ++i)
        {
            others.emplace_back(
                [&]
                {
                    ready.count_down();
                    begin.wait();
                    produce();
                });
        }
        ready.wait();
        const auto start = bench::clock::now();
        begin.count_down();
        produce();
        const bool right = tally_.wait();
        const auto elapsed = bench::clock::now() - start;
        for (std::thread& t : others)
            t.join();
        if (!right)
            return bench::failed("a handler ran twice");
        return {handlers, elapsed};
    }

private:
    void produce()
    {
        for (std::uint64_t i = 0; i != each_; ++i)
            boost::asio::post(engine_.executor(i), [this] { tally_.hit(); });
    }

    Engine& engine_;
    std::size_t producers_;
    std::uint64_t each_;
    bench::tally tally_;
};

} // namespace

int main(int argc, char** argv)
{
    bench::question asked{"post_outside", "one empty handler, posted by a foreign thread",
        {{"one producer", 200'000, 50'000, 1}, {"4 producers", 200'000, 50'000, 4}}};
    return bench::run<post_outside>(argc, argv, asked);
}
