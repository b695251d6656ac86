// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Numbers through a channel, sent and received by coroutines or by callbacks. The row's width is
// the capacity; its variant means callbacks. Each column is a channel on a context.

#ifndef BENCH_SUPPORT_CHANNELS_HPP
#define BENCH_SUPPORT_CHANNELS_HPP

#include "harness.hpp"
#include "tally.hpp"

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

template <class Context, class Channel, std::uint64_t Pairs>
class channel_transfer final : public experiment
{
public:
    channel_transfer(unsigned threads, const setting& s)
        : engine_(threads), each_(s.operations / Pairs), capacity_(s.what.width),
          callbacks_(s.what.variant)
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
            if (callbacks_)
                boost::asio::post(
                    engine_.executor(), [&c, i] { i % 2 == 0 ? c.send() : c.receive(); });
            else if (i % 2 == 0)
                boost::asio::co_spawn(engine_.executor(), send(channel), boost::asio::detached);
            else
                boost::asio::co_spawn(engine_.executor(), receive(channel), boost::asio::detached);
        }
        const bool right = done_.wait();
        const auto elapsed = clock::now() - start;
        if (!right || sum_ != Pairs * (each_ * (each_ + 1) / 2))
            return failed("what was received is not what was sent");
        return {Pairs * each_, elapsed};
    }

private:
    boost::asio::awaitable<void> send(Channel& c)
    {
        for (std::uint64_t n = 1; n <= each_; ++n)
            co_await async_send(c, n);
        done_.arrive();
    }

    boost::asio::awaitable<void> receive(Channel& c)
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
    bool callbacks_;
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
        rows.push_back({name + ", coroutines", operations, operations / 4, capacity, false});
        rows.push_back({name + ", callbacks", operations, operations / 4, capacity, true});
    }
    return rows;
}

} // namespace bench

#endif
