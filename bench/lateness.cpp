// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: how late is what has to be on time, while handlers keep the context busy? Chains of
// handlers that take so many milliseconds each and post themselves again; meanwhile a timer of 10
// ms is awaited again and again, a byte is written to a socket that is being read, a signal is
// raised, and a foreign thread posts. Lateness is the time from when the timer was due, or from
// before the write, the raise or the post, until the handler runs. The value is the timer's p50.
// Does not show: CPU that is short. Handlers of 1 ms and more sleep, so that there are cores for
// all threads and for whoever writes, raises and posts; shorter ones are busy for their time, and
// with more threads than cores the kernel's time slices are in the figures of both columns.

#include "support/choices.hpp"
#include "support/harness.hpp"
#include "support/tally.hpp"

#include <boost/asio/basic_signal_set.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <iostream>
#include <stdexcept>
#include <thread>

#include <sys/prctl.h>

namespace
{

using std::chrono::microseconds;
using std::chrono::milliseconds;

// What a row asks for. The row's width is its place in `cases`.
struct busy_case
{
    unsigned handler_us;
    unsigned chains;

    std::string name() const
    {
        const std::string fraction = std::to_string(1000 + handler_us % 1000).substr(1);
        const std::string ms =
            std::to_string(handler_us / 1000) +
            (handler_us % 1000 == 0 ? ""
                                    : "." + fraction.substr(0, fraction.find_last_not_of('0') + 1));
        return std::to_string(chains) + (chains == 1 ? " chain" : " chains") + " of " + ms + " ms";
    }
};

std::vector<busy_case> cases;

void be_busy(microseconds span)
{
    if (span >= milliseconds(1))
    {
        std::this_thread::sleep_for(span);
        return;
    }
    const bench::clock::time_point end = bench::clock::now() + span;
    while (bench::clock::now() < end)
    {
    }
}

// A handler that posts itself until it is told to stop.
template <class Executor>
struct busy_chain
{
    Executor executor;
    microseconds span;
    const std::atomic<bool>* stop;
    bench::countdown* stopped;

    void operator()() const
    {
        be_busy(span);
        if (stop->load(std::memory_order_relaxed))
            stopped->arrive();
        else
            boost::asio::post(executor, *this);
    }
};

// One way to call for a handler: the next call is made when the last has been answered.
class way
{
public:
    bool answered() const noexcept
    {
        return since_.load(std::memory_order_acquire) == never;
    }

    void call() noexcept
    {
        since_.store(bench::clock::now().time_since_epoch(), std::memory_order_release);
    }

    void answer()
    {
        const bench::clock::duration since = since_.load(std::memory_order_acquire);
        late_.push_back(bench::clock::now().time_since_epoch() - since);
        since_.store(never, std::memory_order_release);
    }

    void answer(bench::clock::time_point due)
    {
        late_.push_back(bench::clock::now() - due);
        answers_.store(late_.size(), std::memory_order_relaxed);
    }

    // Of the timer, which nobody calls.
    std::size_t answers() const noexcept
    {
        return answers_.load(std::memory_order_relaxed);
    }

    std::size_t count() const noexcept
    {
        return late_.size();
    }

    // In microseconds.
    double at(double quantile)
    {
        std::sort(late_.begin(), late_.end());
        return std::chrono::duration<double, std::micro>(bench::quantile_of_sorted(late_, quantile))
            .count();
    }

private:
    static constexpr bench::clock::duration never{0};

    std::atomic<bench::clock::duration> since_{never};
    std::atomic<std::size_t> answers_{0};
    std::vector<bench::clock::duration> late_;
};

// The four ways, for the time of one iteration.
template <class Executor>
class punctuality
{
public:
    punctuality(const Executor& executor, const busy_case& what)
        : executor_(executor), case_(what), timer_(executor), written_(executor), read_(executor),
          signals_(executor, SIGUSR1)
    {
        boost::asio::local::connect_pair(written_, read_);
    }

    // Until the time is over and each way has been taken so many times.
    void run(bench::clock::duration span, std::size_t least)
    {
        stopped_.expect(static_cast<int>(case_.chains) + 3);
        await_timer();
        await_byte();
        await_signal();
        for (unsigned i = 0; i != case_.chains; ++i)
        {
            boost::asio::post(executor_,
                busy_chain<Executor>{executor_, microseconds(case_.handler_us), &stop_, &stopped_});
        }
        const bench::clock::time_point end = bench::clock::now() + span;
        for (unsigned turn = 0;
             bench::clock::now() < end || calls_ < least || timer_late.answers() < least; ++turn)
        {
            std::this_thread::sleep_for(microseconds(2700));
            call(turn);
        }
        for (way* w : {&byte_late, &signal_late, &post_late})
        {
            while (!w->answered())
                std::this_thread::sleep_for(milliseconds(1));
        }
        stop_.store(true, std::memory_order_relaxed);
        write();
        std::raise(SIGUSR1);
        stopped_.wait();
    }

    way timer_late, byte_late, signal_late, post_late;

private:
    using protocol = boost::asio::local::stream_protocol;
    using timer_type = boost::asio::basic_waitable_timer<bench::clock,
        boost::asio::wait_traits<bench::clock>, Executor>;

