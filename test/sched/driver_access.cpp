// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/driver_access.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>

namespace
{

using access = weft::detail::driver_access<test::manual_traits>;

// Are inside.
struct two_threads : test::manual_scheduler
{
    two_threads()
    {
        for (int i = 0; i != 2; ++i)
            (void)s.sleepers.join([](std::uint32_t) {});
    }

    ~two_threads()
    {
        for (int i = 0; i != 2; ++i)
            (void)s.sleepers.leave([](std::uint32_t) {}, [] { return false; });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(driver_access, test::manual_scheduler)

BOOST_AUTO_TEST_CASE(events_come_into_the_ring_of_whoever_looks)
{
    worker& w = acquire();
    driver.events.emplace_back(make(0));
    driver.events.emplace_back(make(1), 1);
    BOOST_TEST(access::poll_driver(s, w) == 2u);
    BOOST_TEST(w.ring.size() == 2u);
    BOOST_TEST(driver.waits.back() == 0);
    BOOST_TEST(!s.driver_lock.taken());
}

// In whose ring they are does not change their order then.
BOOST_AUTO_TEST_CASE(events_of_a_worker_that_shares_come_into_the_queue_of_all)
{
    worker& w = acquire();
    w.shares = true;
    constexpr std::size_t count = 300;
    for (std::size_t i = 0; i != count; ++i)
        driver.events.emplace_back(make(static_cast<int>(i)), i % 2);
    std::size_t found = 0;
    while (std::size_t const more = access::poll_driver(s, w))
        found += more;
    BOOST_TEST(found == count);
    BOOST_TEST(w.ring.empty());
    BOOST_TEST(s.injected.size() == count);
    for (std::size_t i = 0; i != count; ++i)
        BOOST_TEST_REQUIRE(s.injected.pop() == &tasks[i]);
}

BOOST_AUTO_TEST_CASE(they_go_behind_what_became_ready_before_the_look)
{
    worker& w = acquire();
    w.shares = true;
    s.submit(make(0));
    put(w, make(1));
    pass(std::chrono::milliseconds(1));
    w.now.store(weft::detail::ready_time_at(test::manual_clock::time));
    driver.events.emplace_back(make(2));
    BOOST_TEST(access::poll_driver(s, w) == 1u);
    (void)weft::detail::sharing<test::manual_traits>::share(s, w, nullptr);
    for (std::size_t i = 0; i != 3; ++i)
        BOOST_TEST(s.injected.pop() == &tasks[i]);
}

// A worker that has had nothing to do has not looked at the clock for long.
BOOST_FIXTURE_TEST_CASE(
    what_an_idle_worker_finds_in_the_reactor_is_ready_when_it_looks, two_threads)
{
    worker& w = acquire();
    pass(std::chrono::milliseconds(1));
    driver.events.emplace_back(make(0));
    BOOST_TEST(access::poll_when_idle(s, w));
    weft::detail::ready_time since = 0;
    BOOST_TEST_REQUIRE(w.ring.oldest(since));
    BOOST_TEST(since == weft::detail::ready_time_at(test::manual_clock::time));
}

// Where handlers make others ready through the reactor it has something again at once.
BOOST_FIXTURE_TEST_CASE(an_idle_worker_looks_again_at_once_while_that_brings_something, two_threads)
{
    worker& w = acquire();
    auto const looks_in = [&](int calls)
    {
        std::size_t const before = driver.waits.size();
        for (int i = 0; i != calls; ++i)
            (void)access::poll_when_idle(s, w);
        return driver.waits.size() - before;
    };
    for (int i = 0; i != 100; ++i)
    {
        driver.events.emplace_back(make(i));
        BOOST_TEST_REQUIRE(access::poll_when_idle(s, w));
        (void)s.injected.pop();
        test::task_entry op;
        (void)w.own_pop.pop(w.owned_ring(), op, s.runner);
        BOOST_TEST(looks_in(i % 4) == static_cast<std::size_t>(i % 4));
    }
    // Others make what it takes from them ready.
    driver.events.emplace_back(make(100));
    BOOST_TEST(looks_in(100) == 1u + access::most_in_vain);
    // Then as seldom as a busy one.
    for (int i = 0; i != 10; ++i)
    {
        pass(std::chrono::microseconds(52));
        BOOST_TEST(looks_in(10) == 1u);
    }
    driver.events.emplace_back(make(101));
    pass(std::chrono::milliseconds(1));
    BOOST_TEST(looks_in(100) == 1u + access::most_in_vain);
}

BOOST_AUTO_TEST_CASE(nobody_looks_while_another_has_the_driver_lock)
{
    worker& w = acquire();
    driver.events.emplace_back(make(0));
    BOOST_TEST(s.driver_lock.try_take());
    BOOST_TEST(access::poll_driver(s, w) == 0u);
    BOOST_TEST(driver.waits.empty());
}

BOOST_AUTO_TEST_CASE(events_that_find_no_room_stay_in_the_reactor)
{
    worker& w = acquire();
    for (int i = 0; i != 20; ++i)
        driver.events.emplace_back(make(i), 1);
    while (access::poll_driver(s, w) != 0)
    {
    }
    BOOST_TEST(w.owned_ring().free_slots() < test::task_driver::max_unlinkable);
    BOOST_TEST(driver.events.size() == 20u - w.ring.size());
}

// With 16 threads on two cores each handler of 50 us had a look of its own.
BOOST_AUTO_TEST_CASE(looks_are_as_frequent_as_the_threads_that_run_at_once_make_them)
{
    constexpr std::uint32_t threads = 16;
    for (unsigned const cores : {test::manual_traits::unknown, 1u, 2u, 8u, 64u})
        BOOST_TEST_CONTEXT(cores << " cores")
        {
            test::manual_traits::on_cores const these(cores);
            test::manual_scheduler some;
            auto& all = some.s;
            for (std::uint32_t i = 0; i != threads; ++i)
                (void)all.sleepers.join([](std::uint32_t) {});
            auto const at_once = std::min(cores, threads);
            BOOST_TEST(all.most_at_once() == at_once);
            auto const is_due_after = [&all](std::chrono::nanoseconds time)
            {
                return access::reactor_may_be_due(
                    all, weft::detail::ready_time_at(test::manual_clock::time + time));
            };
            for (bool const in_vain : {true, false})
            {
                // As exact as the stamps are.
                std::chrono::nanoseconds const exactly = std::chrono::microseconds(3);
                auto const least = access::shortest_poll_period(all);
                BOOST_TEST((least == std::chrono::microseconds(in_vain ? 50 : 16)));
                auto const period = least / std::max(at_once / 2, 1u);
                BOOST_TEST(!is_due_after(period - std::min(period / 2, exactly)));
                BOOST_TEST(is_due_after(period + exactly));
                all.vain_looks.end();
            }
            for (std::uint32_t i = 0; i != threads; ++i)
                (void)all.sleepers.leave([](std::uint32_t) {}, [] { return false; });
        }
}

// Both ends of a conversation: each handler makes the next event.
BOOST_AUTO_TEST_CASE(who_converses_with_itself_sleeps_no_more_after_some_time)
{
    int left = 200;
    std::function<void()> const step = [&]
    {
        pass(std::chrono::microseconds(1));
        if (--left != 0)
            driver.events.emplace_back(make(left, step), 1);
    };
    driver.events.emplace_back(make(left, step), 1);
    s.work_started();
    s.run({wait_mode::until, test::manual_clock::time + std::chrono::milliseconds(1)},
        weft::detail::joins_as::passing);
    s.work_finished();
    BOOST_TEST(left == 0);
    BOOST_TEST(std::count(driver.waits.begin(), driver.waits.end(), 0) >= 180);
}

BOOST_AUTO_TEST_CASE(a_sleep_without_work_lasts_until_its_time)
{
    auto const until = test::manual_clock::now() + std::chrono::seconds(3);
    s.work_started();
    BOOST_TEST(s.run({wait_mode::until, until}, weft::detail::joins_as::passing) == 0u);
    BOOST_TEST(driver.waits.back() == 3000000);
    s.work_finished();
}

BOOST_AUTO_TEST_SUITE_END()
