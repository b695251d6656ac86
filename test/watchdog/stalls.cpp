// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Handlers that do not return are reported while they run, with their stack; others are not.

#include "watchdog/fixture.hpp"

#include <weft/run_blocking.hpp>

#include <condition_variable>
#include <csignal>
#include <future>

namespace
{

using namespace test;

// Five ways to be stuck until the gate is open. Not inlined, and not left before they return.

[[gnu::noinline]] void computes_in_vain(gate& g)
{
    g.entered.count_down();
    while (!g.is_open())
        asm volatile("");
    asm volatile("");
}

[[gnu::noinline]] void waits_for_mutex(gate& g)
{
    g.entered.count_down();
    // Of the thread of the test, until that opens the gate.
    std::lock_guard<std::mutex> const lock(g.mutex);
    asm volatile("");
}

[[gnu::noinline]] void sleeps_in_handler(gate& g)
{
    g.entered.count_down();
    while (!g.is_open())
        std::this_thread::sleep_for(1ms);
    asm volatile("");
}

[[gnu::noinline]] void waits_for_future(gate& g)
{
    auto opened = g.opened();
    g.entered.count_down();
    opened.get();
    asm volatile("");
}

[[gnu::noinline]] void waits_for_condition(gate& g)
{
    std::unique_lock<std::mutex> lock(g.mutex);
    g.entered.count_down();
    g.changed.wait(lock, [&] { return g.is_open(); });
    asm volatile("");
}

/// A context whose only thread is in a handler until the gate opens, and has been looked at there.
struct stuck_context
{
    explicit stuck_context(void (&handler)(gate&), weft::watchdog_options options = {},
        unsigned reports_per_minute = 100000)
        : d(std::move(options), reports_per_minute)
    {
        d.list->add(context);
        asio::post(context, [this, &handler] { handler(g); });
        runner.add([this] { context.run(); });
        g.entered.wait();
        (void)d.look();
    }

    gate g;
    dog d;
    weft::io_context context;
    test::thread_group runner;
};

/// Looks until the report of the only stall has a stack.
weft::watchdog_report with_stack(dog& d)
{
    for (auto later = 100ms;; later *= 2)
    {
        auto const found = d.look(later);
        BOOST_TEST_REQUIRE(found.size() == 1u);
        BOOST_TEST_REQUIRE(found[0].threads.size() == 1u);
        // A busy machine may let the thread wait for a core.
        if (stacks_come_late || !found[0].threads[0].stack.empty())
            return found[0];
        if (later > 24h)
            later = 100ms;
    }
}

struct stuck
{
    void (*how)(gate&);
    char const* function;
    bool holds_mutex;
};

} // namespace

BOOST_AUTO_TEST_SUITE(watchdog_stalls)

BOOST_AUTO_TEST_CASE(each_way_to_be_stuck_is_reported_with_its_stack)
{
    for (stuck const& s : {stuck{&computes_in_vain, "computes_in_vain", false},
             stuck{&waits_for_mutex, "waits_for_mutex", true},
             stuck{&sleeps_in_handler, "sleeps_in_handler", false},
             stuck{&waits_for_future, "waits_for_future", false},
             stuck{&waits_for_condition, "waits_for_condition", false}})
    {
        BOOST_TEST_CONTEXT(s.function)
        {
            gate g;
            dog d;
            weft::io_context context;
            d.list->add(context);
            std::unique_lock<std::mutex> lock(g.mutex, std::defer_lock);
            if (s.holds_mutex)
                lock.lock();
            asio::post(context, [&] { s.how(g); });
            test::thread_group runner(1, [&] { context.run(); });
            g.entered.wait();

            // First seen, and not for long yet.
            BOOST_TEST(d.look().empty());
            BOOST_TEST(d.look(99ms).empty());
            auto const r = with_stack(d);
            BOOST_TEST((r.what == kind::stall));
            BOOST_TEST(r.context == &context);
            BOOST_TEST(r.context_class == "weft::io_context");
            auto const& t = r.threads[0];
            BOOST_TEST(t.worker == 0u);
            BOOST_TEST(t.wall.count() >= 100'000'000);
            if (!stacks_come_late)
            {
                BOOST_TEST(has(t, s.function), r.text());
                BOOST_TEST((has(t.handler, "post_op<") || has(t.handler, s.function)), r.text());
            }
            BOOST_TEST(has(r.text(), "a handler does not return"), r.text());

            if (lock.owns_lock())
                lock.unlock();
            g.open();
        }
    }
}

