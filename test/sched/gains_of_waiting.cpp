// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/gains_of_waiting.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

namespace
{

using table = weft::detail::gains_of_waiting;

void note(table& gains, std::size_t place, bool has_waited, bool found, int count)
{
    while (count-- != 0)
        gains.note(place, has_waited, found);
}

} // namespace

BOOST_AUTO_TEST_SUITE(gains_of_waiting)

BOOST_AUTO_TEST_CASE(they_are_expected_until_those_that_wait_find_nothing)
{
    table gains;
    auto const place = gains.place_of(1);
    BOOST_TEST(gains.are_expected(place));
    note(gains, place, true, true, 100);
    BOOST_TEST(gains.are_expected(place));
    note(gains, place, true, false, 100);
    BOOST_TEST(!gains.are_expected(place));
    note(gains, place, true, true, 100);
    BOOST_TEST(gains.are_expected(place));
}

BOOST_AUTO_TEST_CASE(or_until_those_that_come_at_once_find_as_much)
{
    table gains;
    auto const place = gains.place_of(1);
    note(gains, place, false, true, 100);
    BOOST_TEST(!gains.are_expected(place));
    note(gains, place, true, true, 100);
    BOOST_TEST(!gains.are_expected(place));
    note(gains, place, false, false, 100);
    BOOST_TEST(gains.are_expected(place));
}

// Of those that wait 7 in 16 find something: enough to go on, not to begin.
BOOST_AUTO_TEST_CASE(whether_those_that_wait_find_something_does_not_depend_on_the_others)
{
    table gains;
    auto const place = gains.place_of(1);
    auto const other = gains.place_of(2);
    BOOST_TEST(gains.finds_waiting(place));
    note(gains, place, false, true, 100);
    BOOST_TEST(gains.finds_waiting(place));
    note(gains, place, true, false, 100);
    BOOST_TEST(!gains.finds_waiting(place));
    BOOST_TEST(gains.finds_waiting(other));
    note(gains, place, false, false, 100);
    BOOST_TEST(!gains.finds_waiting(place));
    note(gains, place, true, true, 100);
    BOOST_TEST(gains.finds_waiting(place));
}

BOOST_AUTO_TEST_CASE(what_is_in_between_changes_nothing)
{
    for (bool const expected : {false, true})
    {
        table gains;
        auto const place = gains.place_of(1);
        if (!expected)
            note(gains, place, true, false, 100);
        BOOST_TEST_REQUIRE(gains.are_expected(place) == expected);
        BOOST_TEST_REQUIRE(gains.finds_waiting(place) == expected);
        for (int i = 0; i != 1600; ++i)
        {
            gains.note(place, true, i * 7 % 16 < 7);
            BOOST_TEST_REQUIRE(gains.are_expected(place) == expected);
            BOOST_TEST_REQUIRE(gains.finds_waiting(place) == expected);
        }
    }
}

BOOST_AUTO_TEST_CASE(each_kind_has_a_place_and_there_are_enough)
{
    table gains;
    std::set<std::size_t> places;
    for (std::uint64_t kind = 1; kind <= table::most_kinds; ++kind)
        places.insert(gains.place_of(0x5555'0000'0000 + kind * 16));
    BOOST_TEST(places.size() == table::most_kinds);
    for (std::uint64_t kind = 1; kind <= table::most_kinds; ++kind)
        BOOST_TEST(places.count(gains.place_of(0x5555'0000'0000 + kind * 16)) == 1u);
    BOOST_TEST(places.count(gains.place_of(7)) == 1u);
}

BOOST_AUTO_TEST_CASE(several_threads_find_the_same_places)
{
    table gains;
    std::vector<std::size_t> found[2];
    auto const look = [&](std::vector<std::size_t>& into)
    {
        for (std::uint64_t kind = 1; kind <= table::most_kinds; ++kind)
        {
            into.push_back(gains.place_of(kind));
            gains.note(into.back(), true, kind % 2 == 0);
        }
    };
    std::thread other([&] { look(found[0]); });
    look(found[1]);
    other.join();
    BOOST_TEST(found[0] == found[1], boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
