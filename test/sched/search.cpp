// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/search.hpp"

#include "sched/manual_scheduler.hpp"
#include "support/second_thread.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace
{

using search_of = weft::detail::work_search<test::manual_traits>;

struct searcher_and_victim : test::manual_scheduler
{
    worker& thief = acquire();
    worker& owner = acquire();
    test::task_entry found;
};

// The thief is the only one that searches, and another one sleeps.
struct last_searcher : test::second_thread, searcher_and_victim
{
    last_searcher()
    {
        join_and_sleep(sleeper);
        BOOST_TEST_REQUIRE(sleeper.sleep.enter_driver());
        (void)s.sleepers.join([](std::uint32_t) {});
        BOOST_TEST_REQUIRE(search_of::become_searcher(s, thief));
        driver.on_interrupt = [&]
        {
            for_the_other = s.injected.size() + owner.ring.size();
        };
    }

    ~last_searcher()
    {
        sleeper.sleep.leave_driver();
    }

    worker& sleeper = acquire();
    std::size_t for_the_other = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(search, searcher_and_victim)

BOOST_AUTO_TEST_CASE(a_thief_takes_half_and_runs_the_oldest)
{
    for (int i = 0; i != 5; ++i)
        put(owner, make(i));
    BOOST_TEST(search_of::steal(s, thief, found));
    BOOST_TEST(found.op == &tasks[0]);
    BOOST_TEST(thief.ring.size() == 2u);
    BOOST_TEST(owner.ring.size() == 2u);
    BOOST_TEST(thief.count.stolen_handlers.value() == 3u);
    BOOST_TEST(thief.count.steal_operations.value() == 1u);
}

BOOST_AUTO_TEST_CASE(nobody_steals_from_himself)
{
    put(thief, make(0));
    BOOST_TEST(!search_of::steal(s, thief, found));
}

BOOST_AUTO_TEST_CASE(a_patient_thief_takes_the_only_entry_that_its_owner_leaves)
{
    put(owner, make(0));
    BOOST_TEST(search_of::steal_with_grace(s, thief, found, false));
    BOOST_TEST(found.op == &tasks[0]);
}

BOOST_AUTO_TEST_CASE(a_fetch_from_the_injection_queue_is_shared_and_keeps_room_for_the_reactor)
{
    for (int i = 0; i != 20; ++i)
        s.submit(make(i));
    BOOST_TEST(search_of::find_injected(s, thief, found));
    BOOST_TEST(found.op == &tasks[0]);
    BOOST_TEST(thief.owned_ring().free_slots() == test::task_driver::max_unlinkable);
    BOOST_TEST(s.injected.size() == 20u - 1 - thief.ring.size());
}

BOOST_AUTO_TEST_CASE(
    the_monitor_takes_the_slot_of_a_worker_that_has_run_nothing_since_its_last_round)
{
    BOOST_TEST(!owner.lifo.put(make(0)));
    BOOST_TEST(!search_of::take_slots(s, thief, found, false));
    owner.count.handlers.add(1);
    BOOST_TEST(!search_of::take_slots(s, thief, found, false));
    BOOST_TEST(search_of::take_slots(s, thief, found, false));
    BOOST_TEST(found.op == &tasks[0]);
}

// Which may get the core of this one: what this one had in its hands would be run after what came
// later.
BOOST_FIXTURE_TEST_CASE(who_wakes_another_one_for_the_rest_has_fetched_nothing_yet, last_searcher)
{
    for (int i = 0; i != 3; ++i)
        s.injected.push(make(i));
    BOOST_TEST(search_of::find_injected(s, thief, found));
    BOOST_TEST(for_the_other == 3u);
    BOOST_TEST(driver.interrupts == 1u);
    BOOST_TEST(found.op == &tasks[0]);
    BOOST_TEST(!thief.has(worker::searching));
}

// As one that has slept in the reactor, and has given what was there to all.
BOOST_FIXTURE_TEST_CASE(nor_has_who_keeps_the_driver_lock, last_searcher)
{
    (void)s.sleepers.stop_searching();
    thief.drop(worker::searching);
    BOOST_TEST_REQUIRE(s.driver_lock.try_take());
    thief.take_on(worker::holds_driver);
    for (int i = 0; i != 2; ++i)
        s.injected.push(make(i));
    BOOST_TEST(search_of::find_injected(s, thief, found));
    BOOST_TEST(for_the_other == 2u);
    BOOST_TEST(driver.interrupts == 1u);
    BOOST_TEST(!thief.has(worker::holds_driver));
    BOOST_TEST(!s.driver_lock.taken());
}

// Or while nobody sleeps.
BOOST_FIXTURE_TEST_CASE(
    while_another_one_searches_the_search_ends_with_what_is_found, last_searcher)
{
    for (int i = 0; i != 3; ++i)
        s.injected.push(make(i));
    (void)s.sleepers.join([](std::uint32_t) {});
    (void)s.sleepers.join([](std::uint32_t) {});
    BOOST_TEST_REQUIRE(s.sleepers.try_search());
    BOOST_TEST(search_of::find_injected(s, thief, found));
    BOOST_TEST(thief.has(worker::searching));
    BOOST_TEST(driver.interrupts == 0u);
}

BOOST_FIXTURE_TEST_CASE(what_the_one_that_was_woken_has_run_by_then_is_not_found, last_searcher)
{
    for (int i = 0; i != 3; ++i)
        s.injected.push(make(i));
    driver.on_interrupt = [&]
    {
        while (s.injected.pop())
            ;
    };
    BOOST_TEST(!search_of::find_injected(s, thief, found));
    BOOST_TEST(!thief.has(worker::searching));
}

BOOST_FIXTURE_TEST_CASE(nobody_is_woken_before_there_is_more_than_one, last_searcher)
{
    s.injected.push(make(0));
    BOOST_TEST(search_of::find_injected(s, thief, found));
    BOOST_TEST(thief.has(worker::searching));
    put(owner, make(1));
    BOOST_TEST(search_of::steal(s, thief, found));
    BOOST_TEST(thief.has(worker::searching));
    BOOST_TEST(driver.interrupts == 0u);
}

// On a core that others want, perhaps.
BOOST_AUTO_TEST_CASE(who_has_slept_searches_in_circles_if_the_work_before_was_not_long_ago)
{
    using std::chrono::microseconds;
    for (auto const& [interval, is_long] : {std::pair(microseconds(50), false),
             std::pair(microseconds(70), true), std::pair(microseconds(20), false)})
    {
        thief.count.handlers.add(1);
        search_of::note_idle(s, thief);
        // What it runs after the sleep is part of the interval.
        pass(interval - microseconds(10));
        thief.slept = true;
        thief.count.handlers.add(1);
        pass(microseconds(10));
        search_of::note_idle(s, thief);
        BOOST_TEST(thief.low_rate == is_long);
    }
    // Nor is one at a low rate that has not slept.
    pass(microseconds(70));
    thief.count.handlers.add(1);
    search_of::note_idle(s, thief);
    BOOST_TEST(!thief.low_rate);
}

BOOST_AUTO_TEST_SUITE_END()