BOOST_AUTO_TEST_CASE(a_stall_that_lasts_is_reported_again_when_it_has_lasted_twice_as_long)
{
    stuck_context s(sleeps_in_handler);
    std::vector<int> reported;
    for (int t = 25; t <= 1700; t += 25)
        if (!s.d.look(25ms).empty())
            reported.push_back(t);
    BOOST_TEST(
        reported == (std::vector<int>{100, 200, 400, 800, 1600}), boost::test_tools::per_element());
    s.g.open();
}

// A look a moment before that would be too late by a turn.
BOOST_AUTO_TEST_CASE(who_looks_is_told_when_a_report_is_due)
{
    constexpr auto never = std::chrono::steady_clock::time_point::max();
    // The first look is the fixture's.
    stuck_context s(sleeps_in_handler);
    auto const first = s.d.now;
    BOOST_TEST((s.d.list->period() == 20ms));
    BOOST_TEST((s.d.list->next_due() == never));
    BOOST_TEST(s.d.look(20ms).empty());
    BOOST_TEST((s.d.list->next_due() == first + 100ms));
    BOOST_TEST(s.d.look(79ms).empty());
    BOOST_TEST((s.d.list->next_due() == first + 100ms));
    BOOST_TEST(s.d.look(1ms).size() == 1u);
    BOOST_TEST((s.d.list->next_due() == first + 200ms));
    s.g.open();
    await_sleep(s.context, 0);
    BOOST_TEST(s.d.look(20ms).empty());
    BOOST_TEST((s.d.list->next_due() == never));
}

BOOST_AUTO_TEST_CASE(the_next_handler_begins_anew)
{
    gate first;
    gate second;
    dog d;
    weft::io_context context;
    d.list->add(context);
    asio::post(context, [&] { sleeps_in_handler(first); });
    asio::post(context, [&] { sleeps_in_handler(second); });
    test::thread_group runner(1, [&] { context.run(); });
    first.entered.wait();
    (void)d.look();
    BOOST_TEST(d.look(99ms).empty());
    first.open();
    second.entered.wait();
    BOOST_TEST(d.look(99ms).empty());
    BOOST_TEST(d.look(99ms).empty());
    BOOST_TEST(d.look(1ms).size() == 1u);
    second.open();
}

BOOST_AUTO_TEST_CASE(reports_are_limited_and_those_left_out_are_counted)
{
    stuck_context s(sleeps_in_handler, {}, 2);
    std::vector<std::size_t> left_out;
    for (int i = 0; i != 7; ++i)
        for (auto const& r : s.d.look(100ms * (1 << i)))
            left_out.push_back(r.left_out);
    // After 0.1 and 0.3 s; and 102.3 s later than the first.
    for (auto const& r : s.d.look(90s))
    {
        left_out.push_back(r.left_out);
        BOOST_TEST(has(r.text(), " reports were left out"), r.text());
    }
    BOOST_TEST(left_out == (std::vector<std::size_t>{0, 0, 5}), boost::test_tools::per_element());
    s.g.open();
}

