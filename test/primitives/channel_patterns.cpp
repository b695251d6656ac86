// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Programs in small, after ideas that Go's channels are tested with: ping-pong, the prime sieve,
// fan-in and fan-out, select, a queue with an end.

#include <weft/channel.hpp>

#include "primitives/places.hpp"
#include "support/owned.hpp"

BOOST_FIXTURE_TEST_SUITE(primitives_channel_patterns, test::all_are_destroyed)

namespace
{

using test::owned;
using namespace asio::experimental::awaitable_operators;
using asio::as_tuple;
using asio::awaitable;
using asio::use_awaitable;
using weft::channel;

// A coroutine, or a function that makes one and has to live as long. What it throws ends the
// program or leaves run(): the place's threads must not report to Boost.Test at the same time.
template <class Body>
void spawn(test::place& place, Body body)
{
    asio::co_spawn(place.executor, std::move(body), test::rethrow);
}

// The next value, or nothing at the end.
awaitable<std::optional<int>> next(channel<owned>& c)
{
    auto [ec, value] = co_await c.async_receive(as_tuple(use_awaitable));
    if (ec)
        co_return std::nullopt;
    co_return value;
}

awaitable<void> pass_on(channel<owned>& from, channel<owned>& to, int rounds)
{
    for (int i = 0; i != rounds; ++i)
        co_await to.async_send(co_await from.async_receive() + 1);
}

} // namespace

WEFT_TEST_CASE_FOR_PLACES(ping_pong, test::places)
{
    for (std::size_t const capacity : {0u, 1u})
    {
        test::place place(where);
        channel<owned> ping(place.executor, capacity);
        channel<owned> pong(place.executor, capacity);
        int last = 0;
        spawn(place, pass_on(ping, pong, 200));
        spawn(place,
            [&]() -> awaitable<void>
            {
                for (int i = 0; i != 200; ++i)
                {
                    co_await ping.async_send(std::move(last));
                    last = co_await pong.async_receive();
                }
            });
        place.finish();
        BOOST_TEST(last == 200);
    }
}

WEFT_TEST_CASE_FOR_PLACES(a_chain_of_filters_finds_the_primes, test::places)
{
    constexpr std::size_t count = 25;
    test::place place(where);
    std::vector<std::unique_ptr<channel<owned>>> stages;
    for (std::size_t i = 0; i <= count; ++i)
        stages.push_back(std::make_unique<channel<owned>>(place.executor, i % 3));
    std::vector<int> primes(count);
    spawn(place,
        [&]() -> awaitable<void>
        {
            for (int i = 2; stages[0]->is_open(); ++i)
                co_await stages[0]->async_send(std::move(i), as_tuple(use_awaitable));
        });
    for (std::size_t i = 0; i != count; ++i)
        spawn(place,
            [](channel<owned>& in, channel<owned>& out, int& prime) -> awaitable<void>
            {
                prime = co_await in.async_receive();
                while (std::optional<int> const n = co_await next(in))
                    if (*n % prime != 0)
                        co_await out.async_send(int(*n), as_tuple(use_awaitable));
            }(*stages[i], *stages[i + 1], primes[i]));
    // The first number that passes all filters ends it.
    spawn(place,
        [&]() -> awaitable<void>
        {
            (void)co_await stages[count]->async_receive();
            for (auto const& stage : stages)
                stage->close();
        });
    place.finish();
    BOOST_TEST(primes.front() == 2);
    BOOST_TEST(primes.back() == 97);
}

WEFT_TEST_CASE_FOR_PLACES(work_fans_out_and_results_fan_in, test::places)
{
    constexpr int jobs = 400;
    test::place place(where);
    channel<owned> work(place.executor, 4);
    channel<owned> results(place.executor, 0);
    std::atomic<int> workers{5};
    long sum = 0;
    spawn(place,
        [&]() -> awaitable<void>
        {
            for (int i = 1; i <= jobs; ++i)
                co_await work.async_send(int(i));
            work.close();
        });
    for (int w = 0; w != 5; ++w)
        spawn(place,
            [&]() -> awaitable<void>
            {
                while (std::optional<int> const n = co_await next(work))
                    co_await results.async_send(2 * *n);
                if (--workers == 0)
                    results.close();
            });
    spawn(place,
        [&]() -> awaitable<void>
        {
            while (std::optional<int> const n = co_await next(results))
                sum += *n;
        });
    place.finish();
    BOOST_TEST(sum == long(jobs) * (jobs + 1));
}

// Asio's || emits its signals unsynchronised: both sides have to run on one strand.
std::vector<test::where> const serial_places{
    test::where::weft_io, test::where::asio_io, test::where::weft_strand, test::where::asio_strand};

// Whichever of two channels has something: waits on both, which takes nothing, and takes then.
WEFT_TEST_CASE_FOR_PLACES(selecting_by_waits_loses_nothing, serial_places)
{
    constexpr int each = 300;
    test::place place(where);
    channel<owned> left(place.executor, 0);
    channel<owned> right(place.executor, 2);
    int received = 0;
    long sum = 0;
    for (channel<owned>* const c : {&left, &right})
        spawn(place,
            [](channel<owned>& to) -> awaitable<void>
            {
                for (int i = 1; i <= each; ++i)
                    co_await to.async_send(int(i));
                to.close();
            }(*c));
    spawn(place,
        [&]() -> awaitable<void>
        {
            bool open[2] = {true, true};
            while (open[0] && open[1])
            {
                co_await (left.async_wait_receive(as_tuple(use_awaitable)) ||
                          right.async_wait_receive(as_tuple(use_awaitable)));
                for (int i = 0; i != 2; ++i)
                {
                    boost::system::error_code ec;
                    if (std::optional<int> const n = (i == 0 ? left : right).try_receive(ec))
                    {
                        sum += *n;
                        ++received;
                    }
                    open[i] = ec != weft::errc::closed;
                }
            }
            channel<owned>& rest = open[0] ? left : right;
            while (std::optional<int> const n = co_await next(rest))
            {
                sum += *n;
                ++received;
            }
        });
    place.finish();
    BOOST_TEST(received == 2 * each);
    BOOST_TEST(sum == long(each) * (each + 1));
}

BOOST_AUTO_TEST_SUITE_END()
