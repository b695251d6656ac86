// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does fork-join cost per call, at the finest grain? fib(25) with callbacks: a call
// posts fib(n - 1), goes on with fib(n - 2) itself, and the later of both carries the sum up.
// 242,785 calls, half of them posted. Join nodes lie in one array, so that allocations are the
// context's own. By coroutines fib(20), 21,891 calls: one spawns fib(n - 1), awaits fib(n - 2)
// itself, and then the other. With one context per thread a fork in the upper six levels goes to
// the next context.
// Does not show: a program anyone should write; a sensible one stops forking far earlier.

#include "support/fork_join.hpp"
#include "support/harness.hpp"
#include "support/tally.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include <array>
#include <atomic>
#include <exception>
#include <memory>
#include <string>

namespace
{

constexpr unsigned of_callbacks = 25;
constexpr unsigned of_coroutines = 20;

// How many calls of fib(n)'s tree have children: the size of a subtree in the array of nodes.
constexpr std::array<std::uint32_t, of_callbacks + 1> count_inner()
{
    std::array<std::uint32_t, of_callbacks + 1> inner{};
    for (unsigned n = 2; n <= of_callbacks; ++n)
        inner[n] = 1 + inner[n - 1] + inner[n - 2];
    return inner;
}

constexpr std::array<std::uint32_t, of_callbacks + 1> inner_calls = count_inner();

constexpr std::uint64_t calls_of(unsigned n)
{
    return 2 * inner_calls[n] + 1;
}

static_assert(calls_of(of_callbacks) == 242'785 && calls_of(of_coroutines) == 21'891);

constexpr std::uint64_t expected(unsigned n)
{
    return n == of_callbacks ? 75'025 : 6'765;
}

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
    using executor = typename Engine::executor_type;

public:
    fib(Engine& engine, const bench::setting& s)
        : engine_(engine), n_(static_cast<unsigned>(s.what.width)),
          nodes_(n_ == of_callbacks ? std::make_unique<join[]>(inner_calls[of_callbacks]) : nullptr)
    {
    }

    bench::outcome operator()()
    {
        result_ = 0;
        done_.expect(1);
        const auto start = bench::clock::now();
        if (nodes_)
            boost::asio::post(engine_.executor(0), call{this, nullptr, 0, of_callbacks, 0, 0});
        else
            boost::asio::co_spawn(engine_.executor(0), tree(n_, 0, 0),
                [this](const std::exception_ptr&, std::uint64_t sum) { finish(sum); });
        const bool once = done_.wait();
        const auto elapsed = bench::clock::now() - start;
        if (!once || result_ != expected(n_))
            return bench::failed(
                "fib(" + std::to_string(n_) + ") came out as " + std::to_string(result_));
        return {calls_of(n_), elapsed};
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
        finish(value);
    }

    boost::asio::awaitable<std::uint64_t, executor> tree(
        unsigned n, unsigned depth, std::size_t place)
    {
        if (n < 2)
            co_return n;
        const std::size_t there = depth < dealt_levels ? place + 1 : place;
        bench::fork_join<executor> other;
        other.fork(engine_.executor(there), tree(n - 1, depth + 1, there));
        const std::uint64_t own = co_await tree(n - 2, depth + 1, place);
        if (!other.joined())
            co_await other.join();
        co_return own + other.sum();
    }

    void finish(std::uint64_t sum)
    {
        result_ = sum;
        done_.arrive();
    }

    static constexpr unsigned dealt_levels = 6;

    Engine& engine_;
    unsigned n_;
    std::unique_ptr<join[]> nodes_;
    std::uint64_t result_ = 0;
    bench::countdown done_;
};

} // namespace

int main(int argc, char** argv)
{
    constexpr std::uint64_t many = calls_of(of_callbacks);
    constexpr std::uint64_t fewer = calls_of(of_coroutines);
    bench::question asked{"fib", "one call of a forking fib(n)",
        {{"fib(25)", many, many, of_callbacks},
            {"fib(20), coroutines", fewer, fewer, of_coroutines}}};
    return bench::run<fib>(argc, argv, asked);
}
