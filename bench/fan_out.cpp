// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does a burst cost when many handlers each post 100 empty ones? Eight tasks take
// turns with their own bursts: post 100, then themselves again. An operation is one empty handler.
// Does not show: bursts larger than a worker's own queue (see post_inside), uneven bursts, weight.

#include "support/harness.hpp"
#include "support/tally.hpp"

#include <boost/asio/post.hpp>

#include <array>

namespace
{

template <class Engine>
class fan_out
{
public:
    fan_out(Engine& engine, const bench::setting& s)
        : engine_(engine), bursts_(s.operations / (tasks * burst)), tally_(engine.threads())
    {
    }

    bench::outcome operator()()
    {
        const std::uint64_t handlers = bursts_ * tasks * burst;
        tally_.expect(handlers);
        done_.expect(static_cast<int>(tasks));
        for (std::size_t i = 0; i != tasks; ++i)
            tasks_[i] = {this, &engine_.executor(i), bursts_};
        const auto start = bench::clock::now();
        // A handler starts them: from here a worker would begin with as many as have arrived.
        boost::asio::post(engine_.executor(0),
            [this]
            {
                for (task& each : tasks_)
                    boost::asio::post(*each.executor, step{&each});
            });
        const bool all_tasks = done_.wait();
        const bool all_handlers = tally_.wait();
        const auto elapsed = bench::clock::now() - start;
        if (!all_tasks || !all_handlers)
            return bench::failed("a handler ran twice");
        return {handlers, elapsed};
    }

private:
    static constexpr std::uint64_t tasks = 8;
    static constexpr std::uint64_t burst = 100;

    struct alignas(64) task
    {
        fan_out* all;
        const typename Engine::executor_type* executor;
        std::uint64_t left;
    };

    struct step
    {
        task* of;

        void operator()() const
        {
            fan_out& all = *of->all;
            for (std::uint64_t i = 0; i != burst; ++i)
                boost::asio::post(*of->executor, [&all] { all.tally_.hit(); });
            if (--of->left == 0)
                all.done_.arrive();
            else
                boost::asio::post(*of->executor, step{of});
        }
    };

    Engine& engine_;
    std::uint64_t bursts_;
    bench::tally tally_;
    bench::countdown done_;
    std::array<task, tasks> tasks_;
};

} // namespace

int main(int argc, char** argv)
{
    bench::question asked{"fan_out", "one empty handler out of a handler's burst of 100",
        {{"8 tasks", 400'000, 80'000}}};
    return bench::run<fan_out>(argc, argv, asked);
}
