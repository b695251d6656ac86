// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

using namespace std::chrono_literals;

// Forks the way Asio's documentation tells to; the child runs `body` and its result is the exit
// code, which is returned here once the parent has gone on by itself.
int in_child(io_context& context, const std::function<int()>& body)
{
    context.notify_fork(io_context::fork_prepare);
    const pid_t child = ::fork();
    if (child == 0)
    {
        test::watchdog::arm(test::watchdog::seconds_per_case / 2);
        context.notify_fork(io_context::fork_child);
        int code = 125;
        try
        {
            code = body();
        }
        catch (...)
        {
        }
        ::_exit(code);
    }
    context.notify_fork(io_context::fork_parent);
    BOOST_TEST_REQUIRE(child > 0);
    int status = 0;
    BOOST_TEST_REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(fork_, test::with_context)

BOOST_AUTO_TEST_CASE(both_processes_run_what_was_posted_before)
{
    int calls = 0;
    for (int i = 0; i != 3; ++i)
        asio::post(context, [&] { ++calls; });
    const auto run = [&]
    {
        return context.run() == 3 && calls == 3 ? 0 : 1;
    };
    BOOST_TEST(in_child(context, run) == 0);
    BOOST_TEST(run() == 0);
}

BOOST_AUTO_TEST_CASE(both_processes_go_on_posting_after_they_ran_before)
{
    asio::post(context, [] {});
    context.run();
    context.restart();
    const auto run = [&]
    {
        int calls = 0;
        asio::post(context,
            [&]
            {
                ++calls;
                asio::post(context, [&] { ++calls; });
            });
        return context.run() == 2 && calls == 2 ? 0 : 1;
    };
    BOOST_TEST(in_child(context, run) == 0);
    BOOST_TEST(run() == 0);
}

BOOST_AUTO_TEST_CASE(both_processes_keep_their_pending_timer)
{
    asio::steady_timer timer(context, 1ms);
    bool fired = false;
    timer.async_wait([&](error_code ec) { fired = !ec; });
    const auto run = [&]
    {
        return context.run() == 1 && fired ? 0 : 1;
    };
    BOOST_TEST(in_child(context, run) == 0);
    BOOST_TEST(run() == 0);
}

BOOST_AUTO_TEST_CASE(both_processes_can_start_new_timers)
{
    asio::steady_timer timer(context, 0s);
    timer.async_wait([](error_code) {});
    context.run();
    context.restart();
    const auto run = [&]
    {
        int fired = 0;
        timer.expires_after(1ms);
        timer.async_wait([&](error_code ec) { fired += ec ? 0 : 1; });
        asio::steady_timer other(context, 2ms);
        other.async_wait([&](error_code ec) { fired += ec ? 0 : 1; });
        return context.run() == 2 && fired == 2 ? 0 : 1;
    };
    BOOST_TEST(in_child(context, run) == 0);
    BOOST_TEST(run() == 0);
}

BOOST_AUTO_TEST_CASE(the_child_can_use_sockets_it_inherited)
{
    auto [near, far] = test::local_pair(context);
    const auto run = [&]
    {
        std::array<char, 4> buffer{};
        int done = 0;
        asio::async_read(near, asio::buffer(buffer),
            [&](error_code ec, std::size_t n) { done += !ec && n == 4 ? 1 : 0; });
        asio::post(context,
            [&]
            {
                asio::async_write(far, asio::buffer("ping", 4),
                    [&](error_code ec, std::size_t) { done += ec ? 0 : 1; });
            });
        context.run();
        context.restart();
        return done == 2 && std::string(buffer.data(), 4) == "ping" ? 0 : 1;
    };
    BOOST_TEST(in_child(context, run) == 0);
    BOOST_TEST(run() == 0);
}

BOOST_AUTO_TEST_CASE(a_read_that_is_pending_at_the_fork_completes_in_the_child)
{
    auto [near, far] = test::local_pair(context);
    std::array<char, 4> buffer{};
    std::size_t received = 0;
    asio::async_read(
        near, asio::buffer(buffer), [&](error_code ec, std::size_t n) { received = ec ? 99 : n; });
    context.poll();
    const auto run = [&]
    {
        asio::post(context, [&] { asio::write(far, asio::buffer("ping", 4)); });
        context.run();
        return received == 4 ? 0 : 1;
    };
    BOOST_TEST(in_child(context, run) == 0);
    BOOST_TEST(run() == 0);
}

BOOST_AUTO_TEST_CASE(a_child_forked_from_a_handler_goes_on_alone)
{
    auto [near, far] = test::local_pair(context);
    int code = -1;
    asio::post(context,
        [&]
        {
            code = in_child(context,
                [&]
                {
                    std::array<char, 4> buffer{};
                    std::size_t received = 0;
                    asio::async_read(near, asio::buffer(buffer),
                        [&](error_code ec, std::size_t n) { received = ec ? 99 : n; });
                    asio::write(far, asio::buffer("ping", 4));
                    while (received == 0)
                        context.run_one();
                    return received == 4 ? 0 : 1;
                });
        });
    context.run();
    BOOST_TEST(code == 0);
}

BOOST_AUTO_TEST_CASE(the_child_receives_its_own_signals)
{
    asio::signal_set signals(context, SIGUSR1);
    int received = 0;
    signals.async_wait([&](error_code ec, int number) { received = ec ? -1 : number; });
    const auto run = [&]
    {
        asio::post(context, [] { std::raise(SIGUSR1); });
        context.run();
        return received == SIGUSR1 ? 0 : 1;
    };
    BOOST_TEST(in_child(context, run) == 0);
    BOOST_TEST(received == 0);
    BOOST_TEST(run() == 0);
}

BOOST_AUTO_TEST_CASE(children_of_children_work_too)
{
    asio::steady_timer timer(context, 0s);
    const std::function<int(int)> descend = [&](int depth) -> int
    {
        timer.expires_after(1ms);
        bool fired = false;
        timer.async_wait([&](error_code ec) { fired = !ec; });
        context.run();
        context.restart();
        if (!fired)
            return 1;
        return depth == 0 ? 0 : in_child(context, [&] { return descend(depth - 1); });
    };
    BOOST_TEST(descend(3) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
