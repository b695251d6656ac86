// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does one step cost when each handler posts the next? The common shape of a
// connection or a state machine; 1 chain leaves nothing to share, 8 can run on 8 threads.
// Does not show: steps with data to carry or with weight; 8 chains are fewer than a server has.

#include "support/bare_queue.hpp"
#include "support/harness.hpp"
#include "support/tally.hpp"

#include <boost/asio/post.hpp>

#include <memory>

namespace
{

template <class Engine>
class chain
{
public:
    chain(Engine& engine, const bench::setting& s)
        : engine_(engine), chains_(s.what.width), length_(s.operations / s.what.width),
          links_(std::make_unique<link[]>(chains_))
    {
    }

    bench::outcome operator()()
    {
        for (std::size_t i = 0; i != chains_; ++i)
        {
            links_[i].executor = &engine_.executor(i);
            links_[i].ran = 0;
            links_[i].length = length_;
            links_[i].done = &done_;
        }
        done_.expect(static_cast<int>(chains_));
        const auto start = bench::clock::now();
        for (std::size_t i = 0; i != chains_; ++i)
            boost::asio::post(*links_[i].executor, step{&links_[i]});
        const bool right = done_.wait();
        const auto elapsed = bench::clock::now() - start;
        for (std::size_t i = 0; i != chains_; ++i)
        {
            if (!right || links_[i].ran != length_)
                return bench::failed("a chain did not have its length");
        }
        return {chains_ * length_, elapsed};
    }

private:
    // Plain numbers: a chain is sequential, and whoever runs its next step must see the last one.
    struct alignas(64) link
    {
        const typename Engine::executor_type* executor;
        std::uint64_t ran;
        std::uint64_t length;
        bench::countdown* done;
    };

    struct step
    {
        link* at;

        void operator()() const
        {
            if (++at->ran == at->length)
                at->done->arrive();
            else
                boost::asio::post(*at->executor, step{at});
        }
    };

    Engine& engine_;
    std::size_t chains_;
    std::uint64_t length_;
    std::unique_ptr<link[]> links_;
    bench::countdown done_;
};

} // namespace

int main(int argc, char** argv)
{
    bench::question asked{"chain", "one handler that posts the next",
        {{"1 chain", 400'000, 100'000, 1}, {"8 chains", 400'000, 100'000, 8}}};
    return bench::run(argc, argv, asked, bench::columns_and_bare_queue<chain>());
}
