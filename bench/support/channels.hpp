// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Numbers through a channel, sent and received by callbacks or by coroutines: over the context's
// own executor type, as a program has them that wants speed, or over any_io_executor. The row's
// width is the capacity and the way. Each column is a channel on a context.

#ifndef BENCH_SUPPORT_CHANNELS_HPP
#define BENCH_SUPPORT_CHANNELS_HPP

#include "harness.hpp"
#include "tally.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/concurrent_channel.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <weft/channel.hpp>
#include <weft/io_context.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench
{

using channel_signature = void(boost::system::error_code, std::uint64_t);

// Each channel in the form of awaiting that is its fastest.
template <class Channel>
auto async_send(Channel& c, std::uint64_t n)
{
    return c.async_send(boost::system::error_code(), n, boost::asio::deferred);
}

template <class Channel>
auto async_receive(Channel& c)
{
    return c.async_receive(boost::asio::deferred);
}

template <class Executor>
auto async_send(weft::basic_channel<Executor, channel_signature>& c, std::uint64_t n)
{
    return c.async_send(n);
}

template <class Executor>
auto async_receive(weft::basic_channel<Executor, channel_signature>& c)
{
    return c.async_receive();
}

enum channel_way : std::size_t
{
    by_coroutines = 0,
    by_any_executor = 10'000,
    by_callbacks = 20'000
};

constexpr std::size_t capacity_of(std::size_t width)
{
    return width % by_any_executor;
}

template <class Context, class Channel, std::uint64_t Pairs>
class channel_transfer final : public experiment
{
public:
    channel_transfer(unsigned threads, const setting& s)
        : engine_(threads), each_(s.operations / Pairs), capacity_(capacity_of(s.what.width)),
          way_(static_cast<channel_way>(s.what.width - capacity_))
    {
    }

    outcome iterate() override
    {
        Channel channel(engine_.executor(), capacity_);
        sum_ = 0;
        done_.expect(2 * Pairs);
        std::vector<callback> callbacks(2 * Pairs);
        const auto start = clock::now();
        for (std::uint64_t i = 0; i != 2 * Pairs; ++i)
        {
            callback& c = callbacks[i];
            c = {this, &channel, 0, 0};
            if (way_ == by_callbacks)
                boost::asio::post(
                    engine_.executor(), [&c, i] { i % 2 == 0 ? c.send() : c.receive(); });
            else if (way_ == by_coroutines)
                spawn(engine_.executor(), channel, i % 2 == 0);
            else
                spawn(boost::asio::any_io_executor(engine_.executor()), channel, i % 2 == 0);
        }
        const bool right = done_.wait();
        const auto elapsed = clock::now() - start;
        if (!right || sum_ != Pairs * (each_ * (each_ + 1) / 2))
            return failed("what was received is not what was sent");
        return {Pairs * each_, elapsed};
    }

private:
    template <class Executor>
    void spawn(const Executor& executor, Channel& c, bool sends)
    {
        boost::asio::co_spawn(
            executor, sends ? send<Executor>(c) : receive<Executor>(c), boost::asio::detached);
    }

    template <class Executor>
    boost::asio::awaitable<void, Executor> send(Channel& c)
    {
        for (std::uint64_t n = 1; n <= each_; ++n)
            co_await async_send(c, n);
        done_.arrive();
    }

    template <class Executor>
    boost::asio::awaitable<void, Executor> receive(Channel& c)
    {
        std::uint64_t sum = 0;
        for (std::uint64_t n = 0; n != each_; ++n)
            sum += co_await async_receive(c);
        sum_ += sum;
        done_.arrive();
    }

    struct callback
    {
        channel_transfer* self;
        Channel* channel;
        std::uint64_t count;
        std::uint64_t sum;

        void send()
        {
            channel->async_send(boost::system::error_code(), ++count,
                [this](const boost::system::error_code&)
                {
                    if (count == self->each_)
                        self->done_.arrive();
                    else
                        send();
                });
        }

        void receive()
        {
            channel->async_receive(
                [this](const boost::system::error_code&, std::uint64_t n)
                {
                    sum += n;
                    if (++count != self->each_)
                        return receive();
                    self->sum_ += sum;
                    self->done_.arrive();
                });
        }
    };

    shared_context<Context> engine_;
    std::uint64_t each_;
    std::size_t capacity_;
    channel_way way_;
    std::atomic<std::uint64_t> sum_{0};
    countdown done_;
};

template <std::uint64_t Pairs>
std::vector<column> channel_columns()
{
    using boost::asio::experimental::concurrent_channel;
    using asio_executor = boost::asio::io_context::executor_type;
    using weft_executor = weft::io_context::executor_type;
    std::vector<column> columns;
    const auto add = [&]<class Context, class Channel>(std::string name)
    {
        columns.push_back({std::move(name),
            [](unsigned threads, const setting& s) -> std::unique_ptr<experiment>
            {
                return std::make_unique<channel_transfer<Context, Channel, Pairs>>(threads, s);
            }});
    };
    add.template operator()<boost::asio::io_context,
        concurrent_channel<asio_executor, channel_signature>>("asio on asio");
    add.template operator()<weft::io_context, concurrent_channel<weft_executor, channel_signature>>(
        "asio on weft");
    add.template operator()<weft::io_context,
        weft::basic_channel<weft_executor, channel_signature>>("weft on weft");
    add.template operator()<boost::asio::io_context,
        weft::basic_channel<asio_executor, channel_signature>>("weft on asio");
    return columns;
}

inline std::vector<row> channel_rows(std::uint64_t operations)
{
    std::vector<row> rows;
    for (const std::size_t capacity : {1u, 64u, 1000u})
    {
        const std::string name = "capacity " + std::to_string(capacity);
        const auto add = [&](const char* way, std::size_t width)
        {
            rows.push_back({name + way, operations, operations / 4, width + capacity});
        };
        add(", coroutines", by_coroutines);
        add(", callbacks", by_callbacks);
        if (capacity == 64)
            add(", any_io_executor", by_any_executor);
    }
    return rows;
}

} // namespace bench

#endif
