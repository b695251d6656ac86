// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/worker_base.hpp>

#include <boost/test/unit_test.hpp>

using weft::detail::worker_base;

namespace
{

unsigned spend_all(worker_base& w)
{
    unsigned count = 0;
    while (w.spend())
        ++count;
    return count;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_turn_is_taken_from_the_tick)
{
    worker_base w(0);
    w.tick_left = 100;
    w.begin_turn(30);
    BOOST_TEST(w.turn_start == 100u);
    BOOST_TEST(w.run_left == 30u);
    BOOST_TEST(w.tick_left == 70u);
    w.run_left = 0;
    w.begin_turn(80);
    BOOST_TEST(w.run_left == 70u);
    BOOST_TEST(w.tick_left == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_left_of_a_turn_that_ends_early_stays_in_the_tick)
{
    worker_base w(0);
    w.tick_left = 100;
    w.begin_turn(30);
    w.run_left -= 10;
    w.end_turn_after(2);
    BOOST_TEST(w.run_left == 2u);
    BOOST_TEST(w.tick_left == 88u);
    w.end_turn_after(0);
    BOOST_TEST(w.run_left == 0u);
    BOOST_TEST(w.tick_left == 90u);
}

BOOST_AUTO_TEST_CASE(what_completes_at_once_costs_as_much_as_a_handler)
{
    worker_base w(5);
    w.tick_left = 100;
    w.begin_turn(5);
    BOOST_TEST(spend_all(w) == 5u);
    BOOST_TEST(w.tick_left == 95u);
}

BOOST_AUTO_TEST_CASE(a_short_turn_is_lengthened_for_what_completes_at_once)
{
    worker_base w(0);
    w.tick_left = 100;
    w.begin_turn(1);
    BOOST_TEST(spend_all(w) == 1 + worker_base::most_early);
    BOOST_TEST(w.tick_left == 99 - worker_base::most_early);
    w.begin_turn(1);
    BOOST_TEST(spend_all(w) == 1 + worker_base::most_early);
}

BOOST_AUTO_TEST_CASE(not_beyond_the_tick)
{
    worker_base w(0);
    w.tick_left = 4;
    w.begin_turn(1);
    BOOST_TEST(spend_all(w) == 4u);
    BOOST_TEST(w.tick_left == 0u);
}

BOOST_AUTO_TEST_CASE(who_has_slept_begins_a_new_turn_that_tells_nothing)
{
    worker_base w(0);
    w.tick_left = 100;
    w.turn.record(1, std::chrono::nanoseconds(10));
    w.begin_turn(30);
    BOOST_TEST(w.turn.handlers() > 1u);
    w.begin_cautiously(1);
    BOOST_TEST(w.turn.handlers() == 1u);
    BOOST_TEST(w.run_left == 1u);
    BOOST_TEST(w.tick_left == 99u);
    BOOST_TEST(w.turn_start == 0u);
}
