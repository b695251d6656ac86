// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/neighbours.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

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

BOOST_AUTO_TEST_CASE(what_is_no_older_than_ones_own_is_left)
{
    put(other, make(0));
    pass(milliseconds(2));
    BOOST_TEST(!look(milliseconds(2)));
}

BOOST_AUTO_TEST_CASE(a_short_handler_is_not_long_enough)
{
    put(other, make(0));
    pass(microseconds(150));
    BOOST_TEST(!look());
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
