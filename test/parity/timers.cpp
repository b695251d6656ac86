// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include <random>

namespace
{

using namespace std::chrono_literals;

// Over any_io_executor, or (typed_timers.cpp) over the context's own.
#if defined(WEFT_PARITY_TYPED_TIMERS)
using steady_timer = asio::steady_timer::rebind_executor<io_context::executor_type>::other;
#else
using asio::steady_timer;
#endif

} // namespace

BOOST_FIXTURE_TEST_SUITE(timers, test::with_context)

BOOST_AUTO_TEST_CASE(a_timer_completes_once_and_not_before_its_time)
{
    steady_timer timer(context, 3ms);
    const auto due = timer.expiry();
    int calls = 0;
    timer.async_wait(
        [&](error_code ec)
        {
            ++calls;
            BOOST_TEST(!ec);
            BOOST_TEST((steady_timer::clock_type::now() >= due));
        });
    BOOST_TEST(calls == 0);
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(timers_of_every_clock_complete)
{
    steady_timer steady(context, 1ms);
    asio::system_timer system(context, 1ms);
    asio::high_resolution_timer high(context, 1ms);
    int calls = 0;
    steady.async_wait([&](error_code ec) { calls += ec ? 100 : 1; });
    system.async_wait([&](error_code ec) { calls += ec ? 100 : 1; });
    high.async_wait([&](error_code ec) { calls += ec ? 100 : 1; });
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST(calls == 3);
}

WEFT_TEST_CASE_WITH_HINTS(timers_complete_in_the_order_of_their_expiry)
{
    constexpr int count = 200;
    const auto now = steady_timer::clock_type::now();
    std::vector<int> delays(count);
    for (int i = 0; i != count; ++i)
        delays[static_cast<std::size_t>(i)] = i;
    std::shuffle(delays.begin(), delays.end(), std::mt19937(1));
    std::vector<std::unique_ptr<steady_timer>> timers;
    std::vector<int> order;
    for (int delay : delays)
    {
        timers.push_back(
            std::make_unique<steady_timer>(context, now + std::chrono::microseconds(20 * delay)));
        timers.back()->async_wait([&order, delay](error_code) { order.push_back(delay); });
    }
    BOOST_TEST(context.run() == static_cast<std::size_t>(count));
    BOOST_TEST(order.size() == static_cast<std::size_t>(count));
    BOOST_TEST(std::is_sorted(order.begin(), order.end()));
}

BOOST_AUTO_TEST_CASE(waits_on_one_timer_complete_in_the_order_they_began)
{
    steady_timer timer(context, 1ms);
    std::vector<int> order;
    for (int i = 0; i != 10; ++i)
        timer.async_wait([&order, i](error_code) { order.push_back(i); });
    BOOST_TEST(context.run() == 10u);
    BOOST_TEST(std::is_sorted(order.begin(), order.end()));
    BOOST_TEST(order.size() == 10u);
}

BOOST_AUTO_TEST_CASE(a_timer_that_has_expired_still_completes_asynchronously)
{
    for (auto expiry : {steady_timer::time_point::min(), steady_timer::clock_type::now() - 1h,
             steady_timer::clock_type::now()})
    {
        steady_timer timer(context, expiry);
        bool fired = false;
        timer.async_wait([&](error_code ec) { fired = !ec; });
        BOOST_TEST(!fired);
        BOOST_TEST(context.run() == 1u);
        BOOST_TEST(fired);
        context.restart();
    }
}

BOOST_AUTO_TEST_CASE(a_wait_inside_a_handler_for_an_expired_timer_is_not_inline)
{
    steady_timer timer(context, steady_timer::time_point::min());
    bool fired = false;
    asio::post(context,
        [&]
        {
            timer.async_wait([&](error_code) { fired = true; });
            BOOST_TEST(!fired);
        });
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST(fired);
}

BOOST_AUTO_TEST_CASE(cancel_completes_every_wait_with_operation_aborted)
{
    steady_timer timer(context, 1h);
    int aborted = 0;
    for (int i = 0; i != 5; ++i)
        timer.async_wait(
            [&](error_code ec) { aborted += ec == asio::error::operation_aborted ? 1 : 0; });
    BOOST_TEST(timer.cancel() == 5u);
    BOOST_TEST(aborted == 0);
    BOOST_TEST(context.run() == 5u);
    BOOST_TEST(aborted == 5);
    BOOST_TEST(timer.cancel() == 0u);
}

BOOST_AUTO_TEST_CASE(cancel_one_completes_the_oldest_wait)
{
    steady_timer timer(context, 1h);
    std::vector<int> aborted;
    for (int i = 0; i != 3; ++i)
        timer.async_wait([&aborted, i](error_code) { aborted.push_back(i); });
    BOOST_TEST(timer.cancel_one() == 1u);
    BOOST_TEST(context.poll() == 1u);
    BOOST_TEST(aborted == std::vector<int>{0}, boost::test_tools::per_element());
    BOOST_TEST(timer.cancel() == 2u);
    BOOST_TEST(context.run() == 2u);
}

BOOST_AUTO_TEST_CASE(setting_a_new_expiry_cancels_the_waits_for_the_old_one)
{
    steady_timer timer(context, 1h);
    std::vector<error_code> results;
    timer.async_wait([&](error_code ec) { results.push_back(ec); });
    BOOST_TEST(timer.expires_after(0s) == 1u);
    timer.async_wait([&](error_code ec) { results.push_back(ec); });
    BOOST_TEST(timer.expires_at(steady_timer::clock_type::now()) == 1u);
    timer.async_wait([&](error_code ec) { results.push_back(ec); });
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST_REQUIRE(results.size() == 3u);
    BOOST_TEST(results[0] == asio::error::operation_aborted);
    BOOST_TEST(results[1] == asio::error::operation_aborted);
    BOOST_TEST(!results[2]);
}

BOOST_AUTO_TEST_CASE(a_timer_that_was_late_to_be_cancelled_completes_without_error)
{
    steady_timer timer(context, 0s);
    error_code result = asio::error::would_block;
    timer.async_wait([&](error_code ec) { result = ec; });
    context.run();
    BOOST_TEST(timer.cancel() == 0u);
    BOOST_TEST(!result);
}

WEFT_TEST_CASE_WITH_HINTS(a_timer_can_be_re_armed_in_its_own_handler)
{
    steady_timer timer(context, 0s);
    int calls = 0;
    std::function<void(error_code)> tick = [&](error_code)
    {
        if (++calls == 1000)
            return;
        timer.expires_after(calls % 100 == 0 ? 1ms : 0ms);
        timer.async_wait(tick);
    };
    timer.async_wait(tick);
    BOOST_TEST(context.run() == 1000u);
    BOOST_TEST(calls == 1000);
}

BOOST_AUTO_TEST_CASE(an_earlier_timer_started_later_is_not_held_up_by_a_distant_one)
{
    steady_timer distant(context, 1h);
    distant.async_wait([](error_code) {});
    std::optional<steady_timer> near;
    bool fired = false;
    asio::post(context,
        [&]
        {
            near.emplace(context, 1ms);
            near->async_wait(
                [&](error_code)
                {
                    fired = true;
                    distant.cancel();
                });
        });
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST(fired);
}

BOOST_AUTO_TEST_CASE(a_timer_started_by_another_thread_interrupts_the_wait)
{
    steady_timer distant(context, 1h);
    distant.async_wait([](error_code) {});
    test::thread_group runner(1, [&] { context.run(); });
    for (int i = 0; i != 20; ++i)
    {
        steady_timer near(context, 1ms);
        std::atomic<bool> fired = false;
        near.async_wait(
            [&](error_code)
            {
                fired = true;
                fired.notify_one();
            });
        fired.wait(false);
    }
    asio::post(context, [&] { distant.cancel(); });
    runner.join();
}

BOOST_AUTO_TEST_CASE(the_end_of_a_timer_cancels_its_waits)
{
    error_code result;
    {
        steady_timer timer(context, 1h);
        timer.async_wait([&](error_code ec) { result = ec; });
    }
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(result == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(a_moved_timer_takes_its_waits_along)
{
    steady_timer first(context, 1h);
    error_code result;
    first.async_wait([&](error_code ec) { result = ec; });
    steady_timer second(std::move(first));
    BOOST_TEST(second.cancel() == 1u);
    context.run();
    BOOST_TEST(result == asio::error::operation_aborted);

    context.restart();
    steady_timer third(context);
    second.expires_after(1ms);
    second.async_wait([&](error_code ec) { result = ec; });
    third = std::move(second);
    context.run();
    BOOST_TEST(!result);
}

BOOST_AUTO_TEST_CASE(a_synchronous_wait_needs_no_run)
{
    steady_timer timer(context, 1ms);
    timer.wait();
    BOOST_TEST((steady_timer::clock_type::now() >= timer.expiry()));
}

BOOST_FIXTURE_TEST_CASE(
    many_timers_complete_exactly_once_on_several_threads, test::context_of_its_own)
{
    for (std::size_t threads : {1u, 2u, 4u})
    {
        io_context context;
        constexpr int count = 3000;
        std::vector<std::unique_ptr<steady_timer>> timers;
        std::vector<std::atomic<int>> calls(count);
        for (int i = 0; i != count; ++i)
        {
            timers.push_back(
                std::make_unique<steady_timer>(context, std::chrono::microseconds(i % 977)));
            timers.back()->async_wait(
                [&calls, i](error_code ec) { calls[static_cast<std::size_t>(i)] += ec ? 100 : 1; });
        }
        BOOST_TEST(test::run_on(context, threads) == static_cast<std::size_t>(count));
        BOOST_TEST(std::all_of(calls.begin(), calls.end(), [](const auto& n) { return n == 1; }));
    }
}

BOOST_AUTO_TEST_CASE(cancel_races_with_expiry_and_every_wait_completes_once)
{
    auto strand = asio::make_strand(context);
    constexpr int count = 1000;
    std::vector<std::unique_ptr<steady_timer>> timers;
    std::vector<int> calls(count, 0);
    for (int i = 0; i != count; ++i)
    {
        timers.push_back(std::make_unique<steady_timer>(context, std::chrono::microseconds(i)));
        timers.back()->async_wait(asio::bind_executor(
            strand, [&calls, i](error_code) { ++calls[static_cast<std::size_t>(i)]; }));
        asio::post(strand, [timer = timers.back().get()] { timer->cancel(); });
    }
    test::run_on(context, 3);
    BOOST_TEST(std::count(calls.begin(), calls.end(), 1) == count);
}

BOOST_AUTO_TEST_SUITE_END()
