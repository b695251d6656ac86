// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/neighbours.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <utility>

namespace
{

using neighbours_of = weft::detail::neighbours<test::manual_traits>;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

struct busy_beside_another : test::manual_scheduler
{
    worker& w = acquire();
    worker& other = acquire();
    test::task_entry found;

    // As at the end of a turn of `w`; of the other one nothing is known.
    bool look(nanoseconds own_age = nanoseconds(0))
    {
        w.looked = test::manual_clock::now();
        w.now.store(
            weft::detail::ready_time_at(test::manual_clock::now()), std::memory_order_relaxed);
        return neighbours_of::take_older(s, w, own_age, found);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(neighbours, busy_beside_another)

BOOST_AUTO_TEST_CASE(what_waits_behind_a_long_handler_is_taken)
{
    put(other, make(0));
    pass(milliseconds(2));
    BOOST_TEST(look());
    BOOST_TEST(found.op == &tasks[0]);
}

// All of it: a thread may have been the only one inside, with many in its ring.
BOOST_AUTO_TEST_CASE(what_waits_behind_a_long_handler_is_taken_one_after_the_other)
{
    w.shares = true;
    for (int i = 0; i != 60; ++i)
        w.turn.record(1, microseconds(30));
    for (int i = 0; i != 5; ++i)
        put(other, make(i));
    pass(milliseconds(2));
    for (std::size_t i = 0; i != 5; ++i)
    {
        BOOST_TEST(look());
        BOOST_TEST(found.op == &tasks[i]);
        pass(microseconds(30));
        BOOST_TEST(
            neighbours_of::may_have_older(s, w, test::manual_clock::now()) == !other.ring.empty());
    }
}

// In the ring it would be behind what is there, which is younger.
BOOST_AUTO_TEST_CASE(one_is_taken_at_a_time_and_the_next_look_comes_after_it)
{
    for (int i = 0; i != 60; ++i)
        w.turn.record(8, microseconds(16));
    BOOST_TEST_REQUIRE(w.turn.handlers() > 1u);
    for (int i = 0; i != 3; ++i)
        put(other, make(i));
    pass(milliseconds(2));
    for (int i = 3; i != 6; ++i)
        put(w, make(i));
    for (std::size_t i = 0; i != 3; ++i)
    {
        w.tick_left = 100;
        w.begin_turn(30);
        BOOST_TEST(look());
        BOOST_TEST(found.op == &tasks[i]);
        BOOST_TEST(w.ring.size() == 3u);
        BOOST_TEST(w.run_left == 1u);
        BOOST_TEST(w.tick_left == 99u);
    }
    w.begin_turn(30);
    BOOST_TEST(!look());
    BOOST_TEST(w.run_left == 30u);
}

BOOST_AUTO_TEST_CASE(what_is_no_older_than_ones_own_is_left)
{
    put(other, make(0));
    pass(milliseconds(2));
    BOOST_TEST(!look(milliseconds(2)));
}

// Its thread has lost its core, perhaps.
BOOST_AUTO_TEST_CASE(beside_short_handlers_what_waits_behind_one_of_100_us_is_taken)
{
    for (int i = 0; i != 60; ++i)
        w.turn.record(20, microseconds(16));
    put(other, make(0));
    pass(microseconds(70));
    BOOST_TEST(!look());
    pass(microseconds(35));
    // For the time has not come.
    BOOST_TEST(!look());
    pass(microseconds(6));
    BOOST_TEST(look());
    BOOST_TEST(found.op == &tasks[0]);
    put(other, make(1));
    pass(microseconds(95));
    BOOST_TEST(!look());
}

BOOST_AUTO_TEST_CASE(a_short_handler_is_not_long_enough)
{
    put(other, make(0));
    pass(microseconds(95));
    BOOST_TEST(!look());
}

// What is a little older than one's own is left where it will be run in a moment.
BOOST_AUTO_TEST_CASE(
    behind_a_handler_that_lasts_four_times_as_long_as_most_all_that_is_older_is_taken)
{
    w.shares = true;
    for (int i = 0; i != 60; ++i)
        w.turn.record(1, microseconds(20));
    auto const start = test::manual_clock::time;
    other.now.store(weft::detail::ready_time_at(start), std::memory_order_relaxed);
    put(other, make(0));
    for (auto const& [lasts, taken] : {std::pair{75, false}, {90, true}})
    {
        test::manual_clock::time = start + microseconds(lasts);
        w.looked_at_neighbour = {};
        BOOST_TEST(!look(microseconds(lasts + 2)));
        w.looked_at_neighbour = {};
        BOOST_TEST(look(microseconds(lasts - 10)) == taken);
    }
}

BOOST_AUTO_TEST_CASE(between_two_looks_it_is_known_whether_one_that_is_due_may_find_anything)
{
    w.looked_at_neighbour = test::manual_clock::time;
    auto const may_have_older = [&]
    {
        return neighbours_of::may_have_older(s, w, test::manual_clock::now());
    };
    put(other, make(0));
    pass(microseconds(39));
    BOOST_TEST(!may_have_older());
    pass(microseconds(2));
    BOOST_TEST(may_have_older());
    BOOST_TEST(may_have_older());
    test::task_entry own;
    BOOST_TEST(other.owned_ring().pop(own));
    BOOST_TEST(!may_have_older());
    // That was a look.
    put(other, make(1));
    BOOST_TEST(!may_have_older());
    BOOST_TEST(other.owned_ring().pop(own));
    BOOST_TEST(!other.lifo.put(make(2)));
    pass(microseconds(51));
    BOOST_TEST(may_have_older());
}

BOOST_AUTO_TEST_CASE(the_continuation_of_a_long_handler_is_taken_unless_slots_are_closed)
{
    put(other, make(0));
    test::task_entry own;
    BOOST_TEST(other.owned_ring().pop(own));
    BOOST_TEST(!other.lifo.put(make(1)));
    BOOST_TEST(!look());
    pass(milliseconds(1));
    BOOST_TEST(look());
    BOOST_TEST(found.op == &tasks[1]);
}

BOOST_AUTO_TEST_SUITE_END()
