// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/standing_aside.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <functional>

namespace
{

using aside_of = weft::detail::standing_aside<test::manual_traits>;
using std::chrono::microseconds;
using weft::detail::trial;

// Two threads are inside: that of `w`, with short handlers, and another one.
struct two_workers : test::manual_scheduler
{
    two_workers() : two_workers(weft::options())
    {
    }

    explicit two_workers(weft::options const& how)
        : test::manual_scheduler(how), w(acquire()), other(acquire())
    {
        for (int i = 0; i != 2; ++i)
            (void)s.sleepers.join(
                [this](std::uint32_t others) { (void)s.runner.thread_joins(others); });
        w.turn.record(100, microseconds(10));
    }

    ~two_workers()
    {
        test::manual_clock::meanwhile = nullptr;
        for (std::uint32_t left = s.sleepers.active(); left != 0; --left)
            (void)s.sleepers.leave([](std::uint32_t) {}, [] { return false; });
    }

    // Time passes, in which the other one runs so many handlers.
    void work(microseconds time, std::uint64_t handlers)
    {
        pass(time);
        other.count.handlers.add(handlers);
    }

    // What the worker does at the end of its turns, after 100 us in which both run so many
    // handlers; `during` is called while it stands aside.
    void try_with(std::uint64_t handlers, std::function<void()> during)
    {
        test::manual_clock::meanwhile = std::move(during);
        w.looked = test::manual_clock::time;
        aside_of::try_after_turn(s, w);
        work(2 * trial::period, handlers);
        w.looked = test::manual_clock::time;
        aside_of::try_after_turn(s, w);
    }

