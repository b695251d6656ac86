// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does a wide tree of tasks cost per leaf? Skynet: every task posts ten children,
// leaves hand their number up, parents sum. By callbacks depth 6 has 10^6 leaves, and join nodes
// lie in one array; by coroutines, which spawn their children and await them all, depth 5 has 10^5
// (each a level less when quick). With one context per thread the upper two levels are dealt out.
// Does not show: memory; first-in first-out queues hold all leaves.

#include "support/fork_join.hpp"
#include "support/harness.hpp"
#include "support/tally.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include <atomic>
#include <exception>
#include <memory>

namespace
{

constexpr std::uint64_t power_of_ten(unsigned n)
{
    return n == 0 ? 1 : 10 * power_of_ten(n - 1);
}

struct join
{
    std::atomic<int> pending;
    std::atomic<std::uint64_t> sum;
};

template <class Engine>
class skynet
{
    using executor = typename Engine::executor_type;

public:
    skynet(Engine& engine, const bench::setting& s)
        : engine_(engine), leaves_(s.operations),
          nodes_(s.what.variant ? nullptr : std::make_unique<join[]>((s.operations - 1) / 9))
    {
        while (power_of_ten(depth_) < leaves_)
            ++depth_;
    }

    bench::outcome operator()()
    {
        result_ = 0;
        done_.expect(1);
        const auto start = bench::clock::now();
        if (nodes_)
            boost::asio::post(engine_.executor(0), task{this, 0, 0, 0});
        else
            boost::asio::co_spawn(engine_.executor(0), tree(0, 0, 0),
                [this](const std::exception_ptr&, std::uint64_t sum) { finish(sum); });
        const bool once = done_.wait();
        const auto elapsed = bench::clock::now() - start;
        if (!once || result_ != leaves_ * (leaves_ - 1) / 2)
            return bench::failed("the leaves do not sum up: " + std::to_string(result_));
        return {leaves_, elapsed};
    }

private:
    struct task
    {
        skynet* all;
        // The number among the tasks of its level.
        std::uint64_t number;
        std::uint8_t level;
        std::uint8_t place;

        void operator()() const
        {
            all->run(*this);
        }
    };

    join& node(unsigned level, std::uint64_t number)
    {
        return nodes_[(power_of_ten(level) - 1) / 9 + number];
    }

    void run(const task& t)
    {
        if (t.level == depth_)
        {
            deliver(t.level, t.number, t.number);
            return;
        }
        join& mine = node(t.level, t.number);
        mine.pending.store(10, std::memory_order_relaxed);
        mine.sum.store(0, std::memory_order_relaxed);
        for (std::uint64_t i = 0; i != 10; ++i)
        {
            task child{this, t.number * 10 + i, static_cast<std::uint8_t>(t.level + 1), t.place};
            if (t.level < dealt_levels)
                child.place = static_cast<std::uint8_t>(child.number);
            boost::asio::post(engine_.executor(child.place), child);
        }
    }

    void deliver(unsigned level, std::uint64_t number, std::uint64_t value)
    {
        while (level != 0)
        {
            --level;
            number /= 10;
            join& to = node(level, number);
            to.sum.fetch_add(value, std::memory_order_relaxed);
            if (to.pending.fetch_sub(1, std::memory_order_acq_rel) != 1)
                return;
            value = to.sum.load(std::memory_order_relaxed);
        }
        finish(value);
    }

    boost::asio::awaitable<std::uint64_t, executor> tree(
        std::uint64_t number, unsigned level, std::size_t place)
    {
        if (level == depth_)
            co_return number;
        bench::fork_join<executor> children;
        for (std::uint64_t i = 0; i != 10; ++i)
        {
            const std::uint64_t child = number * 10 + i;
            const std::size_t there = level < dealt_levels ? child : place;
            children.fork(engine_.executor(there), tree(child, level + 1, there));
        }
        if (!children.joined())
            co_await children.join();
        co_return children.sum();
    }

    void finish(std::uint64_t sum)
    {
        result_ = sum;
        done_.arrive();
    }

    static constexpr unsigned dealt_levels = 2;

    Engine& engine_;
    std::uint64_t leaves_;
    unsigned depth_ = 0;
    std::unique_ptr<join[]> nodes_;
    std::uint64_t result_ = 0;
    bench::countdown done_;
};

} // namespace

int main(int argc, char** argv)
{
    bench::question asked{"skynet", "one leaf of a ten-way tree",
        {{"one tree", 1'000'000, 100'000, 1, false}, {"coroutines", 100'000, 10'000, 1, true}}};
    // Not one: in a heap that is used again and again, every other iteration is slow.
    asked.iterations = 2;
    return bench::run<skynet>(argc, argv, asked);
}
