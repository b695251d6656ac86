// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Connections that echo: by callbacks, with a timeout for each read or without, by coroutines over
// the context's own executor type, and by coroutines over any_io_executor.

#ifndef BENCH_SUPPORT_ECHO_SESSIONS_HPP
#define BENCH_SUPPORT_ECHO_SESSIONS_HPP

#include "load_client.hpp"
#include "machine.hpp"
#include "tcp_server.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include <sys/socket.h>

namespace bench
{

// What a message makes its handler do: a fixed amount of work, so that being preempted does not
// make it smaller. One that is not heavy asks for none, unless set() says so.
class burden
{
public:
    static void calibrate(std::chrono::nanoseconds span)
    {
        heavy_ = steps_in(span);
    }

    // How much work an idle core does in this time.
    static std::uint64_t steps_in(std::chrono::nanoseconds span)
    {
        constexpr std::uint64_t trial = 100'000;
        auto best = clock::duration::max();
        for (int i = 0; i != 20; ++i)
        {
            const auto start = clock::now();
            burn(trial);
            best = std::min(best, clock::now() - start);
        }
        return trial * static_cast<std::uint64_t>(span.count()) /
               static_cast<std::uint64_t>(best.count());
    }

    // Before there are messages.
    static void set(std::uint64_t light_steps, std::uint64_t heavy_steps)
    {
        light_ = light_steps;
        heavy_ = heavy_steps;
    }

    // The same for so many steps in the mean: all alike, or if it is bimodal one message in a
    // hundred is heavy, which is a hundred times as much as the others.
    static void set_mean(double steps, bool bimodal)
    {
        const double light = bimodal ? steps / 1.99 : steps;
        set(static_cast<std::uint64_t>(light), static_cast<std::uint64_t>(100 * light));
    }

    static void carry(bool heavy)
    {
        if (const std::uint64_t steps = heavy ? heavy_ : light_; steps != 0)
            burn(steps);
    }

private:
    [[gnu::noinline]] static void burn(std::uint64_t n)
    {
        std::uint64_t x = n | 1;
        for (std::uint64_t i = 0; i != n; ++i)
            x = x * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
        sink.fetch_xor(x, std::memory_order_relaxed);
    }

    inline static std::uint64_t light_ = 0;
    inline static std::uint64_t heavy_ = 0;
    inline static std::atomic<std::uint64_t> sink{0};
};

// Where in its messages a connection is, and which of them are heavy.
class message_position
{
public:
    void received(unsigned char first, std::size_t size)
    {
        if (offset_ == 0)
            burden::carry(first == heavy_message);
        offset_ = (offset_ + size) % message_size;
    }

private:
    std::size_t offset_ = 0;
};

template <class Executor>
class callback_session : public session_base<Executor>,
                         public std::enable_shared_from_this<callback_session<Executor>>
{
public:
    using session_base<Executor>::session_base;

    void start()
    {
        this->socket_.async_read_some(boost::asio::buffer(data_),
            [self = this->shared_from_this()](boost::system::error_code error, std::size_t size)
            {
                if (!error)
                    self->answer(size);
            });
    }

private:
    void answer(std::size_t size)
    {
        position_.received(data_[0], size);
        boost::asio::async_write(this->socket_, boost::asio::buffer(data_.data(), size),
            [self = this->shared_from_this()](boost::system::error_code error, std::size_t)
            {
                if (!error)
                    self->start();
            });
    }

    message_position position_;
    std::array<unsigned char, message_size> data_;
};

// The same, but a read may take 30 seconds: what many servers do to be rid of clients that are
// gone.
template <class Executor>
class timeout_session : public session_base<Executor>,
                        public std::enable_shared_from_this<timeout_session<Executor>>
{
public:
    timeout_session(tcp_socket<Executor> socket, session_count& count)
        : session_base<Executor>(std::move(socket), count), timer_(this->socket_.get_executor())
    {
    }

    void start()
    {
        // Ends the wait of the read before.
        timer_.expires_after(std::chrono::seconds(30));
        timer_.async_wait(
            [self = this->shared_from_this()](boost::system::error_code error)
            {
                // Ends the read, whose thread may be in the socket.
                if (!error)
                    ::shutdown(self->socket_.native_handle(), SHUT_RDWR);
            });
        this->socket_.async_read_some(boost::asio::buffer(data_),
            [self = this->shared_from_this()](boost::system::error_code error, std::size_t size)
            {
                if (error)
                    self->timer_.cancel();
                else
                    self->answer(size);
            });
    }

private:
    void answer(std::size_t size)
    {
        position_.received(data_[0], size);
        boost::asio::async_write(this->socket_, boost::asio::buffer(data_.data(), size),
            [self = this->shared_from_this()](boost::system::error_code error, std::size_t)
            {
                if (error)
                    self->timer_.cancel();
                else
                    self->start();
            });
    }

    boost::asio::basic_waitable_timer<std::chrono::steady_clock,
        boost::asio::wait_traits<std::chrono::steady_clock>, Executor>
        timer_;
    message_position position_;
    std::array<unsigned char, message_size> data_;
};

template <class Executor>
class coroutine_session_over : public session_base<Executor>,
                               public std::enable_shared_from_this<coroutine_session_over<Executor>>
{
public:
    using session_base<Executor>::session_base;

    void start()
    {
        boost::asio::co_spawn(
            this->socket_.get_executor(), echo(this->shared_from_this()), boost::asio::detached);
    }

private:
    static boost::asio::awaitable<void, Executor> echo(std::shared_ptr<coroutine_session_over> self)
    {
        boost::system::error_code error;
        auto token = boost::asio::redirect_error(boost::asio::use_awaitable_t<Executor>(), error);
        for (;;)
        {
            const std::size_t size =
                co_await self->socket_.async_read_some(boost::asio::buffer(self->data_), token);
            if (error)
                co_return;
            self->position_.received(self->data_[0], size);
            co_await boost::asio::async_write(
                self->socket_, boost::asio::buffer(self->data_.data(), size), token);
            if (error)
                co_return;
        }
    }

    message_position position_;
    std::array<unsigned char, message_size> data_;
};

template <class Executor>
using coroutine_session = coroutine_session_over<Executor>;

template <class>
using any_executor_session = coroutine_session_over<boost::asio::any_io_executor>;

} // namespace bench

#endif
