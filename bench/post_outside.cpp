// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does it cost to hand empty work to a context from a thread that is not its own?
// One foreign thread posts N empty handlers as fast as it can; an operation is one handler.
// Does not show: several producers, latency of a single post (see wake), work with any weight.

#include "support/harness.hpp"
#include "support/tally.hpp"

#include <boost/asio/post.hpp>

namespace
{

template <class Engine>
class post_outside
{
public:
    post_outside(Engine& engine, const bench::setting& s)
        : engine_(engine), handlers_(s.operations), tally_(engine.threads())
    {
    }

    bench::outcome operator()()
    {
        tally_.expect(handlers_);
        const auto start = bench::clock::now();
        for (std::uint64_t i = 0; i != handlers_; ++i)
            boost::asio::post(engine_.executor(i), [this] { tally_.hit(); });
        const bool right = tally_.wait();
        const auto elapsed = bench::clock::now() - start;
        if (!right)
            return bench::failed("a handler ran twice");
        return {handlers_, elapsed};
    }

private:
    Engine& engine_;
    std::uint64_t handlers_;
    bench::tally tally_;
};

} // namespace

int main(int argc, char** argv)
{
    bench::question asked{"post_outside", "one empty handler, posted by a foreign thread",
        {{"one producer", 500'000, 50'000}}};
    return bench::run<post_outside>(argc, argv, asked);
}
