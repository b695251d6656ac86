// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Two threads sleep, one of them in the reactor. It runs what comes there, and wakes nobody; the
// other one watches the reactor in its sleep. The handler blocks until another one has run, whose
// turn may come in whatever way there is: what is missed is a hang, and so a failure.

#include <weft/channel.hpp>
#include <weft/io_context.hpp>
#include <weft/steady_timer.hpp>

#include "support/cases.hpp"

#include <csignal>
#include <functional>

namespace
{

using stream = asio::local::stream_protocol;

struct conversation
{
    explicit conversation(weft::io_context& context) : near(context), far(context)
    {
        asio::local::connect_pair(near, far);
    }

    void read(std::function<void()> then)
    {
        near.async_read_some(asio::buffer(buffer),
            [then = std::move(then)](error_code e, std::size_t)
            {
                if (!e)
                    then();
            });
    }

    void write()
    {
        asio::write(far, asio::buffer("abcd", 4));
    }

    std::array<char, 4> buffer{};
    stream::socket near;
    stream::socket far;
};

using release = std::function<void()>;
using step = std::function<void(release)>;

void nothing(release const&)
{
}

struct sleeping_context
{
    // The handler of an event waits to be released: by what is begun before it, in it, or by
    // another thread while it waits.
    void check(step const& before, step const& inside, step const& outside)
    {
        context.restart();
        auto const guard = asio::make_work_guard(context);
        conversation wakes(context);
        test::thread_group runners(2, [&] { context.run(); });
        for (int round = 0; round != 12; ++round)
        {
            auto const released = std::make_shared<std::latch>(1);
            std::latch ended(1);
            release const go = [released]
            {
                released->count_down();
            };
            before(go);
            wakes.read(
                [&]
                {
                    inside(go);
                    released->wait();
                    ended.count_down();
                });
            // Whoever leaves the reactor after a short sleep wakes somebody.
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            wakes.write();
            outside(go);
            ended.wait();
        }
        context.stop();
    }

    weft::io_context context;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(watched_reactor, sleeping_context)

BOOST_AUTO_TEST_CASE(an_event_comes)
{
    conversation other(context);
    check([&](release go) { other.read(std::move(go)); }, nothing,
        [&](release const&) { other.write(); });
}

BOOST_AUTO_TEST_CASE(an_event_that_the_handler_itself_brings_about_comes)
{
    conversation other(context);
    check(
        nothing,
        [&](release go)
        {
            other.read(std::move(go));
            other.write();
        },
        nothing);
}

template <class Timer>
void wait(Timer& timer, std::chrono::milliseconds time, release go)
{
    timer.expires_after(time);
    timer.async_wait([go = std::move(go)](error_code) { go(); });
}

BOOST_AUTO_TEST_CASE(a_timer_expires)
{
    weft::steady_timer timer(context);
    check([&](release go) { wait(timer, std::chrono::milliseconds(3), std::move(go)); }, nothing,
        nothing);
}

BOOST_AUTO_TEST_CASE(a_timer_of_the_reactor_expires)
{
    asio::steady_timer timer(context);
    check([&](release go) { wait(timer, std::chrono::milliseconds(3), std::move(go)); }, nothing,
        nothing);
}

BOOST_AUTO_TEST_CASE(a_timer_that_the_handler_has_started_expires)
{
    weft::steady_timer later(context, std::chrono::hours(1));
    later.async_wait([](error_code) {});
    weft::steady_timer timer(context);
    check(
        nothing, [&](release go) { wait(timer, std::chrono::milliseconds(1), std::move(go)); },
        nothing);
}

BOOST_AUTO_TEST_CASE(a_timer_of_the_reactor_that_the_handler_has_started_expires)
{
    asio::steady_timer timer(context);
    check(
        nothing, [&](release go) { wait(timer, std::chrono::milliseconds(1), std::move(go)); },
        nothing);
}

BOOST_AUTO_TEST_CASE(somebody_outside_starts_a_timer)
{
    weft::steady_timer timer(context);
    check(nothing, nothing,
        [&](release go) { wait(timer, std::chrono::milliseconds(1), std::move(go)); });
}

BOOST_AUTO_TEST_CASE(something_is_posted)
{
    check(nothing, nothing, [&](release go) { asio::post(context, std::move(go)); });
}

BOOST_AUTO_TEST_CASE(the_handler_posts)
{
    check(
        nothing, [&](release go) { asio::post(context, std::move(go)); }, nothing);
}

// Into the slot of its worker, where nobody looks but the monitor.
BOOST_AUTO_TEST_CASE(the_handler_leaves_a_continuation)
{
    check(
        nothing, [&](release go) { asio::defer(context, std::move(go)); }, nothing);
}

BOOST_AUTO_TEST_CASE(the_handler_grants_what_another_waits_for)
{
    weft::channel<void(error_code, int)> channel(context, 1);
    check([&](release go)
        { channel.async_receive([go = std::move(go)](error_code, int) { go(); }); },
        [&](release const&) { channel.try_send(error_code(), 1); }, nothing);
}

// Asio posts it from a thread of its own.
BOOST_AUTO_TEST_CASE(a_resolver_answers)
{
    asio::ip::tcp::resolver resolver(context);
    auto const resolve = [&](release go)
    {
        resolver.async_resolve("127.0.0.1", "80", asio::ip::resolver_base::numeric_host,
            [go = std::move(go)](error_code, asio::ip::tcp::resolver::results_type const&)
            { go(); });
    };
    check(nothing, resolve, nothing);
    check(nothing, nothing, resolve);
}

BOOST_AUTO_TEST_CASE(a_signal_comes)
{
    asio::signal_set signals(context, SIGUSR1);
    check([&](release go) { signals.async_wait([go = std::move(go)](error_code, int) { go(); }); },
        [](release const&) { std::raise(SIGUSR1); }, nothing);
}

BOOST_AUTO_TEST_CASE(an_operation_is_cancelled)
{
    conversation other(context);
    check(
        [&](release go) {
            other.near.async_wait(
                stream::socket::wait_read, [go = std::move(go)](error_code) { go(); });
        },
        nothing, [&](release const&) { other.near.cancel(); });
}

BOOST_AUTO_TEST_SUITE_END()
