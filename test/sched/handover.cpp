// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/handover.hpp"

#include "sched/manual_scheduler.hpp"

#include "sched/driver_access.hpp"

#include <boost/test/unit_test.hpp>

namespace
{

using manual_worker = test::manual_scheduler::worker;
using handover_of = weft::detail::handover<test::manual_traits>;
using notifier_of = weft::detail::notifier<test::manual_traits>;

// One worker has just left the reactor, which it has the driver lock of; the other one sleeps
// beside it.
struct one_stands_by : test::one_sleeps
{
    one_stands_by()
    {
        driver.beside.is_made = true;
        BOOST_TEST(s.standby.enter());
        s.standby.is_ready();
        BOOST_TEST(asleep.sleep.enter_standby());
        BOOST_TEST(s.driver_lock.try_take());
        awake.take_on(manual_worker::holds_driver);
        awake.slept_for = test::task_watch::least_sleep;
    }

    ~one_stands_by()
    {
        asleep.sleep.leave_standby();
    }

    // It has left the reactor, and nobody has been woken for it.
    void check_watched()
    {
        BOOST_TEST(!awake.has(manual_worker::holds_driver));
        BOOST_TEST(!s.driver_lock.taken());
        BOOST_TEST(s.standby.is_watching());
        BOOST_TEST(driver.beside.armed);
        BOOST_TEST(!is_woken());
        BOOST_TEST(driver.beside.wakes == 0u);
    }

