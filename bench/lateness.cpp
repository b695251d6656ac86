// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: how late is what has to be on time, while handlers keep the context busy? Chains of
// handlers that take so many milliseconds each and post themselves again, or connections whose next
// request is there as soon as the last is answered; meanwhile a timer of 10 ms is awaited again and
// again, a byte is written to a socket that is being read, a signal is raised, and a foreign thread
// posts. Lateness is the time from when the timer was due, or from before the write, the raise or
// the post, until the handler runs. The value is the timer's p50. Does not show: CPU that is short,
// unless processes that are busy are wanted beside it (--beside): whoever is woken may then have to
// wait for a time slice. Handlers of 1 ms and more sleep, so that there are cores for all threads
// and for whoever writes, raises and posts; shorter ones are busy for their time, and with more
// threads than cores the kernel's time slices are in the figures of both columns.

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
#include <cerrno>
#include <csignal>
#include <deque>
#include <iostream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

using std::chrono::microseconds;
using std::chrono::milliseconds;

// What keeps the context busy.
enum class business
{
    chains,
    connections
};

// What a row asks for. The row's width is its place in `cases`.
struct busy_case
{
    unsigned handler_us;
    business what;
    unsigned count;

    std::string name(unsigned beside) const
    {
        const std::string fraction = std::to_string(1000 + handler_us % 1000).substr(1);
        std::string ms = std::to_string(handler_us / 1000);
        if (handler_us % 1000 != 0)
        {
            ms += '.';
            ms += fraction.substr(0, fraction.find_last_not_of('0') + 1);
        }
        std::string text = counted(count, what == business::chains ? "chain" : "connection");
        text += " of ";
        text += ms;
        text += " ms";
        if (beside != 0)
        {
            text += " beside ";
            text += counted(beside, "busy core");
        }
        return text;
    }

    static std::string counted(unsigned n, const std::string& thing)
    {
        return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
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

// A connection that answers itself: whatever has been answered is the next request.
template <class Executor>
class busy_connection
{
public:
    busy_connection(const Executor& executor, microseconds span, const std::atomic<bool>& stop,
        bench::countdown& stopped)
        : span_(span), stop_(stop), stopped_(stopped), written_(executor), read_(executor)
    {
        boost::asio::local::connect_pair(written_, read_);
    }

    void start()
    {
        answer();
    }

private:
    void await_request()
    {
        read_.async_read_some(boost::asio::buffer(byte_),
            [this](boost::system::error_code, std::size_t)
            {
                be_busy(span_);
                if (stop_.load(std::memory_order_relaxed))
                    stopped_.arrive();
                else
                    answer();
            });
    }

    void answer()
    {
        boost::asio::async_write(written_, boost::asio::buffer("x", 1),
            [this](boost::system::error_code, std::size_t) { await_request(); });
    }

    using protocol = boost::asio::local::stream_protocol;

    microseconds span_;
    const std::atomic<bool>& stop_;
    bench::countdown& stopped_;
    boost::asio::basic_stream_socket<protocol, Executor> written_;
    boost::asio::basic_stream_socket<protocol, Executor> read_;
    char byte_[1];
};

// A process that keeps a core busy, as long as there is this object.
class busy_process
{
public:
    busy_process()
    {
        const pid_t parent = ::getpid();
        child_ = ::fork();
        if (child_ < 0)
            throw std::system_error(errno, std::generic_category(), "fork");
        if (child_ == 0)
        {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            // It may have ended before that.
            if (::getppid() != parent)
                ::_exit(0);
            for (volatile unsigned n = 0;;)
                n = n + 1;
        }
    }

    busy_process(const busy_process&) = delete;
    busy_process& operator=(const busy_process&) = delete;

    ~busy_process()
    {
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
    }

private:
    pid_t child_;
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
        // Before anything runs: there may be no descriptors for so many.
        const unsigned connections = what.what == business::connections ? what.count : 0;
        while (connections_.size() != connections)
            connections_.emplace_back(executor_, microseconds(what.handler_us), stop_, stopped_);
    }

    // Until the time is over and each way has been taken so many times.
    void run(bench::clock::duration span, std::size_t least)
    {
        stopped_.expect(static_cast<int>(case_.count) + 3);
        await_timer();
        await_byte();
        await_signal();
        keep_busy();
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

    void keep_busy()
    {
        for (busy_connection<Executor>& connection : connections_)
            connection.start();
        for (unsigned i = 0; case_.what == business::chains && i != case_.count; ++i)
            boost::asio::post(executor_,
                busy_chain<Executor>{executor_, microseconds(case_.handler_us), &stop_, &stopped_});
    }

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
    std::deque<busy_connection<Executor>> connections_;
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

constexpr unsigned most_beside = 256;

// Fills `cases`. Says whether all of them are wanted.
bool choose(int& argc, char** argv, unsigned& span, unsigned& beside)
{
    const bool quick = bench::is_quick(argc, argv);
    using texts = std::vector<std::string>;
    texts handlers = quick ? texts{"100", "3000"} : texts{"20", "100", "3000"};
    texts whats{"chains", "connections"};
    texts counts = quick ? texts{"3"} : texts{"1", "5"};
    bool full = false;

    bench::choices options;
    options.add_flag("full", full, "all cells, in place of the lists below (takes an hour)");
    options.add_list("handler", handlers, "what a handler takes, in us");
    options.add_list("what", whats, "what they are: chains of posts, connections");
    options.add_list("count", counts, "how many chains or connections");
    options.add_number("beside", beside, "processes that keep a core busy each");
    options.add_number("span", span, "for which a column is measured in a round, in ms, at least");
    options.take(argc, argv);
    if (full)
    {
        handlers = {"20", "100", "1000", "3000", "5000", "50000"};
        whats = {"chains", "connections"};
        counts = {"1", "2", "3", "5", "8"};
    }
    if (beside > most_beside)
        throw std::invalid_argument("--beside: more than " + std::to_string(most_beside));
    const bench::either what = bench::one_or_both(whats, "chains", "connections");
    for (const unsigned us : bench::numbers_of(handlers, 1'000'000))
    {
        for (const unsigned n : bench::numbers_of(counts, 1000))
        {
            if (what.first)
                cases.push_back({us, business::chains, n});
            if (what.second)
                cases.push_back({us, business::connections, n});
        }
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
    unsigned beside = 0;
    std::deque<busy_process> busy;
    try
    {
        if (choose(argc, argv, span, beside))
        {
            asked.threads = {1, 2, 4};
            asked.budget = std::chrono::hours(24);
        }
        else
        {
            asked.threads = {1, 2};
            asked.budget = std::chrono::minutes(3);
        }
        // Before there are threads.
        while (busy.size() != beside)
            busy.emplace_back();
    }
    catch (const std::exception& e)
    {
        std::cerr << asked.name << ": " << e.what() << '\n';
        return 2;
    }
    for (std::size_t i = 0; i != cases.size(); ++i)
        asked.rows.push_back({cases[i].name(beside), span, span, i});
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