// As by 10^6 handlers each of which takes up to nearly the whole threshold.
BOOST_AUTO_TEST_CASE(handlers_that_return_are_not_reported)
{
    constexpr int handlers = 1'000'000;
    constexpr int looks = 1000;
    dog d;
    weft::io_context context;
    d.list->add(context);
    std::size_t reported = 0;
    int left = handlers;
    std::function<void()> step = [&]
    {
        // From within, so that no handler is looked at twice.
        if (left % (handlers / looks) == 0)
            reported += d.look(99ms).size();
        if (--left != 0)
            asio::post(context, step);
    };
    asio::post(context, step);
    context.run();
    BOOST_TEST(reported == 0u);
    BOOST_TEST(left == 0);
}

BOOST_AUTO_TEST_CASE(a_stall_while_an_exception_unwinds_the_stack)
{
    struct stuck_in_destructor
    {
        gate& g;
        ~stuck_in_destructor()
        {
            computes_in_vain(g);
        }
    };
    gate g;
    dog d;
    weft::io_context context;
    d.list->add(context);
    asio::post(context,
        [&]
        {
            stuck_in_destructor const last{g};
            throw std::runtime_error("unwinds");
        });
    std::string what;
    test::thread_group runner(1,
        [&]
        {
            try
            {
                context.run();
            }
            catch (std::runtime_error const& e)
            {
                what = e.what();
            }
        });
    g.entered.wait();
    (void)d.look();
    auto const r = with_stack(d);
    if (!stacks_come_late)
        BOOST_TEST(has(r.threads[0], "computes_in_vain"), r.text());
    g.open();
    runner.join();
    BOOST_TEST(what == "unwinds");
}

// Many signals, wherever the thread is in throwing, unwinding and catching.
BOOST_AUTO_TEST_CASE(stacks_are_read_while_exceptions_are_thrown)
{
    dog d;
    weft::io_context context;
    d.list->add(context);
    std::atomic<bool> done = false;
    std::latch entered(1);
    asio::post(context,
        [&]
        {
            entered.count_down();
            while (!done)
                try
                {
                    throw std::runtime_error("again");
                }
                catch (std::runtime_error const&)
                {
                }
        });
    test::thread_group runner(1, [&] { context.run(); });
    entered.wait();
    (void)d.look();
    std::size_t stacks = 0;
    auto later = 100ms;
    for (int i = 0; i != 20; ++i, later *= 2)
        for (auto const& r : d.look(later))
            stacks += !r.threads[0].stack.empty();
    BOOST_TEST((stacks_come_late || stacks != 0));
    done = true;
}

BOOST_AUTO_TEST_CASE(who_sleeps_or_blocks_by_run_blocking_is_not_stuck)
{
    gate g;
    dog d;
    weft::options options;
    options.threads = 2;
    weft::thread_pool pool(options);
    d.list->add(pool);
    asio::post(pool, [&] { weft::run_blocking([&] { sleeps_in_handler(g); }); });
    g.entered.wait();
    // A spare thread stands in for the one that blocks.
    await_sleep(pool, 2);
    for (int i = 0; i != 10; ++i)
    {
        await_all_asleep(pool);
        BOOST_TEST(d.look(1h).empty());
    }
    g.open();
    pool.join();
    BOOST_TEST(d.look(1h).empty());
}

// A thread that calls poll() again and again is seen awake, and in no handler.
BOOST_AUTO_TEST_CASE(who_polls_is_not_stuck)
{
    dog d;
    weft::io_context context;
    d.list->add(context);
    auto const guard = asio::make_work_guard(context);
    std::atomic<bool> done = false;
    std::atomic<unsigned> polled = 0;
    test::thread_group runner(1,
        [&]
        {
            while (!done)
            {
                context.poll();
                ++polled;
            }
        });
    for (int i = 0; i != 100; ++i)
    {
        unsigned const before = polled;
        while (polled - before < 2)
            std::this_thread::yield();
        BOOST_TEST(d.look(1h).empty());
    }
    done = true;
}

