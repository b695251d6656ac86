// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does it cost to post empty work from a handler, when the other threads must find
// it to help? One handler posts N empty handlers; an operation is one of them. With one context per
// thread it posts to all of them in turn.
// Does not show: many small bursts, which is what servers do (see fan_out), nor any weight.

#include "support/harness.hpp"
#include "support/tally.hpp"

#include <boost/asio/post.hpp>

namespace
{

template <class Engine>
class post_inside
{
public:
    post_inside(Engine& engine, const bench::setting& s)
        : engine_(engine), handlers_(s.operations), tally_(engine.threads())
    {
    }

    bench::outcome operator()()
    {
        tally_.expect(handlers_);
        const auto start = bench::clock::now();
        boost::asio::post(engine_.executor(0),
            [this]
            {
                for (std::uint64_t i = 0; i != handlers_; ++i)
                    boost::asio::post(engine_.executor(i), [this] { tally_.hit(); });
            });
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
    bench::question asked{"post_inside", "one empty handler, all posted by one other handler",
        {{"one burst", 300'000, 50'000}}};
    return bench::run<post_inside>(argc, argv, asked);
}
