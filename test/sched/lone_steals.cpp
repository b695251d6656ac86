// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/lone_steals.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>

using weft::detail::lone_steals;

namespace
{

constexpr std::size_t owner = 3;

// Takes the only entry of a worker, which runs so many handlers until the thief has nothing left.
void steal(lone_steals& l, std::uint64_t handlers)
{
    constexpr std::uint64_t before = 1000;
    l.took(1, owner, before);
    BOOST_TEST(l.owner() == owner);
    l.ran_out(before + handlers);
    BOOST_TEST(l.owner() == lone_steals::nobody);
}

lone_steals disappointed()
{
    lone_steals l;
    for (int i = 0; i != 4; ++i)
    {
        BOOST_TEST(!l.in_vain());
        steal(l, 1);
    }
    BOOST_TEST(l.in_vain());
    return l;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_thief_starts_without_experience)
{
    lone_steals const l;
    BOOST_TEST(!l.in_vain());
    BOOST_TEST(l.owner() == lone_steals::nobody);
}

BOOST_AUTO_TEST_CASE(steals_from_owners_without_other_work_are_in_vain)
{
    lone_steals l = disappointed();
    steal(l, 0);
    BOOST_TEST(l.in_vain());
}

BOOST_AUTO_TEST_CASE(one_from_an_owner_with_other_work_makes_up_for_all)
{
    lone_steals l = disappointed();
    steal(l, 8);
    BOOST_TEST(!l.in_vain());
    for (int i = 0; i != 3; ++i)
        steal(l, 7);
    BOOST_TEST(!l.in_vain());
    steal(l, 7);
    BOOST_TEST(l.in_vain());
}

BOOST_AUTO_TEST_CASE(so_does_one_of_several_entries)
{
    lone_steals l = disappointed();
    l.took(2, owner, 0);
    BOOST_TEST(!l.in_vain());
    BOOST_TEST(l.owner() == lone_steals::nobody);
}

BOOST_AUTO_TEST_CASE(a_sleep_makes_it_forget)
{
    lone_steals l = disappointed();
    l.took(1, owner, 0);
    l.forget();
    BOOST_TEST(!l.in_vain());
    BOOST_TEST(l.owner() == lone_steals::nobody);
}
