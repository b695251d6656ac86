// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/reactor/unawaited_events.hpp>

#include <boost/test/unit_test.hpp>

using weft::detail::unawaited_events;

namespace
{

/// Of so many events, how many are asked about, of which one in `period` is unawaited.
unsigned asked_of(unawaited_events& events, unsigned count, unsigned period)
{
    unsigned asked = 0;
    for (unsigned i = 1; i <= count; ++i)
        if (events.asks())
        {
            ++asked;
            events.note(period != 0 && asked % period == 0);
        }
    return asked;
}

} // namespace

BOOST_AUTO_TEST_SUITE(unawaited)

BOOST_AUTO_TEST_CASE(one_event_in_so_many_is_asked_about_while_all_are_awaited)
{
    unawaited_events events;
    BOOST_TEST(asked_of(events, 1600, 0) == 1600 / unawaited_events::sample);
}

BOOST_AUTO_TEST_CASE(each_is_where_some_are_not)
{
    for (unsigned const period : {1u, 2u, 4u})
    {
        unawaited_events events;
        (void)asked_of(events, 10'000, period);
        BOOST_TEST(asked_of(events, 1000, period) == 1000u);
    }
}

BOOST_AUTO_TEST_CASE(few_of_them_are_not_worth_it)
{
    unawaited_events events;
    (void)asked_of(events, 100, 1);
    (void)asked_of(events, 1000, 100);
    BOOST_TEST(asked_of(events, 16'000, 100) <= 2000u);
}

BOOST_AUTO_TEST_CASE(it_learns_when_that_changes)
{
    unawaited_events events;
    (void)asked_of(events, 10'000, 0);
    // The answers to five of the sample are enough.
    (void)asked_of(events, 5 * unawaited_events::sample, 1);
    BOOST_TEST(asked_of(events, 100, 1) == 100u);
    (void)asked_of(events, 200, 0);
    BOOST_TEST(asked_of(events, 1600, 0) == 1600 / unawaited_events::sample);
}

BOOST_AUTO_TEST_SUITE_END()
