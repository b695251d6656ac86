// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does a TCP echo server give, for 1, 64 and 512 connections, even and uneven? The
// server runs on the column's context; the load is another process on the same machine, a closed
// loop of 1 KiB messages over loopback. In the uneven rows every tenth connection, at scattered
// places, makes its handler burn about 20 us of CPU per message. An operation is one request;
// `cpu ns/op` is the server's.
// Does not show: a network, or a server that may have all cores: client and server share them, and
// the kernel's TCP is most of what both do. p99 at many connections is the kernel's CPU scheduler.

#include "support/echo_client.hpp"
#include "support/harness.hpp"
#include "support/tally.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>

namespace
{

using boost::asio::ip::tcp;
using boost::system::error_code;

bench::echo_client* load = nullptr;
std::uint64_t heavy_steps = 0;
std::atomic<std::uint64_t> heavy_sink{0};

std::uint64_t burn(std::uint64_t steps)
{
    std::uint64_t x = steps | 1;
    for (std::uint64_t i = 0; i != steps; ++i)
        x = x * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    return x;
}

// A fixed amount of work, so that being preempted does not make it smaller.
std::uint64_t steps_for(std::chrono::nanoseconds span)
{
    constexpr std::uint64_t trial = 100'000;
    auto best = bench::clock::duration::max();
    for (int i = 0; i != 20; ++i)
    {
        const auto start = bench::clock::now();
        heavy_sink.fetch_xor(burn(trial), std::memory_order_relaxed);
        best = std::min(best, bench::clock::now() - start);
    }
    return trial * static_cast<std::uint64_t>(span.count()) /
           static_cast<std::uint64_t>(best.count());
}

template <class Executor>
class session : public std::enable_shared_from_this<session<Executor>>
{
public:
    using socket_type = boost::asio::basic_stream_socket<tcp, Executor>;

    session(socket_type socket, std::atomic<int>& live) : socket_(std::move(socket)), live_(live)
    {
        live_.fetch_add(1, std::memory_order_relaxed);
    }

    ~session()
    {
        error_code ignored;
        socket_.close(ignored);
        live_.fetch_sub(1, std::memory_order_release);
    }

    void read()
    {
        socket_.async_read_some(boost::asio::buffer(data_),
            [self = this->shared_from_this()](error_code error, std::size_t size)
            {
                if (!error)
                    self->answer(size);
            });
    }

private:
    void answer(std::size_t size)
    {
        if (offset_ == 0 && data_[0] == bench::echo_heavy)
            heavy_sink.fetch_xor(burn(heavy_steps), std::memory_order_relaxed);
        offset_ = (offset_ + size) % bench::echo_message_size;
        boost::asio::async_write(socket_, boost::asio::buffer(data_.data(), size),
            [self = this->shared_from_this()](error_code error, std::size_t)
            {
                if (!error)
                    self->read();
            });
    }

    socket_type socket_;
    std::atomic<int>& live_;
    std::size_t offset_ = 0;
    std::array<unsigned char, bench::echo_message_size> data_;
};

template <class Engine>
class echo
{
public:
    echo(Engine& engine, const bench::setting& s)
        : engine_(engine), span_(s.operations),
          acceptor_(engine.executor(), {boost::asio::ip::address_v4::loopback(), 0})
    {
        closed_.expect(2);
        accept(0);
        const std::string failure = load->connect({acceptor_.local_endpoint().port(),
            static_cast<std::uint32_t>(s.what.width), s.what.variant});
        if (!failure.empty())
        {
            stop();
            throw std::runtime_error(failure);
        }
    }

    ~echo()
    {
        stop();
    }

    bench::outcome operator()()
    {
        const bench::echo_result result = load->run(span_);
        if (result.failure[0] != '\0')
            return bench::failed(result.failure);
        using microseconds = std::chrono::duration<double, std::micro>;
        return {result.requests, result.elapsed, std::nullopt,
            {microseconds(result.p50).count(), microseconds(result.p99).count()}};
    }

private:
    using executor_type = typename Engine::executor_type;

    void accept(std::size_t number)
    {
        acceptor_.async_accept(engine_.executor(number),
            [this, number](error_code error, typename session<executor_type>::socket_type socket)
            {
                if (error)
                {
                    closed_.arrive();
                    return;
                }
                socket.set_option(tcp::no_delay(true));
                const auto executor = socket.get_executor();
                const auto s = std::make_shared<session<executor_type>>(std::move(socket), live_);
                boost::asio::post(executor, [s] { s->read(); });
                accept(number + 1);
            });
    }

    // Every session must have ended before what it refers to goes.
    void stop()
    {
        load->disconnect();
        boost::asio::post(acceptor_.get_executor(),
            [this]
            {
                acceptor_.close();
                closed_.arrive();
            });
        closed_.wait();
        while (live_.load(std::memory_order_acquire) != 0)
            std::this_thread::yield();
    }

    Engine& engine_;
    std::chrono::milliseconds span_;
    std::atomic<int> live_{0};
    // The acceptor's last handler has run, and close() has returned.
    bench::countdown closed_;
    boost::asio::basic_socket_acceptor<tcp, executor_type> acceptor_;
};

} // namespace

int main(int argc, char** argv)
{
    bench::echo_client client;
    load = &client;
    heavy_steps = steps_for(std::chrono::microseconds(20));
    bench::question asked{"echo", "one echoed request",
        {{"1 connection", 200, 60, 1, false}, {"64 connections", 200, 60, 64, false},
            {"512 connections", 200, 60, 512, false}, {"64, 10 % heavy", 200, 60, 64, true},
            {"512, 10 % heavy", 200, 60, 512, true}}};
    asked.extras = {"p50 us", "p99 us"};
    asked.threads = {1, 2, 4, 8};
    asked.quick_threads = {1, 2};
    asked.iterations = 1;
    asked.budget = std::chrono::seconds(150);
    asked.quick_budget = std::chrono::seconds(25);
    return bench::run<echo>(argc, argv, asked);
}
