// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does fork-join cost per call, at the finest grain? fib(25) with callbacks: a call
// posts fib(n - 1), goes on with fib(n - 2) itself, and the later of both carries the sum up.
// 242,785 calls, half of them posted. Join nodes lie in one array, so that allocations are the
// context's own. With one context per thread a fork in the upper six
// levels goes to the next context.
// Does not show: a program anyone should write; a sensible one stops forking far earlier.

#include "support/harness.hpp"
#include "support/tally.hpp"

#include <boost/asio/post.hpp>

#include <array>
#include <atomic>
#include <memory>

namespace
{

constexpr unsigned fib_argument = 25;
constexpr std::uint64_t fib_result = 75'025;
constexpr std::uint64_t fib_calls = 242'785;

// How many calls of fib(n)'s tree have children: the size of a subtree in the array of nodes.
constexpr std::array<std::uint32_t, fib_argument + 1> count_inner()
{
    std::array<std::uint32_t, fib_argument + 1> inner{};
    for (unsigned n = 2; n <= fib_argument; ++n)
        inner[n] = 1 + inner[n - 1] + inner[n - 2];
    return inner;
}

constexpr std::array<std::uint32_t, fib_argument + 1> inner_calls = count_inner();
static_assert(2 * inner_calls[fib_argument] + 1 == fib_calls);

struct join
{
    std::atomic<int> pending;
    std::uint64_t part[2];
    join* parent;
    unsigned side;
};

template <class Engine>
class fib
{
public:
    fib(Engine& engine, const bench::setting&)
        : engine_(engine), nodes_(std::make_unique<join[]>(inner_calls[fib_argument]))
    {
    }

    bench::outcome operator()()
    {
        result_ = 0;
        done_.expect(1);
        const auto start = bench::clock::now();
        boost::asio::post(engine_.executor(0), call{this, nullptr, 0, fib_argument, 0, 0});
        const bool once = done_.wait();
        const auto elapsed = bench::clock::now() - start;
        if (!once || result_ != fib_result)
            return bench::failed("fib(25) came out as " + std::to_string(result_));
        return {fib_calls, elapsed};
    }

private:
    struct call
    {
        fib* all;
        join* parent;
        // First of the nodes that belong to this call's tree.
        std::uint32_t node;
        std::uint8_t n;
        std::uint8_t depth;
        std::uint8_t place;

        void operator()() const
        {
            all->run(*this);
        }
    };

    void run(call c)
    {
        unsigned side = 0;
        while (c.n >= 2)
        {
            join* const mine = &nodes_[c.node];
            mine->pending.store(2, std::memory_order_relaxed);
            mine->parent = c.parent;
            mine->side = side;

            const call fork{this, mine, c.node + 1, static_cast<std::uint8_t>(c.n - 1),
                static_cast<std::uint8_t>(c.depth + 1),
                static_cast<std::uint8_t>(c.depth < dealt_levels ? c.place + 1 : c.place)};
            boost::asio::post(engine_.executor(fork.place), fork);

            c.node += 1 + inner_calls[c.n - 1];
            c.n = static_cast<std::uint8_t>(c.n - 2);
            c.depth = fork.depth;
            c.parent = mine;
            side = 1;
        }
        deliver(c.parent, side, c.n);
    }

    void deliver(join* to, unsigned side, std::uint64_t value)
    {
        while (to != nullptr)
        {
            to->part[side] = value;
            if (to->pending.fetch_sub(1, std::memory_order_acq_rel) != 1)
                return;
            value = to->part[0] + to->part[1];
            side = to->side;
            to = to->parent;
        }
        result_ = value;
        done_.arrive();
    }

    static constexpr unsigned dealt_levels = 6;

    Engine& engine_;
    std::unique_ptr<join[]> nodes_;
    std::uint64_t result_ = 0;
    bench::countdown done_;
};

} // namespace

int main(int argc, char** argv)
{
    bench::question asked{
        "fib", "one call of a forking fib(25)", {{"fib(25)", fib_calls, fib_calls}}};
    return bench::run<fib>(argc, argv, asked);
}
