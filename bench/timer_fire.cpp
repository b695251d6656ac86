// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: how late does a timer fire, and what does it cost? Each timer is awaited for a
// millisecond again and again, from when it was due, so that all fire in turn and none is started
// late. In busy rows two handlers of 20 us post themselves meanwhile, in others so many timers are
// pending that do not fire. Lateness is the time from when the timer was due until its handler
// runs; a context switch is one of any thread of the process. The value is the lateness's p50.
// Does not show: a machine whose own timers are better than those of this one.

#include "support/harness.hpp"
#include "support/quantiles.hpp"
#include "support/tally.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

#include <sys/prctl.h>
#include <sys/resource.h>

namespace
{

using std::chrono::microseconds;

// What a row asks for. The row's width is its place here.
struct fire_case
{
    const char* name;
    std::size_t timers;
    std::size_t pending;
    unsigned busy;
};

constexpr fire_case cases[] = {
    {"1 timer", 1, 0, 0},
    {"100 timers", 100, 0, 0},
    {"100 timers, 10,000 pending", 100, 10'000, 0},
    {"1 timer, busy", 1, 0, 2},
    {"100 timers, busy", 100, 0, 2},
};

constexpr microseconds period{1000};

long switches()
{
    rusage used;
    ::getrusage(RUSAGE_SELF, &used);
    return used.ru_nvcsw + used.ru_nivcsw;
}

template <class Engine>
class timer_fire
{
public:
    timer_fire(Engine& engine, const bench::setting& s)
        : case_(cases[s.what.width]), span_(s.operations)
    {
        for (std::size_t i = 0; i != case_.timers; ++i)
            clocks_.push_back(std::make_unique<ticking>(engine.executor(i)));
        for (std::size_t i = 0; i != case_.busy; ++i)
            executors_.push_back(engine.executor(i));
        pending_.reserve(case_.pending);
        for (std::size_t i = 0; i != case_.pending; ++i)
        {
            pending_.emplace_back(engine.executor(i), std::chrono::minutes(60 + i % 60));
            pending_.back().async_wait([](boost::system::error_code) {});
        }
    }

    bench::outcome operator()()
    {
        ended_.expect(static_cast<int>(case_.timers + case_.busy));
        const long before = switches();
        const auto start = bench::clock::now();
        end_ = start + span_;
        for (std::size_t i = 0; i != clocks_.size(); ++i)
        {
            ticking& t = *clocks_[i];
            t.late.clear();
            t.due = start + period * (i + 1) / clocks_.size();
            boost::asio::post(t.timer.get_executor(), [this, &t] { await(t); });
        }
        for (const executor_type& e : executors_)
            boost::asio::post(e, [this, &e] { be_busy(e); });
        const bool right = ended_.wait();
        const auto elapsed = bench::clock::now() - start;
        const long after = switches();
        if (!right)
            return bench::failed("a timer did not fire");
        return result(elapsed, static_cast<double>(after - before));
    }

private:
    using executor_type = typename Engine::executor_type;
    using timer_type = boost::asio::basic_waitable_timer<std::chrono::steady_clock,
        boost::asio::wait_traits<std::chrono::steady_clock>, executor_type>;

    struct alignas(64) ticking
    {
        explicit ticking(const executor_type& executor) : timer(executor)
        {
        }

        timer_type timer;
        bench::clock::time_point due;
        std::vector<bench::clock::duration> late;
    };

    void await(ticking& t)
    {
        t.timer.expires_at(t.due);
        t.timer.async_wait(
            [this, &t](boost::system::error_code)
            {
                const auto now = bench::clock::now();
                t.late.push_back(now - t.due);
                // A tick that is over already is left out: it would be late by the one before.
                do
                    t.due += period;
                while (t.due < now);
                if (now < end_)
                    await(t);
                else
                    ended_.arrive();
            });
    }

    void be_busy(const executor_type& executor)
    {
        const auto until = bench::clock::now() + microseconds(20);
        while (bench::clock::now() < until)
        {
        }
        if (until < end_)
            boost::asio::post(executor, [this, &executor] { be_busy(executor); });
        else
            ended_.arrive();
    }

    bench::outcome result(bench::clock::duration elapsed, double switched)
    {
        std::vector<bench::clock::duration> late;
        for (const auto& t : clocks_)
            late.insert(late.end(), t->late.begin(), t->late.end());
        std::sort(late.begin(), late.end());
        const auto at = [&late](double quantile)
        {
            return std::chrono::duration<double, std::micro>(
                bench::quantile_of_sorted(late, quantile))
                .count();
        };
        bench::outcome o;
        o.operations = late.size();
        o.elapsed = elapsed;
        o.value = at(0.5);
        o.extras = {at(0.99), at(0.999), switched / static_cast<double>(late.size())};
        if (late.front() < bench::clock::duration::zero())
            return bench::failed("a timer fired early");
        return o;
    }

    const fire_case& case_;
    std::chrono::milliseconds span_;
    bench::clock::time_point end_;
    std::vector<std::unique_ptr<ticking>> clocks_;
    std::vector<executor_type> executors_;
    std::vector<timer_type> pending_;
    bench::countdown ended_;
};

} // namespace

int main(int argc, char** argv)
{
    // To sleep for what is asked for; a new thread or process inherits it.
    ::prctl(PR_SET_TIMERSLACK, 1);
    bench::question asked{"timer_fire", "one timer that fired", {}};
    for (std::size_t i = 0; i != std::size(cases); ++i)
        asked.rows.push_back({cases[i].name, 250, 120, i, false});
    asked.unit = "us by which the timer is late, p50,";
    asked.extras = {"p99 us", "p99.9 us", "switches"};
    asked.allocates = false;
    asked.iterations = 1;
    return bench::run<timer_fire>(argc, argv, asked);
}
