// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/single_task_steals.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

using weft::detail::single_task_steals;

namespace
{

constexpr std::size_t owner = 3;

constexpr std::uint64_t before = 1000;
constexpr single_task_steals::time_point now{std::chrono::hours(1)};

// Takes the only entry of a worker, which runs so many handlers, and last had nothing left so long
// after the steal, until the thief has nothing.
void steal(single_task_steals& l, std::uint64_t handlers,
    std::chrono::nanoseconds idle = std::chrono::nanoseconds(100))
{
    l.took(1, owner, before, now);
    BOOST_TEST(l.owner() == owner);
    l.ran_out(before + handlers, now + idle);
    BOOST_TEST(l.owner() == single_task_steals::nobody);
}

single_task_steals disappointed()
{
    single_task_steals l;
    for (int i = 0; i != 4; ++i)
    {
        BOOST_TEST(!l.unprofitable());
        steal(l, 1);
    }
    BOOST_TEST(l.unprofitable());
    return l;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_thief_starts_without_experience)
{
    single_task_steals const l;
    BOOST_TEST(!l.unprofitable());
    BOOST_TEST(l.owner() == single_task_steals::nobody);
}

BOOST_AUTO_TEST_CASE(steals_from_owners_without_other_work_are_unprofitable)
{
    single_task_steals l = disappointed();
    steal(l, 0);
    BOOST_TEST(l.unprofitable());
}

BOOST_AUTO_TEST_CASE(one_from_an_owner_with_other_work_outweighs_two)
{
    single_task_steals l = disappointed();
    steal(l, 8);
    BOOST_TEST(!l.unprofitable());
    steal(l, 7);
    BOOST_TEST(!l.unprofitable());
    steal(l, 7);
    BOOST_TEST(l.unprofitable());
}

BOOST_AUTO_TEST_CASE(after_many_unprofitable_ones_a_few_of_use_are_needed)
{
    single_task_steals l = disappointed();
    for (int i = 0; i != 100; ++i)
        steal(l, 0);
    steal(l, 8);
    steal(l, 8);
    BOOST_TEST(l.unprofitable());
    steal(l, 8);
    BOOST_TEST(!l.unprofitable());
    for (int i = 0; i != 100; ++i)
        steal(l, 8);
    for (int i = 0; i != 4; ++i)
        steal(l, 0);
    BOOST_TEST(l.unprofitable());
}

BOOST_AUTO_TEST_CASE(one_from_an_owner_that_is_still_in_its_handler_is_of_use)
{
    single_task_steals l = disappointed();
    steal(l, 0, -std::chrono::nanoseconds(1));
    BOOST_TEST(!l.unprofitable());
}

BOOST_AUTO_TEST_CASE(so_is_one_from_an_owner_that_was_in_it_for_a_while)
{
    single_task_steals l = disappointed();
    steal(l, 0, std::chrono::nanoseconds(1499));
    BOOST_TEST(l.unprofitable());
    steal(l, 0, std::chrono::nanoseconds(1500));
    BOOST_TEST(!l.unprofitable());
}

BOOST_AUTO_TEST_CASE(several_entries_make_up_for_all)
{
    single_task_steals l = disappointed();
    l.took(2, owner, before, now);
    BOOST_TEST(!l.unprofitable());
    BOOST_TEST(l.owner() == single_task_steals::nobody);
}

BOOST_AUTO_TEST_CASE(a_sleep_makes_it_forget_one)
{
    single_task_steals l = disappointed();
    l.took(1, owner, before, now);
    l.slept();
    BOOST_TEST(!l.unprofitable());
    BOOST_TEST(l.owner() == single_task_steals::nobody);
    steal(l, 0);
    BOOST_TEST(l.unprofitable());
    for (int i = 0; i != 100; ++i)
        l.slept();
    for (int i = 0; i != 3; ++i)
        steal(l, 0);
    BOOST_TEST(!l.unprofitable());
}

BOOST_AUTO_TEST_CASE(all_can_be_forgotten)
{
    single_task_steals l = disappointed();
    l.took(1, owner, before, now);
    l.forget();
    BOOST_TEST(!l.unprofitable());
    BOOST_TEST(l.owner() == single_task_steals::nobody);
}
