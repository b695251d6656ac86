// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/time_of_wakes.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace
{

using std::chrono::microseconds;
using between_turns_of = weft::detail::between_turns<test::manual_traits>;
using notifier_of = weft::detail::notifier<test::manual_traits>;

// A worker, and one that sleeps in the reactor. To wake that one takes 80 us.
struct waker : test::one_sleeps
{
    worker& w = awake;

    waker()
    {
        BOOST_TEST(asleep.sleep.enter_driver());
        driver.on_interrupt = [this]
        {
            pass(microseconds(80));
        };
        w.begins_at(test::manual_clock::time);
        w.tick_left = 100;
        w.begin_turn(4);
    }

    ~waker()
    {
        asleep.sleep.leave_driver();
    }

    // One handler of the turn.
    void run_one(std::chrono::nanoseconds time)
    {
        pass(time);
        --w.run_left;
    }

    // What a handler takes, by a mean of which this turn is a sixteenth.
    std::chrono::nanoseconds mean_after_turn()
    {
        w.tick_left += w.run_left;
        w.run_left = 0;
        between_turns_of::end_turn(s, w, test::manual_clock::time);
        return w.turn.unbiased_mean();
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(time_of_wakes)

BOOST_AUTO_TEST_CASE(is_counted_by_turn_and_by_look)
{
    weft::detail::time_of_wakes t;
    t.add(microseconds(3));
    t.look();
    t.add(microseconds(4));
    BOOST_TEST((t.in_turn() == microseconds(7)));
    BOOST_TEST((t.since_look() == microseconds(4)));
    BOOST_TEST((t.end_turn_at_look() == microseconds(3)));
    BOOST_TEST((t.in_turn() == microseconds(4)));
    BOOST_TEST((t.since_look() == microseconds(4)));
    t.end_turn();
    BOOST_TEST((t.in_turn() == microseconds(0)));
    BOOST_TEST((t.since_look() == microseconds(0)));
}

BOOST_FIXTURE_TEST_CASE(is_none_of_the_time_of_handlers, waker)
{
    run_one(microseconds(8));
    notifier_of::notify_one_by_worker(s, w);
    BOOST_TEST(is_woken());
    run_one(microseconds(8));
    BOOST_TEST((mean_after_turn() == std::chrono::nanoseconds(500)));
    BOOST_TEST((w.wakes.in_turn() == microseconds(0)));
}

// Others wait for that as well.
BOOST_FIXTURE_TEST_CASE(but_turns_are_no_longer_than_they_seem, waker)
{
    BOOST_TEST(w.turn.handlers() == 1u);
    run_one(microseconds(1));
    BOOST_TEST((mean_after_turn() < microseconds(1)));
    BOOST_TEST(w.turn.handlers() == 2u);
    w.begin_turn(2);
    run_one(microseconds(1));
    notifier_of::notify_one_by_worker(s, w);
    run_one(microseconds(1));
    BOOST_TEST((mean_after_turn() < microseconds(1)));
    BOOST_TEST(w.turn.handlers() == 1u);
}

BOOST_FIXTURE_TEST_CASE(neither_is_that_in_place_of_somebody_who_does_not_come, waker)
{
    run_one(microseconds(8));
    notifier_of::wake_another_timed(s, w);
    BOOST_TEST((mean_after_turn() == std::chrono::nanoseconds(500)));
}

BOOST_FIXTURE_TEST_CASE(what_its_thread_has_not_run_meanwhile_counts_once, waker)
{
    static weft::detail::thread_usage usage;
    test::manual_clock::usage = &usage;
    auto const run = [this](std::chrono::nanoseconds time)
    {
        usage.cpu += time;
        w.count.handlers.add(1);
        run_one(time);
    };
    run(microseconds(1'000));
    (void)mean_after_turn();
    weft::detail::pace expected = w.turn;
    expected.record(1, microseconds(2'000));
    w.begin_turn(1);
    notifier_of::notify_one_by_worker(s, w);
    run(microseconds(2'000));
    BOOST_TEST((mean_after_turn() == expected.unbiased_mean()));
    test::manual_clock::usage = nullptr;
}

BOOST_FIXTURE_TEST_CASE(whoever_wakes_nobody_loses_no_time, waker)
{
    BOOST_TEST(s.sleepers.try_search());
    notifier_of::notify_one_by_worker(s, w);
    BOOST_TEST((w.wakes.in_turn() == microseconds(0)));
    BOOST_TEST(driver.interrupts == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
