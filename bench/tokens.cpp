// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does a completion token cost, where an operation of weft's can complete at once? A
// free mutex taken and given back; a value sent to a channel with room, and received from it. One
// coroutine, or one chain of callbacks, on weft::io_context; the columns are the tokens.
// Does not show: operations that wait, whose cost is the scheduler's. It is for instructions
// (bench/instructions build/bench/bench tokens): times of so little are those of the loop.

#include "support/harness.hpp"
#include "support/tally.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <weft.hpp>

namespace
{

using engine = bench::shared_context<weft::io_context>;
using executor = engine::executor_type;
using coroutine = boost::asio::awaitable<void, executor>;

struct none
{
};

struct callback
{
};

// What is the same for all tokens.
struct objects
{
    explicit objects(const executor& ex) : mutex(ex), channel(ex, 64)
    {
    }

    weft::basic_mutex<executor> mutex;
    weft::basic_channel<executor, void(boost::system::error_code, int)> channel;
    std::uint64_t times = 0;
    std::uint64_t sum = 0;
    bench::countdown done;
};

coroutine locks(objects& o, none)
{
    for (std::uint64_t i = 0; i != o.times; ++i)
    {
        co_await o.mutex.async_lock();
        ++o.sum;
        o.mutex.unlock();
    }
    o.done.arrive();
}

template <class Token>
coroutine locks(objects& o, Token token)
{
    for (std::uint64_t i = 0; i != o.times; ++i)
    {
        co_await o.mutex.async_lock(token);
        ++o.sum;
        o.mutex.unlock();
    }
    o.done.arrive();
}

coroutine sends(objects& o, none)
{
    for (std::uint64_t i = 0; i != o.times; ++i)
    {
        co_await o.channel.async_send(1);
        o.sum += static_cast<std::uint64_t>(co_await o.channel.async_receive());
    }
    o.done.arrive();
}

template <class Token>
coroutine sends(objects& o, Token token)
{
    for (std::uint64_t i = 0; i != o.times; ++i)
    {
        co_await o.channel.async_send(1, token);
        if constexpr (std::is_same_v<Token, boost::asio::as_tuple_t<boost::asio::deferred_t>>)
            o.sum += static_cast<std::uint64_t>(get<1>(co_await o.channel.async_receive(token)));
        else
            o.sum += static_cast<std::uint64_t>(co_await o.channel.async_receive(token));
    }
    o.done.arrive();
}

void lock_again(objects& o, std::uint64_t left)
{
    if (left == 0)
        return o.done.arrive();
    o.mutex.async_lock(
        [&o, left](boost::system::error_code)
        {
            ++o.sum;
            o.mutex.unlock();
            lock_again(o, left - 1);
        });
}

void send_again(objects& o, std::uint64_t left)
{
    if (left == 0)
        return o.done.arrive();
    o.channel.async_send(1,
        [&o, left](boost::system::error_code)
        {
            o.channel.async_receive(
                [&o, left](boost::system::error_code, int value)
                {
                    o.sum += static_cast<std::uint64_t>(value);
                    send_again(o, left - 1);
                });
        });
}

template <class Token>
class tokens final : public bench::experiment
{
public:
    tokens(unsigned threads, const bench::setting& s)
        : engine_(threads), all_(engine_.executor()), sends_(s.what.variant)
    {
        all_.times = s.operations;
    }

    bench::outcome iterate() override
    {
        all_.sum = 0;
        all_.done.expect(1);
        const auto start = bench::clock::now();
        if constexpr (std::is_same_v<Token, callback>)
            boost::asio::post(engine_.executor(),
                [this] { sends_ ? send_again(all_, all_.times) : lock_again(all_, all_.times); });
        else
            boost::asio::co_spawn(engine_.executor(),
                sends_ ? sends(all_, Token()) : locks(all_, Token()), boost::asio::detached);
        if (!all_.done.wait() || all_.sum != all_.times)
            return bench::failed("not as often as it should");
        return {all_.times, bench::clock::now() - start};
    }

private:
    engine engine_;
    objects all_;
    bool sends_;
};

template <class Token>
bench::column with(const char* name)
{
    return {name,
        [](unsigned threads, const bench::setting& s) -> std::unique_ptr<bench::experiment>
        {
            return std::make_unique<tokens<Token>>(threads, s);
        }};
}

} // namespace

int main(int argc, char** argv)
{
    bench::question asked{"tokens", "lock and unlock; or send and receive",
        {{"a free mutex", 200'000, 20'000, 1, false}, {"a channel", 200'000, 20'000, 1, true}}};
    asked.threads = {1, 2};
    asked.quick_threads = {1, 2};
    return bench::run(argc, argv, asked,
        {with<none>("no token"), with<boost::asio::deferred_t>("deferred"),
            with<boost::asio::as_tuple_t<boost::asio::deferred_t>>("as_tuple(deferred)"),
            with<boost::asio::use_awaitable_t<executor>>("use_awaitable"),
            with<callback>("callback")});
}
