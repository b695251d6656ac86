// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/sleeper_set.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <initializer_list>

namespace
{

using weft::detail::sleeper_set;

constexpr std::size_t none = sleeper_set::none;

sleeper_set make(std::size_t count, std::initializer_list<std::size_t> members)
{
    sleeper_set s;
    s.reserve(count);
    for (std::size_t const index : members)
        s.insert(index);
    return s;
}

} // namespace

BOOST_AUTO_TEST_CASE(nobody_is_picked_from_an_empty_set)
{
    BOOST_TEST(sleeper_set().pick(none) == none);
    BOOST_TEST(make(1, {}).pick(none) == none);
    BOOST_TEST(make(200, {}).pick(70) == none);
}

BOOST_AUTO_TEST_CASE(members_are_those_inserted_and_not_erased)
{
    sleeper_set s = make(130, {0, 63, 64, 129});
    for (std::size_t i = 0; i != 130; ++i)
        BOOST_TEST(s.contains(i) == (i == 0 || i == 63 || i == 64 || i == 129));
    BOOST_TEST(s.erase(64));
    BOOST_TEST(!s.contains(64));
    BOOST_TEST(!s.erase(64));
    BOOST_TEST(!s.erase(1));
    BOOST_TEST(s.contains(63));
    BOOST_TEST(s.contains(129));
}

BOOST_AUTO_TEST_CASE(inserting_twice_is_inserting_once)
{
    sleeper_set s = make(70, {65, 65});
    BOOST_TEST(s.erase(65));
    BOOST_TEST(s.pick(none) == none);
}

BOOST_AUTO_TEST_CASE(lowest_member_is_picked_and_stays)
{
    sleeper_set s = make(200, {199, 5, 70});
    BOOST_TEST(s.pick(none) == 5u);
    BOOST_TEST(s.contains(5));
    s.erase(5);
    BOOST_TEST(s.pick(none) == 70u);
    s.erase(70);
    BOOST_TEST(s.pick(none) == 199u);
}

BOOST_AUTO_TEST_CASE(last_choice_is_picked_only_if_it_is_alone)
{
    for (std::size_t const last : {std::size_t{3}, std::size_t{64}, std::size_t{127}})
    {
        sleeper_set s = make(200, {last, 150});
        BOOST_TEST(s.pick(last) == 150u);
        s.erase(150);
        BOOST_TEST(s.pick(last) == last);
        BOOST_TEST(s.contains(last));
    }
}

BOOST_AUTO_TEST_CASE(last_choice_that_is_no_member_is_not_picked)
{
    BOOST_TEST(make(200, {150}).pick(3) == 150u);
    BOOST_TEST(make(200, {}).pick(3) == none);
}

BOOST_AUTO_TEST_CASE(growing_keeps_the_members_and_shrinking_is_ignored)
{
    sleeper_set s = make(10, {9});
    s.reserve(65536);
    s.insert(65535);
    BOOST_TEST(s.contains(9));
    BOOST_TEST(s.contains(65535));
    s.reserve(1);
    BOOST_TEST(s.contains(65535));
    BOOST_TEST(s.pick(9) == 65535u);
}

BOOST_AUTO_TEST_CASE(who_went_to_sleep_on_the_cpu_is_picked_before_lower_members)
{
    sleeper_set s;
    s.reserve(130);
    s.insert(1, 0);
    s.insert(2, 1);
    s.insert(5, 1);
    s.insert(129, 2);
    BOOST_TEST(s.pick(none, 1) == 2u);
    BOOST_TEST(s.pick(2, 1) == 5u);
    s.erase(2);
    BOOST_TEST(s.pick(none, 1) == 5u);
    BOOST_TEST(s.pick(none, 0) == 1u);
    BOOST_TEST(s.pick(none) == 1u);
}

BOOST_AUTO_TEST_CASE(lowest_member_is_picked_if_none_of_the_first_is_on_the_cpu)
{
    sleeper_set s;
    s.reserve(130);
    s.insert(7, 0);
    s.insert(8);
    s.insert(129, 2);
    BOOST_TEST(s.pick(none, 3) == 7u);
    BOOST_TEST(s.pick(7, 3) == 8u);
    BOOST_TEST(s.pick(none, 2) == 7u);
    s.erase(7);
    s.erase(8);
    BOOST_TEST(s.pick(none, 2) == 129u);
    BOOST_TEST(s.pick(129, 2) == 129u);
}

BOOST_AUTO_TEST_CASE(a_member_is_where_it_was_inserted_last)
{
    sleeper_set s;
    s.reserve(10);
    s.insert(3, 0);
    s.insert(4, 1);
    s.erase(4);
    s.insert(4);
    BOOST_TEST(s.pick(none, 1) == 3u);
    s.reserve(1000);
    s.insert(4, 1);
    BOOST_TEST(s.pick(none, 1) == 4u);
    BOOST_TEST(s.pick(none, 0) == 3u);
}
