// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what becomes of a context that more threads run than there are cores? 32 conversations
// over TCP, both ends in the same context, with 0, 10 and 50 us of CPU per request: there is work
// for every core at all times, and whoever leaves one idle (`cores`) loses throughput. The work is
// an amount, not a time: a thread that is preempted has to go on with it. And two conversations
// without work, which keep few threads busy: each handler makes the next one ready in the reactor.
// Does not show: latencies (see latency_matrix), which here are the kernel's time slices.

#include "support/echo_sessions.hpp"
#include "support/harness.hpp"

#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <atomic>
#include <deque>
#include <thread>

namespace
{

constexpr int many = 32;
constexpr int few = 2;
constexpr std::size_t request_size = 100;

std::uint64_t steps_per_us = 0;

// Works for each request and answers it, until the other end is closed.
template <class Executor>
class answering_end
{
public:
    answering_end(bench::tcp_socket<Executor> socket, bench::countdown& ended)
        : socket_(std::move(socket)), ended_(ended)
    {
    }

    void start()
    {
        boost::asio::async_read(socket_, boost::asio::buffer(data_),
            [this](boost::system::error_code error, std::size_t)
            {
                if (error)
                    ended_.arrive();
                else
                    answer();
            });
    }

private:
    void answer()
    {
        bench::burden::carry(false);
        boost::asio::async_write(socket_, boost::asio::buffer(data_),
            [this](boost::system::error_code error, std::size_t)
            {
                if (error)
                    ended_.arrive();
                else
                    start();
            });
    }

    bench::tcp_socket<Executor> socket_;
    bench::countdown& ended_;
    std::array<char, request_size> data_{};
};

// Asks again as soon as it has its answer, until it is told to stop.
template <class Executor>
class asking_end
{
public:
    explicit asking_end(bench::tcp_socket<Executor> socket) : socket_(std::move(socket))
    {
    }

    void start(const std::atomic<bool>& stop, bench::countdown& stopped)
    {
        stop_ = &stop;
        stopped_ = &stopped;
        count_ = 0;
        ask();
    }

    void close()
    {
        boost::system::error_code ignored;
        socket_.shutdown(boost::asio::ip::tcp::socket::shutdown_both, ignored);
    }

    std::uint64_t count() const
    {
        return count_;
    }

    bool right() const
    {
        return right_;
    }

private:
    void ask()
    {
        data_.fill(static_cast<char>(count_));
        boost::asio::async_write(socket_, boost::asio::buffer(data_),
            [this](boost::system::error_code error, std::size_t)
            {
                if (error)
                    end(false);
                else
                    read();
            });
    }

    void read()
    {
        answer_.fill(static_cast<char>(count_ + 1));
        boost::asio::async_read(socket_, boost::asio::buffer(answer_),
            [this](boost::system::error_code error, std::size_t)
            {
                if (error || answer_ != data_)
                {
                    end(false);
                    return;
                }
                ++count_;
                if (stop_->load(std::memory_order_relaxed))
                    end(true);
                else
                    ask();
            });
    }

    void end(bool right)
    {
        right_ = right;
        stopped_->arrive();
    }

    bench::tcp_socket<Executor> socket_;
    const std::atomic<bool>* stop_ = nullptr;
    bench::countdown* stopped_ = nullptr;
    std::uint64_t count_ = 0;
    bool right_ = true;
    std::array<char, request_size> data_{};
    std::array<char, request_size> answer_{};
};

template <class Engine>
class oversubscribed
{
public:
    oversubscribed(Engine& engine, const bench::setting& s)
        : span_(std::chrono::milliseconds(s.operations)),
          conversations_(s.what.variant ? few : many)
    {
        bench::burden::set(s.what.width * steps_per_us, 0);
        ended_.expect(conversations_);
        using tcp = boost::asio::ip::tcp;
        boost::asio::basic_socket_acceptor<tcp, executor_type> acceptor(
            engine.executor(), {boost::asio::ip::address_v4::loopback(), 0});
        for (int i = 0; i != conversations_; ++i)
        {
            bench::tcp_socket<executor_type> asking(engine.executor());
            asking.connect(acceptor.local_endpoint());
            bench::tcp_socket<executor_type> answering = acceptor.accept(engine.executor());
            asking.set_option(tcp::no_delay(true));
            answering.set_option(tcp::no_delay(true));
            asking_.emplace_back(std::move(asking));
            answering_.emplace_back(std::move(answering), ended_);
        }
        for (answering_end<executor_type>& end : answering_)
            end.start();
    }

    oversubscribed(const oversubscribed&) = delete;
    oversubscribed& operator=(const oversubscribed&) = delete;

    ~oversubscribed()
    {
        for (asking_end<executor_type>& end : asking_)
            end.close();
        ended_.wait();
    }

    bench::outcome operator()()
    {
        std::atomic<bool> stop{false};
        bench::countdown stopped;
        stopped.expect(conversations_);
        const auto start = bench::clock::now();
        for (asking_end<executor_type>& end : asking_)
            end.start(stop, stopped);
        std::this_thread::sleep_for(span_);
        stop.store(true, std::memory_order_relaxed);
        stopped.wait();
        const auto elapsed = bench::clock::now() - start;
        std::uint64_t requests = 0;
        for (const asking_end<executor_type>& end : asking_)
        {
            requests += end.count();
            if (!end.right())
                return bench::failed("a conversation has ended, or an answer is wrong");
        }
        return {requests, elapsed};
    }

private:
    using executor_type = typename Engine::executor_type;

    std::chrono::milliseconds span_;
    int conversations_;
    bench::countdown ended_;
    std::deque<asking_end<executor_type>> asking_;
    std::deque<answering_end<executor_type>> answering_;
};

} // namespace

int main(int argc, char** argv)
{
    steps_per_us = bench::burden::steps_in(std::chrono::microseconds(1));
    bench::question asked{"oversubscribed", "one request, asked and answered in the same context",
        {{"no work", 300, 150, 0}, {"10 us of work", 300, 150, 10}, {"50 us of work", 300, 150, 50},
            {"no work, 2 conversations", 300, 150, 0, true}}};
    // Counted where there is more to count (echo).
    asked.allocates = false;
    asked.threads = {2, 3, 4, 8, 16};
    asked.quick_threads = {2, 4};
    asked.iterations = 1;
    asked.rounds = 7;
    asked.budget = std::chrono::minutes(3);
    std::vector<bench::column> columns = bench::columns_of<oversubscribed>();
    // Asio's context and weft's.
    columns.resize(2);
    return bench::run(argc, argv, asked, columns);
}
