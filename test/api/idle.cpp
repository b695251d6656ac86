// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A context without work costs nothing: its threads sleep and are not woken by anything.

#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>
#include <weft/trace.hpp>

#include "api/process.hpp"
#include "support/cases.hpp"
#include "support/sanitized.hpp"
#include "support/sleeps.hpp"

#include <map>

#include <sys/syscall.h>
#include <unistd.h>

namespace
{

// How long an idle context is watched. Nothing is waited for: a longer time only finds more.
constexpr std::chrono::milliseconds observation(200);

// Of all threads but this one. Nothing under sanitizers, which have threads that never rest.
std::map<std::string, unsigned long> switches_of_others()
{
#if WEFT_TEST_SANITIZED
    return {};
#else
    auto switches = test::voluntary_switches();
    switches.erase(std::to_string(::syscall(SYS_gettid)));
    return switches;
#endif
}

// Everything that changes if a worker does something, or a thread of the process but this one gives
// up its core.
template <class Context>
auto activity(const Context& context)
{
    const weft::worker_stats total = context.stats().total;
    return std::make_pair(
        switches_of_others(), std::array<std::uint64_t, 5>{total.parks, total.wakes,
                                  total.empty_wakes, total.reactor_polls, total.handlers});
}

// Whoever is on its way to sleep gets there: at some time nothing happens for as long as the
// observation.
template <class Context>
void check_asleep(const Context& context)
{
    for (int i = 0; i != 50; ++i)
    {
        const auto before = activity(context);
        std::this_thread::sleep_for(observation);
        if (activity(context) == before)
            return;
    }
    BOOST_ERROR("somebody is busy, or wakes up all the time");
}

} // namespace

BOOST_AUTO_TEST_SUITE(idle)

BOOST_AUTO_TEST_CASE(idle_workers_of_a_context_without_io_sleep)
{
    for (std::size_t threads : {1u, 3u})
    {
        weft::io_context context;
        auto guard = asio::make_work_guard(context);
        test::thread_group runners(threads, [&] { context.run(); });
        test::await_sleep(context, threads);
        check_asleep(context);
        guard.reset();
    }
}

BOOST_AUTO_TEST_CASE(idle_workers_of_a_context_with_io_pending_sleep)
{
    for (std::size_t threads : {1u, 3u})
    {
        weft::io_context context;
        asio::steady_timer timer(context, std::chrono::hours(1));
        asio::ip::udp::socket socket(context, {asio::ip::address_v4::loopback(), 0});
        std::array<char, 16> buffer{};
        timer.async_wait([](error_code) {});
        socket.async_receive(asio::buffer(buffer), [](error_code, std::size_t) {});
        test::thread_group runners(threads, [&] { context.run(); });
        test::await_sleep(context, threads);
        check_asleep(context);
        context.stop();
    }
}

BOOST_AUTO_TEST_CASE(idle_workers_of_a_pool_sleep_before_and_after_work)
{
    weft::thread_pool pool(3);
    test::await_sleep(pool, 3);
    check_asleep(pool);
    for (int i = 0; i != 1000; ++i)
        asio::post(pool, [] {});
    check_asleep(pool);
    pool.join();
    BOOST_TEST(pool.stats().total.handlers == 1000u);
}

// The monitor that watches LIFO slots must go to sleep for good when none is in use.
BOOST_AUTO_TEST_CASE(idle_workers_sleep_after_continuations_were_used)
{
    weft::thread_pool pool(2);
    for (int i = 0; i != 100; ++i)
        asio::post(pool, [&] { asio::defer(pool, [&] { asio::defer(pool, [] {}); }); });
    test::await_sleep(pool, 2);
    check_asleep(pool);
    pool.join();
}

// Where nobody takes slots now and then, nobody wakes for it, whatever others do meanwhile.
BOOST_AUTO_TEST_CASE(idle_workers_beside_a_busy_one_sleep_without_a_monitor)
{
    weft::options off;
    off.lifo_stealing = weft::lifo_stealing::off;
    weft::options eager;
    eager.lifo_stealing = weft::lifo_stealing::eager;
    weft::options without_slots;
    without_slots.lifo_limit = 0;
    for (weft::options options : {off, eager, without_slots})
    {
        options.threads = 2;
        weft::thread_pool pool(options);
        std::latch begun(1);
        std::latch ended(1);
        asio::post(pool,
            [&]
            {
                begun.count_down();
                ended.wait();
            });
        begun.wait();
        // The other one wakes and goes to sleep again, in the reactor.
        asio::post(pool, asio::use_future).get();
        check_asleep(pool);
        ended.count_down();
        pool.join();
    }
}

// The kernel wakes the thread in the reactor, which runs the handler, while the other one watches
// the reactor in its sleep. That one is woken if it went to sleep just when the first looked into
// the reactor between two turns, and nobody was left to wait there: not every time.
BOOST_AUTO_TEST_CASE(an_event_wakes_one_thread_of_an_idle_context)
{
    weft::io_context context;
    asio::ip::udp::socket socket(context, {asio::ip::address_v4::loopback(), 0});
    std::array<char, 16> buffer{};
    asio::io_context outside;
    asio::ip::udp::socket sender(outside, asio::ip::udp::v4());
    auto guard = asio::make_work_guard(context);
    test::thread_group runners(2, [&] { context.run(); });
    test::await_sleep(context, 2);

    bool none = false;
    for (int i = 0; i != 50 && !none; ++i)
    {
        socket.async_receive(asio::buffer(buffer), [](error_code, std::size_t) {});
        check_asleep(context);
        auto const before = context.stats().total;
        sender.send_to(asio::buffer("hello", 5), socket.local_endpoint());
        while (context.stats().total.handlers == before.handlers)
            std::this_thread::yield();
        check_asleep(context);
        auto const after = context.stats().total;
        none = after.wakes == before.wakes && after.parks == before.parks + 1;
    }
    BOOST_TEST(none);
    guard.reset();
}

BOOST_AUTO_TEST_CASE(whoever_looks_inside_wakes_nobody)
{
    weft::options o;
    o.timing = weft::timing::all;
    weft::io_context context(o);
    weft::trace::start(context);
    auto guard = asio::make_work_guard(context);
    test::thread_group runners(2, [&] { context.run(); });
    asio::post(context, [] {});
    test::await_sleep(context, 2);
    check_asleep(context);
    guard.reset();
}

BOOST_AUTO_TEST_SUITE_END()
