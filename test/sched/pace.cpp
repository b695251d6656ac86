// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/pace.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using weft::detail::pace;

namespace
{

// Turns of as many handlers as the pace says, each of the same duration.
void run_turns(pace& p, nanoseconds per_handler, int turns)
{
    for (int turn = 0; turn != turns; ++turn)
        p.record(p.handlers(), p.handlers() * per_handler);
}

} // namespace

BOOST_AUTO_TEST_CASE(who_knows_nothing_looks_after_one_handler_then_after_two_then_after_four)
{
    pace p(0);
    BOOST_TEST(p.handlers() == 1u);
    for (unsigned expected = 2; expected < pace::max; expected *= 2)
    {
        run_turns(p, nanoseconds(10), 1);
        BOOST_TEST(p.handlers() == expected);
    }
    run_turns(p, nanoseconds(10), 1);
    BOOST_TEST(p.handlers() == pace::max);
    run_turns(p, nanoseconds(0), 100);
    BOOST_TEST(p.handlers() == pace::max);
}

BOOST_AUTO_TEST_CASE(a_turn_takes_about_twenty_microseconds)
{
    pace p(0);
    run_turns(p, microseconds(1), 100);
    BOOST_TEST(p.handlers() >= 18u);
    BOOST_TEST(p.handlers() <= 20u);
    run_turns(p, microseconds(4), 100);
    BOOST_TEST(p.handlers() >= 4u);
    BOOST_TEST(p.handlers() <= 5u);
    BOOST_TEST(p.mean().count() >= 3'900);
    BOOST_TEST(p.mean().count() <= 4'100);
}

BOOST_AUTO_TEST_CASE(the_unbiased_mean_is_not_drawn_to_the_longer_turns)
{
    pace p(0);
    for (int turn = 0; turn != 400; ++turn)
        p.record(5, 5 * microseconds(turn % 2 == 0 ? 2 : 4));
    BOOST_TEST(p.mean().count() > 3'400);
    BOOST_TEST(p.unbiased_mean().count() > 2'900);
    BOOST_TEST(p.unbiased_mean().count() < 3'100);
}

BOOST_AUTO_TEST_CASE(one_turn_of_long_handlers_ends_the_long_turns)
{
    pace p(0);
    run_turns(p, nanoseconds(100), 50);
    BOOST_TEST(p.handlers() > 100u);
    run_turns(p, milliseconds(5), 1);
    BOOST_TEST(p.handlers() == 1u);
    run_turns(p, milliseconds(5), 100);
    BOOST_TEST(p.handlers() == 1u);
}

BOOST_AUTO_TEST_CASE(where_every_other_handler_is_long_each_is_followed_by_a_look)
{
    pace p(0);
    for (int n = 0; n != 10; ++n)
        p.record(1, microseconds(n % 2 == 0 ? 100 : 1));
    for (int n = 0; n != 1000; ++n)
    {
        BOOST_TEST_REQUIRE(p.handlers() == 1u);
        p.record(1, microseconds(n % 2 == 0 ? 100 : 1));
    }
}

BOOST_AUTO_TEST_CASE(no_look_comes_later_than_after_a_few_long_handlers_however_they_are_mixed)
{
    // One in a hundred takes 5 ms, the others 1 us: as many handlers as a turn has, in this order.
    pace p(0);
    unsigned handler = 0;
    nanoseconds longest{0};
    for (int turn = 0; turn != 10'000; ++turn)
    {
        nanoseconds elapsed{0};
        unsigned const count = p.handlers();
        for (unsigned n = 0; n != count; ++n)
            elapsed += ++handler % 100 == 0 ? nanoseconds(milliseconds(5)) : microseconds(1);
        longest = (std::max)(longest, elapsed);
        p.record(count, elapsed);
    }
    BOOST_TEST(longest.count() < nanoseconds(milliseconds(6)).count());
}

BOOST_AUTO_TEST_CASE(a_long_handler_is_forgotten_after_some_short_turns)
{
    pace p(0);
    run_turns(p, nanoseconds(100), 50);
    p.record(1, milliseconds(4));
    BOOST_TEST(p.handlers() == 1u);
    run_turns(p, nanoseconds(100), 250);
    BOOST_TEST(p.handlers() == pace::max);
}

BOOST_AUTO_TEST_CASE(who_has_slept_starts_again)
{
    pace p(0);
    run_turns(p, nanoseconds(100), 50);
    p.start_again();
    BOOST_TEST(p.handlers() == 1u);
}

BOOST_AUTO_TEST_CASE(a_fixed_pace_stays_and_knows_the_mean)
{
    pace p(7);
    BOOST_TEST(p.fixed());
    run_turns(p, milliseconds(1), 100);
    BOOST_TEST(p.handlers() == 7u);
    BOOST_TEST(p.mean().count() > 990'000);
    p.start_again();
    BOOST_TEST(p.handlers() == 7u);
    BOOST_TEST(!pace(0).fixed());
}

// A worker that serves the queue of all: a hundred ends of writes come in a row.
BOOST_AUTO_TEST_CASE(short_handlers_one_by_one_are_long_in_the_mean_while_long_ones_come_between)
{
    pace p(0);
    for (int i = 0; i != 20; ++i)
        p.record(1, microseconds(16));
    for (int round = 0; round != 10; ++round)
    {
        for (int i = 0; i != 100; ++i)
            p.record(1, microseconds(1), true);
        BOOST_TEST(p.mean() >= microseconds(5));
        for (int i = 0; i != 100; ++i)
            p.record(1, microseconds(16), true);
        BOOST_TEST(p.mean() <= microseconds(14));
    }
    // And when no more come, they are forgotten.
    for (int i = 0; i != 1000; ++i)
        p.record(1, nanoseconds(100), true);
    BOOST_TEST(p.mean() <= nanoseconds(400));
}