BOOST_AUTO_TEST_CASE(all_threads_of_a_pool_are_blocked)
{
    gate gates[2];
    dog d;
    weft::options options;
    options.threads = 2;
    options.thread_name = "all";
    weft::thread_pool pool(options);
    d.list->add(pool);
    asio::post(pool, [&] { sleeps_in_handler(gates[0]); });
    gates[0].entered.wait();
    await_sleep(pool, 2, 1);
    (void)d.look();
    auto found = d.look(100ms);
    BOOST_TEST_REQUIRE(found.size() == 1u);
    BOOST_TEST((found[0].what == kind::stall));

    asio::post(pool, [&] { waits_for_condition(gates[1]); });
    gates[1].entered.wait();
    asio::post(pool, [] {});
    BOOST_TEST(d.look(50ms).empty());
    found = d.look(100ms);
    BOOST_TEST_REQUIRE(found.size() == 1u);
    auto const& r = found[0];
    BOOST_TEST((r.what == kind::all_blocked));
    BOOST_TEST(r.context_class == "weft::thread_pool");
    BOOST_TEST(r.threads.size() == 2u);
    for (auto const& t : r.threads)
        BOOST_TEST(has(t.thread_name, "all-"), t.thread_name);
    BOOST_TEST(has(r.dump, "weft::thread_pool at "), r.dump);
    BOOST_TEST(has(r.text(), "all threads are stuck"), r.text());
    for (gate& g : gates)
        g.open();
    pool.join();
}

BOOST_AUTO_TEST_CASE(a_thread_that_blocks_the_signal_has_no_stack)
{
    gate g;
    dog d;
    weft::io_context context;
    d.list->add(context);
    asio::post(context,
        [&]
        {
            sigset_t all;
            sigfillset(&all);
            pthread_sigmask(SIG_SETMASK, &all, nullptr);
            sleeps_in_handler(g);
        });
    test::thread_group runner(1, [&] { context.run(); });
    g.entered.wait();
    (void)d.look();
    auto const found = d.look(100ms);
    BOOST_TEST_REQUIRE(found.size() == 1u);
    BOOST_TEST(found[0].threads[0].stack.empty());
    BOOST_TEST(has(found[0].text(), "no stack"));
    g.open();
}

BOOST_AUTO_TEST_CASE(without_stacks_no_signal_is_sent)
{
    weft::watchdog_options options;
    options.stacks = false;
    stuck_context s(sleeps_in_handler, options);
    auto const found = s.d.look(100ms);
    BOOST_TEST_REQUIRE(found.size() == 1u);
    BOOST_TEST(found[0].threads[0].stack.empty());
    s.g.open();
}

BOOST_AUTO_TEST_CASE(the_longest_time_is_never_over)
{
    weft::watchdog_options options;
    options.stall = std::chrono::milliseconds::max();
    dog d(options);
    BOOST_TEST(d.list->period().count() > 0);
    gate g;
    weft::io_context context;
    d.list->add(context);
    asio::post(context, [&] { waits_for_future(g); });
    test::thread_group runner(1, [&] { context.run(); });
    g.entered.wait();
    for (int i = 0; i != 24; ++i)
        BOOST_TEST(d.look(1h).empty());
    g.open();
}

BOOST_AUTO_TEST_CASE(options_out_of_range_and_signals_of_others_are_refused)
{
    auto const refused = [](auto change)
    {
        weft::watchdog_options options;
        change(options);
        BOOST_CHECK_THROW(weft::watchdog{options}, std::invalid_argument);
    };
    refused([](auto& o) { o.stall = 0ms; });
    refused([](auto& o) { o.reports_per_minute = 0; });
    refused([](auto& o) { o.deadlock_after = -1s; });
    refused([](auto& o) { o.signal = 12345; });
    refused([](auto& o) { o.signal = SIGKILL; });
    std::signal(SIGRTMIN + 3, [](int) {});
    refused([](auto& o) { o.signal = SIGRTMIN + 3; });
    std::signal(SIGRTMIN + 3, SIG_DFL);
    weft::watchdog_options another;
    another.signal = SIGRTMIN + 3;
    weft::watchdog const first(another);
    weft::watchdog const second(another);
}

BOOST_AUTO_TEST_SUITE_END()