    // In turn, so that they do not come together.
    void call(unsigned turn)
    {
        way* const ways[] = {&post_late, &byte_late, &signal_late};
        way& w = *ways[turn % 3];
        if (!w.answered())
            return;
        w.call();
        if (&w == &post_late)
            boost::asio::post(executor_, [this] { post_late.answer(); });
        else if (&w == &byte_late)
            write();
        else
            std::raise(SIGUSR1);
        // As often as the one that has been called least, but for the rest of a turn.
        made_[turn % 3] += 1;
        calls_ = *std::min_element(std::begin(made_), std::end(made_));
    }

    void write()
    {
        boost::asio::write(written_, boost::asio::buffer("x", 1));
    }

    bool stopping()
    {
        if (!stop_.load(std::memory_order_relaxed))
            return false;
        stopped_.arrive();
        return true;
    }

    void await_timer()
    {
        timer_.expires_after(milliseconds(10));
        timer_.async_wait(
            [this](boost::system::error_code)
            {
                if (stopping())
                    return;
                timer_late.answer(timer_.expiry());
                await_timer();
            });
    }

    void await_byte()
    {
        read_.async_read_some(boost::asio::buffer(byte_),
            [this](boost::system::error_code, std::size_t)
            {
                if (stopping())
                    return;
                byte_late.answer();
                await_byte();
            });
    }

    void await_signal()
    {
        signals_.async_wait(
            [this](boost::system::error_code, int)
            {
                if (stopping())
                    return;
                signal_late.answer();
                await_signal();
            });
    }

    Executor executor_;
    const busy_case& case_;
    timer_type timer_;
    boost::asio::basic_stream_socket<protocol, Executor> written_;
    boost::asio::basic_stream_socket<protocol, Executor> read_;
    boost::asio::basic_signal_set<Executor> signals_;
    char byte_[1];
    std::atomic<bool> stop_{false};
    bench::countdown stopped_;
    std::size_t made_[3] = {};
    std::size_t calls_ = 0;
};

template <class Engine>
class lateness
{
public:
    lateness(Engine& engine, const bench::setting& s)
        : executor_(engine.executor()), case_(cases[s.what.width]), span_(s.operations)
    {
    }

    bench::outcome operator()()
    {
        // The first iteration, which is not measured, only verifies.
        const bool first = std::exchange(first_, false);
        punctuality<executor_type> now(executor_, case_);
        const auto start = bench::clock::now();
        now.run(first ? milliseconds(30) : span_, first ? 1 : 5);
        const auto elapsed = bench::clock::now() - start;
        bench::outcome o;
        for (const way* w : {&now.timer_late, &now.byte_late, &now.signal_late, &now.post_late})
            o.operations += w->count();
        o.elapsed = elapsed;
        o.value = now.timer_late.at(0.5);
        o.extras = {now.timer_late.at(1), now.byte_late.at(0.5), now.byte_late.at(1),
            now.signal_late.at(0.5), now.signal_late.at(1), now.post_late.at(0.5),
            now.post_late.at(1)};
        return o;
    }

private:
    using executor_type = typename Engine::executor_type;

    executor_type executor_;
    const busy_case& case_;
    milliseconds span_;
    bool first_ = true;
};

// Fills `cases`. Says whether all of them are wanted.
bool choose(int& argc, char** argv, unsigned& span)
{
    const bool quick = bench::is_quick(argc, argv);
    using texts = std::vector<std::string>;
    texts handlers = quick ? texts{"100", "3000"} : texts{"20", "100", "3000"};
    texts chains = quick ? texts{"3"} : texts{"1", "5"};
    bool full = false;

    bench::choices options;
    options.add_flag("full", full, "all cells, in place of the lists below (takes half an hour)");
    options.add_list("handler", handlers, "what a handler takes, in us");
    options.add_list("chains", chains, "how many handlers post themselves");
    options.add_number("span", span, "for which a column is measured in a round, in ms, at least");
    options.take(argc, argv);
    if (full)
    {
        handlers = {"20", "100", "1000", "3000", "5000", "50000"};
        chains = {"1", "2", "3", "5", "8"};
    }
    for (const unsigned us : bench::numbers_of(handlers, 1'000'000))
    {
        for (const unsigned n : bench::numbers_of(chains, 1000))
            cases.push_back({us, n});
    }
    return full;
}

} // namespace

int main(int argc, char** argv)
{
    // To sleep for what is asked for; a new thread or process inherits it.
    ::prctl(PR_SET_TIMERSLACK, 1);
    bench::question asked{"lateness", "one handler that was to run at once", {}};
    unsigned span = bench::is_quick(argc, argv) ? 250 : 400;
    try
    {
        if (choose(argc, argv, span))
        {
            asked.threads = {1, 2, 4};
            asked.budget = std::chrono::hours(24);
        }
        else
        {
            asked.threads = {1, 2};
            asked.budget = std::chrono::minutes(3);
        }
    }
    catch (const std::exception& e)
    {
        std::cerr << asked.name << ": " << e.what() << '\n';
        return 2;
    }
    for (std::size_t i = 0; i != cases.size(); ++i)
        asked.rows.push_back({cases[i].name(), span, span, i});
    asked.unit = "us by which the timer is late, p50,";
    asked.extras = {"timer max", "socket p50", "socket max", "signal p50", "signal max", "post p50",
        "post max"};
    asked.allocates = false;
    asked.quick_threads = {2};
    asked.iterations = 1;
    asked.rounds = 7;
    std::vector<bench::column> columns = bench::columns_of<lateness>();
    // Asio's context and weft's.
    columns.resize(2);
    return bench::run(argc, argv, asked, columns);
}
