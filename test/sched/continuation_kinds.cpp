// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/continuation_kinds.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace
{

using table = weft::detail::continuation_kinds;

struct some_kinds
{
    table::kind& comes(std::uint64_t function)
    {
        return kinds.comes(function, gains);
    }

    weft::detail::gains_of_waiting gains;
    table kinds;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(continuation_kinds, some_kinds)

BOOST_AUTO_TEST_CASE(a_kind_is_known_when_it_has_come)
{
    BOOST_TEST(!kinds.find(5));
    table::kind& known = comes(5);
    BOOST_TEST(kinds.find(5) == &known);
    BOOST_TEST(&comes(5) == &known);
    BOOST_TEST(&comes(6) != &known);
    BOOST_TEST(known.place == gains.place_of(5));
    BOOST_TEST(known.is_short());
}

BOOST_AUTO_TEST_CASE(one_more_takes_the_place_of_the_one_that_has_not_come_for_longest)
{
    for (std::uint64_t kind = 1; kind <= table::most_kinds; ++kind)
        (void)comes(kind);
    (void)comes(1);
    (void)comes(100);
    BOOST_TEST(kinds.find(1));
    BOOST_TEST(!kinds.find(2));
    BOOST_TEST(kinds.find(3));
    BOOST_TEST(kinds.find(100));
    BOOST_TEST(kinds.find(100)->place == gains.place_of(100));
}

BOOST_AUTO_TEST_CASE(it_is_expected_to_take_as_long_as_all_in_the_mean)
{
    for (int i = 0; i != 200; ++i)
        kinds.took(comes(1), std::chrono::milliseconds(1));
    BOOST_TEST(!comes(1).is_short());
    for (std::uint64_t kind = 2; kind <= table::most_kinds; ++kind)
        (void)comes(kind);
    BOOST_TEST(!comes(100).is_short());
    // And a very long one counts as much as `most`.
    BOOST_TEST((comes(1).mean <= table::most));
}

BOOST_AUTO_TEST_SUITE_END()
