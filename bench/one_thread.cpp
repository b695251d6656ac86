// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does a handler cost in a process that never starts a second thread? There the C
// library's mutexes, and with them Asio's queue, need no locked instruction. Bursts are posted by a
// handler, which then posts itself; or by the thread between two calls of poll(), or of run() and
// restart(). All run in one call, or each in a call of poll_one(). An operation is one handler of a
// burst. Contexts have the hint 1, or none.
// Does not show: any work in a handler, but for the row whose handlers add to an atomic.

#include "support/harness.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <weft/io_context.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace
{

enum hint : bool
{
    of_one,
    none
};

template <class Context>
class one_thread final : public bench::experiment
{
public:
    one_thread(hint h, const bench::setting& s)
        : each_(s.what.width), bursts_(s.operations / each_), outside_(s.what.variant),
          adds_(s.what.name.find("atomic") != std::string::npos),
          runs_(s.what.name.find("run()") != std::string::npos),
          one_a_call_(s.what.name.find("poll_one()") != std::string::npos)
    {
        if (h == of_one)
            context_.emplace(1);
        else
            context_.emplace();
        if (!runs_)
            guard_.emplace(context_->get_executor());
    }

    bench::outcome iterate() override
    {
        ran_ = 0;
        added_ = 0;
        const auto start = bench::clock::now();
        if (outside_)
            poll_bursts();
        else
            run_bursts();
        const auto elapsed = bench::clock::now() - start;
        const std::uint64_t handlers = each_ * bursts_;
        if (ran_ + added_ != handlers)
            return bench::failed("a handler was lost, or ran twice");
        return {handlers, elapsed};
    }

private:
    struct burst
    {
        one_thread* self;
        std::uint64_t left;

        void operator()() const
        {
            self->post_burst();
            if (left != 1)
                boost::asio::post(*self->context_, burst{self, left - 1});
        }
    };

    void post_burst()
    {
        if (adds_)
            for (std::uint64_t i = 0; i != each_; ++i)
                boost::asio::post(*context_, [this] { ++added_; });
        else
            for (std::uint64_t i = 0; i != each_; ++i)
                boost::asio::post(*context_, [this] { ++ran_; });
    }

    void run_bursts()
    {
        boost::asio::post(*context_, burst{this, bursts_});
        if (one_a_call_)
        {
            while (context_->poll_one() != 0)
            {
            }
        }
        else
            context_->poll();
    }

    void poll_bursts()
    {
        for (std::uint64_t i = 0; i != bursts_; ++i)
        {
            post_burst();
            if (runs_)
            {
                // It ends as nothing is left.
                context_->run();
                context_->restart();
            }
            else
                context_->poll();
        }
    }

    std::uint64_t each_;
    std::uint64_t bursts_;
    bool outside_;
    bool adds_;
    bool runs_;
    bool one_a_call_;
    std::uint64_t ran_ = 0;
    std::atomic<std::uint64_t> added_{0};
    std::optional<Context> context_;
    std::optional<boost::asio::executor_work_guard<typename Context::executor_type>> guard_;
};

template <class Context>
bench::column column_of(const std::string& name, hint h)
{
    return {name,
        [h](unsigned, const bench::setting& s) -> std::unique_ptr<bench::experiment>
        {
            return std::make_unique<one_thread<Context>>(h, s);
        }};
}

} // namespace

int main(int argc, char** argv)
{
    bench::question asked{"one_thread", "one empty handler, in a process of one thread",
        {{"inside, bursts of 100", 2'000'000, 200'000, 100},
            {"inside, bursts of 10,000", 2'000'000, 200'000, 10'000},
            {"inside, bursts of 100,000", 2'000'000, 200'000, 100'000},
            {"inside, 400,000 that add to an atomic", 400'000, 400'000, 400'000},
            {"inside, bursts of 100, poll_one()", 500'000, 100'000, 100},
            {"outside, 1 and poll()", 500'000, 100'000, 1, true},
            {"outside, 100 and poll()", 2'000'000, 200'000, 100, true},
            {"outside, 1 and run()", 500'000, 100'000, 1, true}}};
    asked.threads = asked.quick_threads = {1};
    return bench::run(argc, argv, asked,
        {column_of<boost::asio::io_context>("asio::io_context", of_one),
            column_of<weft::io_context>("weft::io_context", of_one),
            column_of<boost::asio::io_context>("asio::io_context, no hint", none),
            column_of<weft::io_context>("weft::io_context, no hint", none)});
}