    worker& w;
    worker& other;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(standing_aside, two_workers)

BOOST_AUTO_TEST_CASE(who_stands_aside_keeps_nothing_that_others_wait_for)
{
    for (int i = 0; i != 3; ++i)
        put(w, make(i));
    BOOST_TEST_REQUIRE(!w.lifo.put(make(3)));
    bool stood = false;
    try_with(100,
        [&]
        {
            stood = true;
            BOOST_TEST(w.ring.empty());
            BOOST_TEST(w.lifo.empty());
            BOOST_TEST(s.injected.size() == 4u);
            BOOST_TEST(s.sleepers.searching() == 1u);
            BOOST_TEST(s.sleepers.parked() == 0u);
        });
    BOOST_TEST(stood);
    for (std::size_t i = 0; i != 4; ++i)
        BOOST_TEST(s.injected.pop() == &tasks[i]);
    BOOST_TEST(w.has(worker::searching));
    weft::detail::notifier<test::manual_traits>::end_search(s, w);
    BOOST_TEST(s.sleepers.searching() == 0u);
}

BOOST_AUTO_TEST_CASE(who_is_in_the_way_stands_aside_until_less_is_done)
{
    unsigned rounds = 0;
    auto const more = [&]
    {
        ++rounds;
        other.count.handlers.add(100);
    };
    for (unsigned const expected : {1u, 4u, 16u, 64u, 64u})
    {
        rounds = 0;
        try_with(100, more);
        BOOST_TEST(rounds == expected);
    }
    rounds = 0;
    try_with(100, [&] { other.count.handlers.add(++rounds == 10 ? 10 : 100); });
    BOOST_TEST(rounds == 10u);
    BOOST_TEST(w.count.stood_aside.value() == 6u);
}

BOOST_AUTO_TEST_CASE(who_is_of_use_is_back_after_a_moment)
{
    unsigned rounds = 0;
    try_with(200,
        [&]
        {
            ++rounds;
            other.count.handlers.add(100);
        });
    BOOST_TEST(rounds == 1u);
    // And not again at once.
    aside_of::try_after_turn(s, w);
    BOOST_TEST(!w.aside.begun());
}

BOOST_AUTO_TEST_CASE(who_has_nothing_left_stands_aside_too)
{
    w.count.handlers.add(1);
    BOOST_TEST(aside_of::try_when_idle(s, w));
    BOOST_TEST(w.aside.begun());
    work(2 * trial::period, 100);
    w.count.handlers.add(1);
    unsigned rounds = 0;
    test::manual_clock::meanwhile = [&]
    {
        ++rounds;
        other.count.handlers.add(100);
    };
    BOOST_TEST(aside_of::try_when_idle(s, w));
    BOOST_TEST(rounds == 1u);
}

BOOST_AUTO_TEST_CASE(who_stands_aside_sees_that_the_scheduler_is_stopped)
{
    unsigned rounds = 0;
    for (int i = 0; i != 4; ++i)
        try_with(100, [&] { other.count.handlers.add(1000); });
    try_with(100,
        [&]
        {
            other.count.handlers.add(1000);
            if (++rounds == 3)
                s.stop();
        });
    BOOST_TEST(rounds == 3u);
}

// A third thread comes, and sleeps in the reactor until something happens there.
BOOST_AUTO_TEST_CASE(who_goes_to_sleep_calls_it_back)
{
    bool called_back = false;
    test::task* const event = make(1,
        [&]
        {
            called_back = !w.stands_aside.load(std::memory_order_relaxed);
            s.work_finished();
        });
    s.work_started();
    s.submit(make(0, [&] { BOOST_TEST(w.stands_aside.load(std::memory_order_relaxed)); }));
    driver.on_wait = [&]
    {
        if (driver.waits.back() != 0 && ran.size() == 1)
            driver.events.emplace_back(event, 1u);
    };
    try_with(100, [&] { (void)run(2); });
    BOOST_TEST(ran.size() == 2u);
    BOOST_TEST(called_back);
}

// By the time the call comes it has woken by itself, found nothing and gone to sleep in the
// reactor.
BOOST_AUTO_TEST_CASE(who_is_called_back_too_late_is_woken_in_the_reactor)
{
    s.aside = 1;
    w.stands_aside = true;
    BOOST_TEST_REQUIRE(w.sleep.enter_driver());
    weft::detail::notifier<test::manual_traits>::call_back(s);
    BOOST_TEST(driver.interrupts == 1u);
    w.sleep.leave_driver();
    s.aside = 0;
}

BOOST_AUTO_TEST_CASE(who_has_stood_aside_looks_again_whether_it_is_over)
{
    int begun = 0;
    std::function<void()> again = [&]
    {
        ++begun;
        pass(microseconds(begun % 100 == 0 ? 20 : 0));
        other.count.handlers.add(1);
        s.submit(make(begun, again));
    };
    int begun_before = 0;
    test::manual_clock::meanwhile = [&]
    {
        begun_before = begun;
        s.stop();
    };
    s.submit(make(0, again));
    (void)run();
    BOOST_TEST(begun_before != 0);
    BOOST_TEST(begun == begun_before);
}

BOOST_AUTO_TEST_CASE(who_leaves_calls_it_back)
{
    s.submit(make(0));
    try_with(100,
        [&]
        {
            BOOST_TEST(w.stands_aside.load(std::memory_order_relaxed));
            BOOST_TEST(run(1) == 1u);
            BOOST_TEST(!w.stands_aside.load(std::memory_order_relaxed));
        });
    BOOST_TEST(ran.size() == 1u);
    // The token is there: it would not have slept on.
    BOOST_TEST(!w.sleep.enter_driver());
}

// It would be the only one that is awake.
BOOST_AUTO_TEST_CASE(nobody_stands_aside_while_the_others_sleep)
{
    bool stood = false;
    s.work_started();
    auto const prepared = s.sleepers.prepare_wait();
    BOOST_TEST_REQUIRE((s.sleepers.commit_wait(other.index, prepared, false, false,
                            [] { return false; }) == weft::detail::sleep_result::parked));
    try_with(100, [&] { stood = true; });
    BOOST_TEST(!stood);
    BOOST_TEST(s.sleepers.searching() == 0u);
    (void)s.sleepers.wake_up(other.index);
}

BOOST_AUTO_TEST_CASE(nobody_stands_aside_alone)
{
    (void)s.sleepers.leave([](std::uint32_t) {}, [] { return false; });
    try_with(100, [] { BOOST_ERROR("it stands aside"); });
    BOOST_TEST(!w.aside.begun());
    BOOST_TEST(!aside_of::try_when_idle(s, w));
}

BOOST_AUTO_TEST_CASE(half_of_all_stand_aside_at_most)
{
    BOOST_TEST_REQUIRE(s.sleepers.try_search());
    try_with(100, [] { BOOST_ERROR("it stands aside"); });
    BOOST_TEST(!w.has(worker::searching));
    BOOST_TEST(s.sleepers.stop_searching());
}

BOOST_AUTO_TEST_CASE(who_has_the_driver_lock_does_not_stand_aside)
{
    w.take_on(worker::holds_driver);
    try_with(100, [] { BOOST_ERROR("it stands aside"); });
    BOOST_TEST(!w.aside.begun());
}

BOOST_AUTO_TEST_CASE(nobody_stands_aside_with_a_fixed_interval)
{
    weft::options how;
    how.injection_interval = 61;
    two_workers fixed(how);
    fixed.try_with(100, [] { BOOST_ERROR("it stands aside"); });
    BOOST_TEST(!fixed.w.aside.begun());
}

BOOST_AUTO_TEST_CASE(how_much_is_done_while_all_sleep_now_and_then_tells_nothing)
{
    w.looked = test::manual_clock::time;
    aside_of::try_after_turn(s, w);
    s.full_sleeps.add(1);
    work(2 * trial::period, 100);
    test::manual_clock::meanwhile = []
    {
        BOOST_ERROR("it stands aside");
    };
    w.looked = test::manual_clock::time;
    aside_of::try_after_turn(s, w);
    BOOST_TEST(!w.aside.begun());
}

// A whole run() beside one that gets more done alone: all is run, once.
BOOST_AUTO_TEST_CASE(nothing_is_lost_by_who_stands_aside)
{
    int left = 2000;
    std::function<void()> again = [&]
    {
        pass(microseconds(left % 100 == 0 ? 20 : 0));
        other.count.handlers.add(1);
        if (--left > 0)
            s.submit(make(left, again));
        else
            s.stop();
    };
    test::manual_clock::meanwhile = [&]
    {
        other.count.handlers.add(10'000);
    };
    for (int i = 0; i != 3; ++i)
        s.submit(make(1'000'000 + i, again));
    (void)run();
    BOOST_TEST(s.workers.size() == 3u);
    BOOST_TEST(s.workers[2].count.stood_aside.value() > 0u);
    BOOST_TEST(ran.size() == 2000u);
    // Nor does a thread that does not wait stand aside.
    auto const times = s.workers[2].count.stood_aside.value();
    s.stopped = false;
    left = 2000;
    s.submit(make(0, again));
    (void)run(weft::detail::run_limits::unlimited, wait_mode::none);
    BOOST_TEST(s.workers[2].count.stood_aside.value() == times);
}

BOOST_AUTO_TEST_SUITE_END()
