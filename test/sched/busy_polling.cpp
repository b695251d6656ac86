// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/busy_polling.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace
{

using std::chrono::microseconds;
using polling = weft::detail::busy_polling<test::manual_traits>;

/// A worker that is alone in a context with outstanding work.
struct lone_worker : test::manual_scheduler
{
    explicit lone_worker(weft::options const& how = {}) : test::manual_scheduler(how), w(acquire())
    {
        s.work.add(1);
    }

    /// Its sleeps have been short.
    void make_it_pay()
    {
        for (auto now = test::manual_clock::time; !w.polls.pays();)
        {
            w.polls.sleeps(now);
            w.polls.wakes(now);
        }
    }

    bool poll()
    {
        return polling::poll_before_sleep(s, w);
    }

    worker& w;
};

weft::options without_spinning()
{
    weft::options how;
    how.spin_rounds = 0;
    return how;
}

struct lone_worker_without_spinning : lone_worker
{
    lone_worker_without_spinning() : lone_worker(without_spinning())
    {
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(busy_polling, lone_worker)

BOOST_AUTO_TEST_CASE(it_is_not_tried_before_sleeps_were_short)
{
    driver.events.emplace_back(make(0));
    BOOST_TEST(!poll());
    BOOST_TEST(driver.waits.empty());
    BOOST_TEST(!s.driver_lock.taken());
}

BOOST_AUTO_TEST_CASE(it_ends_when_the_reactor_has_something)
{
    make_it_pay();
    driver.on_wait = [this]
    {
        pass(microseconds(1));
        if (driver.waits.size() == 5)
            driver.events.emplace_back(make(0), 1);
    };
    BOOST_TEST(poll());
    BOOST_TEST(driver.waits.size() == 5u);
    BOOST_TEST(std::count(driver.waits.begin(), driver.waits.end(), 0) == 5);
    BOOST_TEST(w.ring.size() == 1u);
}

// For metrics, and for the order of all.
BOOST_AUTO_TEST_CASE(what_it_finds_has_become_ready_at_the_last_look)
{
    make_it_pay();
    driver.on_wait = [this]
    {
        if (driver.waits.size() == 3)
            driver.events.emplace_back(make(0));
        else
            pass(microseconds(3));
    };
    BOOST_TEST(poll());
    weft::detail::ready_time since = 0;
    BOOST_TEST_REQUIRE(w.ring.oldest(since));
    BOOST_TEST(since == weft::detail::ready_time_at(test::manual_clock::time));
}

BOOST_AUTO_TEST_CASE(or_when_something_has_been_posted)
{
    make_it_pay();
    driver.on_wait = [this]
    {
        if (driver.waits.size() == 3)
            s.submit(make(0));
    };
    BOOST_TEST(poll());
    BOOST_TEST(driver.waits.size() == 3u);
}

BOOST_AUTO_TEST_CASE(without_a_reactor_only_what_has_been_posted_is_looked_for)
{
    make_it_pay();
    driver.has_events = false;
    s.submit(make(0));
    BOOST_TEST(poll());
    BOOST_TEST(driver.waits.empty());
}

BOOST_AUTO_TEST_CASE(or_when_the_context_has_been_stopped)
{
    make_it_pay();
    s.stop();
    BOOST_TEST(poll());
    BOOST_TEST(driver.waits.size() == 1u);
}

BOOST_AUTO_TEST_CASE(it_lasts_eight_microseconds_at_most_and_keeps_the_driver_lock_for_the_sleep)
{
    make_it_pay();
    driver.on_wait = [this]
    {
        pass(microseconds(1));
    };
    auto const began = test::manual_clock::time;
    BOOST_TEST(!poll());
    BOOST_TEST((test::manual_clock::time - began == microseconds(8)));
    BOOST_TEST(w.has(worker::holds_driver));
    BOOST_TEST(s.driver_lock.taken());
    weft::detail::notifier<test::manual_traits>::give_up_search(s, w);
    BOOST_TEST(!s.driver_lock.taken());
}

BOOST_AUTO_TEST_CASE(it_ends_by_a_clock_that_stands_still_too)
{
    make_it_pay();
    BOOST_TEST(!poll());
    BOOST_TEST(driver.waits.size() == 1024u);
    weft::detail::notifier<test::manual_traits>::give_up_search(s, w);
}

BOOST_FIXTURE_TEST_CASE(without_spinning_it_looks_once, lone_worker_without_spinning)
{
    make_it_pay();
    driver.events.emplace_back(make(0));
    BOOST_TEST(poll());
    BOOST_TEST(!poll());
    BOOST_TEST(driver.waits.size() == 2u);
    weft::detail::notifier<test::manual_traits>::give_up_search(s, w);
}

BOOST_AUTO_TEST_CASE(who_is_not_alone_searches_as_others_do)
{
    make_it_pay();
    (void)s.sleepers.join([](std::uint32_t) {});
    (void)s.sleepers.join([](std::uint32_t) {});
    driver.events.emplace_back(make(0));
    BOOST_TEST(!poll());
    BOOST_TEST(driver.waits.empty());
    (void)s.sleepers.leave([](std::uint32_t) {}, [] { return false; });
    BOOST_TEST(poll());
    (void)s.sleepers.leave([](std::uint32_t) {}, [] { return false; });
}

BOOST_AUTO_TEST_CASE(who_has_no_work_outstanding_waits_for_nothing)
{
    make_it_pay();
    s.work.add(-1);
    driver.events.emplace_back(make(0));
    BOOST_TEST(!poll());
    BOOST_TEST(driver.waits.empty());
    w.work_delta = 1;
    BOOST_TEST(poll());
}

BOOST_AUTO_TEST_CASE(what_it_has_run_before_was_a_turn)
{
    make_it_pay();
    w.tick_left = 100;
    w.looked = test::manual_clock::time;
    w.begin_turn(8);
    // Two have been run; for a third it has looked in vain.
    w.run_left -= 3;
    pass(microseconds(50));
    driver.events.emplace_back(make(0));
    BOOST_TEST(poll());
    // A quarter of what is between 0 and 25 us is counted at first.
    BOOST_TEST((w.turn.mean() == std::chrono::nanoseconds(25'000 / 4)));
    BOOST_TEST((w.looked == test::manual_clock::time));
}

// Who has just looked need not do it again.
BOOST_AUTO_TEST_CASE(a_turn_in_which_nothing_was_run_is_none)
{
    w.tick_left = 100;
    w.looked = test::manual_clock::time;
    w.begin_turn(8);
    --w.run_left;
    std::size_t const looks = test::manual_clock::looks;
    BOOST_TEST(!poll());
    BOOST_TEST(test::manual_clock::looks == looks);
}

// It sees in the reactor, and at the clock that it reads before it sleeps, what a look would tell.
BOOST_AUTO_TEST_CASE(who_has_nothing_left_at_the_end_of_a_turn_does_not_look_elsewhere_before)
{
    w.tick_left = 10;
    BOOST_TEST(polling::comes_next(s, w));
    BOOST_TEST(w.tick_left == 9u);
    w.tick_left = 0;
    BOOST_TEST(!polling::comes_next(s, w));
    w.tick_left = 10;
    s.submit(make(0));
    BOOST_TEST(!polling::comes_next(s, w));
    BOOST_TEST(s.injected.pop() == &tasks[0]);
    put(w, make(1));
    BOOST_TEST(!polling::comes_next(s, w));
    BOOST_TEST(w.tick_left == 10u);
}

BOOST_AUTO_TEST_CASE(nor_does_the_clock_tell_more_than_twice_for_a_sleep)
{
    constexpr int sleeps = 100;
    driver.on_wait = [this, events = 0]() mutable
    {
        pass(microseconds(500));
        driver.events.emplace_back(make(events,
            [this, events]
            {
                if (events == sleeps - 1)
                    s.stop();
            }));
        ++events;
    };
    std::size_t const looks = test::manual_clock::looks;
    BOOST_TEST(run() == std::size_t{sleeps});
    // But for the first look, which begins a tick.
    BOOST_TEST(std::count(driver.waits.begin(), driver.waits.end(), -1) == sleeps - 1);
    // And a few at the beginning and the end.
    BOOST_TEST(test::manual_clock::looks - looks <= 2 * sleeps + 4u);
}

// When a timer expires is known: one can sleep until then.
BOOST_AUTO_TEST_CASE(to_poll_for_a_timer_does_not_pay)
{
    make_it_pay();
    driver.on_wait = [this]
    {
        pass(microseconds(1));
        if (driver.waits.size() % 8 == 0)
            driver.events.emplace_back(make(0));
    };
    BOOST_TEST(poll());
    BOOST_TEST(w.ring.size() == 1u);
    BOOST_TEST(w.polls.pays());
    BOOST_TEST(poll());
    BOOST_TEST(!w.polls.pays());
}

// The whole way: a worker that sleeps in the reactor learns that it would be called soon.
BOOST_AUTO_TEST_CASE(a_worker_learns_from_its_sleeps)
{
    int events = 0;
    driver.on_wait = [&]
    {
        pass(microseconds(5));
        auto const more = [this, &events]
        {
            if (events == 20)
                s.stop();
        };
        driver.events.emplace_back(make(events++, more), 1);
    };
    BOOST_TEST(run() == 20u);
    auto const sleeps = std::count(driver.waits.begin(), driver.waits.end(), -1);
    BOOST_TEST(sleeps == 4);
}

BOOST_AUTO_TEST_SUITE_END()
