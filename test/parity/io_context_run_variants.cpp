// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

namespace
{

using namespace std::chrono_literals;
using stream = asio::local::stream_protocol;

// The five functions that run at most one handler behave alike when one is ready.
const std::function<std::size_t(io_context&)> run_at_most_one[] = {
    [](io_context& c) { return c.run_one(); },
    [](io_context& c) { return c.poll_one(); },
    [](io_context& c) { return c.run_one_for(1h); },
    [](io_context& c) { return c.run_one_until(std::chrono::steady_clock::now() + 1h); },
    [](io_context& c) { return c.run_one_until(std::chrono::system_clock::now() + 1h); },
};

const std::function<std::size_t(io_context&)> run_all[] = {
    [](io_context& c) { return c.run(); },
    [](io_context& c) { return c.poll(); },
    [](io_context& c) { return c.run_for(1h); },
    [](io_context& c) { return c.run_until(std::chrono::steady_clock::now() + 1h); },
    [](io_context& c) { return c.run_until(std::chrono::system_clock::now() + 1h); },
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(io_context_run_variants, test::with_context)

BOOST_FIXTURE_TEST_CASE(
    functions_for_one_handler_run_exactly_one_and_stop_after_the_last, test::context_of_its_own)
{
    for (const auto& run : run_at_most_one)
    {
        io_context context;
        int calls = 0;
        for (int i = 0; i != 3; ++i)
            asio::post(context, [&] { ++calls; });
        BOOST_TEST(run(context) == 1u);
        BOOST_TEST(calls == 1);
        BOOST_TEST(!context.stopped());
        BOOST_TEST(run(context) == 1u);
        BOOST_TEST(calls == 2);
        BOOST_TEST(!context.stopped());
        BOOST_TEST(run(context) == 1u);
        BOOST_TEST(calls == 3);
        BOOST_TEST(context.stopped());
        BOOST_TEST(run(context) == 0u);
    }
}

BOOST_FIXTURE_TEST_CASE(
    functions_for_one_handler_leave_what_it_posts_for_the_next_call, test::context_of_its_own)
{
    for (const auto& run : run_at_most_one)
    {
        io_context context;
        int calls = 0;
        asio::post(context, [&] { asio::post(context, [&] { ++calls; }); });
        BOOST_TEST(run(context) == 1u);
        BOOST_TEST(calls == 0);
        BOOST_TEST(!context.stopped());
        BOOST_TEST(run(context) == 1u);
        BOOST_TEST(calls == 1);
        BOOST_TEST(context.stopped());
    }
}

BOOST_FIXTURE_TEST_CASE(functions_for_all_handlers_run_what_handlers_post, test::context_of_its_own)
{
    for (const auto& run : run_all)
    {
        io_context context;
        int calls = 0;
        std::function<void()> chain = [&]
        {
            if (++calls < 100)
                asio::post(context, chain);
        };
        asio::post(context, chain);
        BOOST_TEST(run(context) == 100u);
        BOOST_TEST(calls == 100);
        BOOST_TEST(context.stopped());
    }
}

BOOST_FIXTURE_TEST_CASE(
    without_work_every_function_returns_zero_and_sets_stopped, test::context_of_its_own)
{
    for (const auto& run : run_at_most_one)
    {
        io_context context;
        BOOST_TEST(run(context) == 0u);
        BOOST_TEST(context.stopped());
    }
    for (const auto& run : run_all)
    {
        io_context context;
        BOOST_TEST(run(context) == 0u);
        BOOST_TEST(context.stopped());
    }
}

BOOST_FIXTURE_TEST_CASE(
    stop_inside_ends_every_function_after_the_current_handler, test::context_of_its_own)
{
    for (const auto& run : run_all)
    {
        io_context context;
        int calls = 0;
        asio::post(context, [&] { context.stop(); });
        asio::post(context, [&] { ++calls; });
        BOOST_TEST(run(context) == 1u);
        BOOST_TEST(calls == 0);
        BOOST_TEST(context.stopped());
        BOOST_TEST(run(context) == 0u);
        context.restart();
        BOOST_TEST(run(context) == 1u);
        BOOST_TEST(calls == 1);
    }
}

BOOST_AUTO_TEST_CASE(poll_with_a_work_guard_returns_zero_and_does_not_stop)
{
    auto guard = asio::make_work_guard(context);
    BOOST_TEST(context.poll() == 0u);
    BOOST_TEST(context.poll_one() == 0u);
    BOOST_TEST(!context.stopped());
    int calls = 0;
    asio::post(context, [&] { ++calls; });
    BOOST_TEST(context.poll() == 1u);
    BOOST_TEST(calls == 1);
    BOOST_TEST(!context.stopped());
    guard.reset();
    BOOST_TEST(context.stopped());
    BOOST_TEST(context.poll() == 0u);
}

BOOST_AUTO_TEST_CASE(run_for_with_a_work_guard_returns_at_the_deadline_and_does_not_stop)
{
    const auto guard = asio::make_work_guard(context);
    int calls = 0;
    asio::post(context, [&] { ++calls; });
    const auto before = std::chrono::steady_clock::now();
    // A loaded machine may let the deadline pass before the first handler is looked at.
    std::size_t ran = 0;
    while (ran == 0)
        ran += context.run_for(5ms);
    BOOST_TEST((std::chrono::steady_clock::now() - before >= 5ms));
    BOOST_TEST(ran == 1u);
    BOOST_TEST(calls == 1);
    BOOST_TEST(!context.stopped());
}

BOOST_AUTO_TEST_CASE(run_one_for_with_nothing_ready_returns_zero_at_the_deadline)
{
    const auto guard = asio::make_work_guard(context);
    const auto before = std::chrono::steady_clock::now();
    BOOST_TEST(context.run_one_for(5ms) == 0u);
    BOOST_TEST((std::chrono::steady_clock::now() - before >= 5ms));
    BOOST_TEST(!context.stopped());
}

BOOST_AUTO_TEST_CASE(deadlines_are_kept_when_only_a_distant_timer_is_pending)
{
    asio::steady_timer timer(context, 1h);
    timer.async_wait([](error_code) {});
    const auto before = std::chrono::steady_clock::now();
    BOOST_TEST(context.run_for(5ms) == 0u);
    BOOST_TEST((std::chrono::steady_clock::now() - before >= 5ms));
    BOOST_TEST(context.run_one_until(before) == 0u);
    BOOST_TEST(!context.stopped());
    timer.cancel();
    BOOST_TEST(context.run() == 1u);
}

BOOST_AUTO_TEST_CASE(a_deadline_that_has_passed_runs_nothing_and_does_not_stop)
{
    int calls = 0;
    asio::post(context, [&] { ++calls; });
    const auto now = std::chrono::steady_clock::now();
    BOOST_TEST(context.run_until(now) == 0u);
    BOOST_TEST(context.run_one_until(now - 1h) == 0u);
    BOOST_TEST(context.run_for(0s) == 0u);
    BOOST_TEST(context.run_one_for(-1s) == 0u);
    BOOST_TEST(calls == 0);
    BOOST_TEST(!context.stopped());
    BOOST_TEST(context.run() == 1u);
}

BOOST_AUTO_TEST_CASE(run_one_for_waits_for_a_timer_that_expires_first)
{
    asio::steady_timer timer(context, 2ms);
    bool fired = false;
    timer.async_wait([&](error_code) { fired = true; });
    BOOST_TEST(context.run_one_for(1h) == 1u);
    BOOST_TEST(fired);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(run_for_is_woken_by_a_post_from_another_thread)
{
    auto guard = asio::make_work_guard(context);
    int calls = 0;
    std::thread other(
        [&]
        {
            asio::post(context,
                [&]
                {
                    ++calls;
                    guard.reset();
                });
        });
    BOOST_TEST(context.run_for(1h) == 1u);
    other.join();
    BOOST_TEST(calls == 1);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(run_one_counts_timer_completions_one_by_one)
{
    asio::steady_timer first(context, 0s);
    asio::steady_timer second(context, 0s);
    int calls = 0;
    first.async_wait([&](error_code) { ++calls; });
    second.async_wait([&](error_code) { ++calls; });
    BOOST_TEST(context.run_one() == 1u);
    BOOST_TEST(calls == 1);
    BOOST_TEST(!context.stopped());
    BOOST_TEST(context.run_one() == 1u);
    BOOST_TEST(calls == 2);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(poll_runs_expired_timers)
{
    asio::steady_timer timer(context);
    timer.expires_at(asio::steady_timer::time_point::min());
    bool fired = false;
    timer.async_wait([&](error_code ec) { fired = !ec; });
    while (!fired)
        BOOST_TEST_REQUIRE(context.poll() <= 1u);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(poll_leaves_pending_operations_pending)
{
    auto [near, far] = test::local_pair(context);
    std::array<char, 4> buffer{};
    std::size_t received = 0;
    near.async_read_some(asio::buffer(buffer), [&](error_code, std::size_t n) { received = n; });
    BOOST_TEST(context.poll() == 0u);
    BOOST_TEST(context.poll_one() == 0u);
    BOOST_TEST(!context.stopped());
    asio::write(far, asio::buffer("abcd", 4));
    BOOST_TEST(context.poll() == 1u);
    BOOST_TEST(received == 4u);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(poll_one_delivers_one_of_two_ready_sockets)
{
    stream::socket near(context);
    stream::socket far(context);
    stream::socket near2(context);
    stream::socket far2(context);
    asio::local::connect_pair(near, far);
    asio::local::connect_pair(near2, far2);
    std::array<char, 4> buffer{};
    std::array<char, 4> buffer2{};
    int calls = 0;
    near.async_read_some(asio::buffer(buffer), [&](error_code, std::size_t) { ++calls; });
    near2.async_read_some(asio::buffer(buffer2), [&](error_code, std::size_t) { ++calls; });
    asio::write(far, asio::buffer("abcd", 4));
    asio::write(far2, asio::buffer("efgh", 4));
    BOOST_TEST(context.poll_one() == 1u);
    BOOST_TEST(calls == 1);
    BOOST_TEST(context.poll_one() == 1u);
    BOOST_TEST(calls == 2);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(run_counts_every_kind_of_completion_once)
{
    auto [near, far] = test::local_pair(context);
    std::array<char, 4> buffer{};
    asio::steady_timer timer(context, 1h);
    int calls = 0;
    timer.async_wait([&](error_code) { ++calls; });
    near.async_read_some(asio::buffer(buffer), [&](error_code, std::size_t) { ++calls; });
    asio::post(context,
        [&]
        {
            ++calls;
            timer.cancel();
            asio::write(far, asio::buffer("abcd", 4));
        });
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(run_functions_can_be_mixed_on_one_context)
{
    int calls = 0;
    for (int i = 0; i != 6; ++i)
        asio::post(context, [&] { ++calls; });
    BOOST_TEST(context.poll_one() == 1u);
    BOOST_TEST(context.run_one() == 1u);
    BOOST_TEST(context.run_one_for(1h) == 1u);
    BOOST_TEST(context.run_for(1h) == 3u);
    BOOST_TEST(calls == 6);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(a_time_that_has_passed_does_not_stop_a_context_without_work)
{
    BOOST_TEST(context.run_for(0s) == 0u);
    BOOST_TEST(context.run_until(std::chrono::steady_clock::now() - 1s) == 0u);
    BOOST_TEST(context.run_one_for(0s) == 0u);
    BOOST_TEST(!context.stopped());
    int calls = 0;
    asio::post(context, [&] { ++calls; });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_SUITE_END()