    void check_woken()
    {
        BOOST_TEST(!awake.has(manual_worker::holds_driver));
        BOOST_TEST(!s.driver_lock.taken());
        BOOST_TEST(is_woken());
        BOOST_TEST(driver.beside.wakes == 1u);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(handover, one_stands_by)

BOOST_AUTO_TEST_CASE(who_has_one_handler_to_run_wakes_nobody)
{
    notifier_of::end_search(s, awake);
    check_watched();
}

BOOST_AUTO_TEST_CASE(where_events_come_soon_somebody_is_to_wait_in_the_reactor)
{
    awake.slept_for -= std::chrono::nanoseconds(1);
    notifier_of::end_search(s, awake);
    check_woken();
}

BOOST_AUTO_TEST_CASE(beside_long_handlers_too)
{
    for (int i = 0; i != 100; ++i)
        awake.turn.record(1, handover_of::long_beside_wake * 3 / 4);
    notifier_of::end_search(s, awake);
    check_watched();
    BOOST_TEST(s.driver_lock.try_take());
    awake.take_on(manual_worker::holds_driver);
    for (int i = 0; i != 100; ++i)
        awake.turn.record(1, handover_of::long_beside_wake * 3 / 2);
    notifier_of::end_search(s, awake);
    check_woken();
}

BOOST_AUTO_TEST_CASE(what_is_left_in_the_ring_is_for_whoever_is_woken)
{
    put(awake, make(1));
    notifier_of::end_search(s, awake);
    check_woken();
}

BOOST_AUTO_TEST_CASE(after_a_look_one_handler_in_the_ring_is_the_next)
{
    put(awake, make(1));
    notifier_of::release_driver(s, awake, 1);
    check_watched();
}

BOOST_AUTO_TEST_CASE(after_a_look_the_second_one_is_for_whoever_is_woken)
{
    put(awake, make(1));
    put(awake, make(2));
    notifier_of::release_driver(s, awake, 1);
    check_woken();
}

// As the end of a write, which comes next.
BOOST_AUTO_TEST_CASE(after_a_look_what_asio_has_posted_may_be_the_next)
{
    awake.asio.posted.push_back(make(1));
    notifier_of::release_driver(s, awake, 1);
    check_watched();
    awake.asio.posted.clear();
}

BOOST_AUTO_TEST_CASE(after_a_look_what_asio_has_posted_may_be_the_second)
{
    awake.asio.posted.push_back(make(1));
    put(awake, make(2));
    notifier_of::release_driver(s, awake, 1);
    check_woken();
    awake.asio.posted.clear();
}

BOOST_AUTO_TEST_CASE(the_last_searcher_wakes_somebody_for_what_is_injected)
{
    BOOST_TEST(s.sleepers.try_search());
    awake.take_on(manual_worker::searching);
    s.injected.push(make(1), awake.ready_now());
    notifier_of::end_search(s, awake);
    check_woken();
}

BOOST_AUTO_TEST_CASE(what_the_driver_has_already_is_not_watched_for)
{
    driver.has_mail = true;
    notifier_of::end_search(s, awake);
    check_woken();
    BOOST_TEST(!s.standby.is_watching());
}

BOOST_AUTO_TEST_CASE(while_others_are_awake_somebody_has_to_wait_in_the_reactor)
{
    manual_worker& third = acquire();
    (void)s.sleepers.join([](std::uint32_t) {});
    notifier_of::end_search(s, awake);
    check_woken();
    (void)third;
}

BOOST_AUTO_TEST_CASE(who_comes_back_to_the_reactor_ends_the_watch)
{
    notifier_of::end_search(s, awake);
    BOOST_TEST(s.driver_lock.try_take());
    handover_of::take_back(s);
    BOOST_TEST(!driver.beside.armed);
    BOOST_TEST(!s.standby.is_watching());
    BOOST_TEST(s.standby.is_there());
}

// Whoever is woken takes the driver lock, or wakes somebody in turn, unless it believes that
// somebody watches.
BOOST_AUTO_TEST_CASE(who_wakes_somebody_calls_the_watch_off)
{
    notifier_of::end_search(s, awake);
    BOOST_TEST(s.driver_lock.try_take());
    awake.take_on(manual_worker::holds_driver);
    put(awake, make(1));
    put(awake, make(2));
    notifier_of::release_driver(s, awake, 1);
    check_woken();
    BOOST_TEST(!s.standby.is_watching());
}

// It was the other one that slept in the reactor before, and saw to the slot.
BOOST_AUTO_TEST_CASE(who_has_the_reactor_watched_has_no_monitor)
{
    awake.monitored = true;
    notifier_of::end_search(s, awake);
    BOOST_TEST(!awake.monitored);
}

BOOST_AUTO_TEST_CASE(a_slot_has_its_guard_while_somebody_watches)
{
    notifier_of::end_search(s, awake);
    notifier_of::arm_monitor(s);
    check_woken();
}

BOOST_AUTO_TEST_SUITE_END()

namespace
{

// A worker that is about to sleep without the driver lock.
struct watcher : test::manual_scheduler
{
    manual_worker& w = acquire();
    bool slept = false;

    watcher()
    {
        driver.beside.is_made = true;
    }

    // Somebody leaves the reactor while it sleeps.
    void is_left()
    {
        driver.beside.on_wait = [this]
        {
            BOOST_TEST(s.standby.begin());
        };
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(who_watches)

BOOST_FIXTURE_TEST_CASE(takes_the_reactor_that_is_left, watcher)
{
    is_left();
    BOOST_TEST(handover_of::stand_by(s, w, slept));
    BOOST_TEST(slept);
    BOOST_TEST(w.has(manual_worker::holds_driver));
    BOOST_TEST(s.driver_lock.taken());
    BOOST_TEST(!s.standby.is_there());
}

BOOST_FIXTURE_TEST_CASE(does_not_take_it_from_who_is_back, watcher)
{
    is_left();
    BOOST_TEST(s.driver_lock.try_take());
    BOOST_TEST(!handover_of::stand_by(s, w, slept));
    BOOST_TEST(slept);
    BOOST_TEST(!w.has(manual_worker::holds_driver));
    BOOST_TEST(!s.standby.is_there());
}

BOOST_FIXTURE_TEST_CASE(does_not_take_what_it_has_not_watched, watcher)
{
    BOOST_TEST(!handover_of::stand_by(s, w, slept));
    BOOST_TEST(slept);
    BOOST_TEST(!s.driver_lock.taken());
}

BOOST_FIXTURE_TEST_CASE(does_not_sleep_with_a_token, watcher)
{
    (void)w.sleep.unpark();
    BOOST_TEST(!handover_of::stand_by(s, w, slept));
    BOOST_TEST(slept);
    BOOST_TEST(driver.beside.waits == 0u);
}

BOOST_FIXTURE_TEST_CASE(sleeps_elsewhere_without_a_descriptor, watcher)
{
    driver.beside.fails = true;
    BOOST_TEST(!handover_of::stand_by(s, w, slept));
    BOOST_TEST(!slept);
    BOOST_TEST(driver.beside.waits == 0u);
    BOOST_TEST(!s.standby.is_there());
}

BOOST_FIXTURE_TEST_CASE(sleeps_elsewhere_without_a_reactor, watcher)
{
    driver.beside.is_made = false;
    BOOST_TEST(!handover_of::stand_by(s, w, slept));
    BOOST_TEST(!slept);
    BOOST_TEST(driver.beside.waits == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
