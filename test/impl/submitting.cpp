// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/impl/submitting.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

using weft::detail::submitting;

// Operations are addresses here.

BOOST_AUTO_TEST_SUITE(impl_submitting)

BOOST_AUTO_TEST_CASE(an_operation_that_is_destroyed_in_its_submission_is_refused)
{
    int const op = 0;
    submitting const here(&op);
    BOOST_TEST(!here.refused());
    BOOST_TEST(submitting::destroyed(&op));
    BOOST_TEST(here.refused());
}

BOOST_AUTO_TEST_CASE(an_operation_that_is_called_is_not_refused)
{
    int const op = 0;
    submitting const here(&op);
    submitting::called(&op);
    BOOST_TEST(!here.refused());
}

BOOST_AUTO_TEST_CASE(an_operation_that_is_kept_and_destroyed_later_is_not_refused)
{
    int const op = 0;
    {
        submitting const here(&op);
        BOOST_TEST(!here.refused());
    }
    BOOST_TEST(!submitting::destroyed(&op));
    submitting::called(&op);
    BOOST_TEST(!submitting::destroyed(&op));
}

BOOST_AUTO_TEST_CASE(what_becomes_of_other_operations_does_not_matter)
{
    int const op = 0;
    int const other = 0;
    submitting const here(&op);
    BOOST_TEST(!submitting::destroyed(&other));
    BOOST_TEST(!here.refused());
    submitting::called(&other);
    BOOST_TEST(submitting::destroyed(&op));
    BOOST_TEST(here.refused());
}

BOOST_AUTO_TEST_CASE(another_operation_at_the_address_of_one_that_was_called_is_not_refused)
{
    int const op = 0;
    submitting const here(&op);
    submitting::called(&op);
    BOOST_TEST(!submitting::destroyed(&op));
    BOOST_TEST(!here.refused());
}

BOOST_AUTO_TEST_CASE(another_operation_at_the_address_of_one_that_was_refused_is_not)
{
    int const op = 0;
    submitting const here(&op);
    BOOST_TEST(submitting::destroyed(&op));
    BOOST_TEST(!submitting::destroyed(&op));
    BOOST_TEST(here.refused());
}

BOOST_AUTO_TEST_CASE(an_operation_is_refused_from_within_the_submission_of_another)
{
    int const ops[3] = {};
    submitting const outer(&ops[0]);
    submitting const middle(&ops[1]);
    submitting const inner(&ops[2]);
    BOOST_TEST(submitting::destroyed(&ops[1]));
    BOOST_TEST(middle.refused());
    BOOST_TEST(!inner.refused());
    BOOST_TEST(submitting::destroyed(&ops[0]));
    BOOST_TEST(outer.refused());
    BOOST_TEST(!inner.refused());
    BOOST_TEST(submitting::destroyed(&ops[2]));
    BOOST_TEST(inner.refused());
}

BOOST_AUTO_TEST_CASE(a_submission_goes_on_when_one_inside_it_has_ended)
{
    int const ops[2] = {};
    submitting const outer(&ops[0]);
    {
        submitting const inner(&ops[1]);
        submitting::called(&ops[1]);
    }
    BOOST_TEST(!submitting::destroyed(&ops[1]));
    BOOST_TEST(submitting::destroyed(&ops[0]));
    BOOST_TEST(outer.refused());
}

// The handler of the one that is called starts another, which gets its memory.
BOOST_AUTO_TEST_CASE(an_address_that_is_submitted_again_inside_is_the_inner_operations)
{
    int const op = 0;
    submitting const outer(&op);
    submitting::called(&op);
    {
        submitting const inner(&op);
        BOOST_TEST(submitting::destroyed(&op));
        BOOST_TEST(inner.refused());
        BOOST_TEST(!submitting::destroyed(&op));
    }
    BOOST_TEST(!submitting::destroyed(&op));
    BOOST_TEST(!outer.refused());
}

BOOST_AUTO_TEST_CASE(one_submission_after_another_of_the_same_address_is_new)
{
    int const op = 0;
    std::optional<submitting> here(std::in_place, &op);
    BOOST_TEST(submitting::destroyed(&op));
    here.reset();
    here.emplace(&op);
    BOOST_TEST(!here->refused());
    BOOST_TEST(submitting::destroyed(&op));
    BOOST_TEST(here->refused());
}

BOOST_AUTO_TEST_CASE(an_operation_that_another_thread_destroys_is_not_refused)
{
    int const op = 0;
    submitting const here(&op);
    bool found = true;
    std::thread([&] { found = submitting::destroyed(&op); }).join();
    BOOST_TEST(!found);
    BOOST_TEST(!here.refused());
    BOOST_TEST(submitting::destroyed(&op));
}

// It is known by its address.
static_assert(!std::is_move_constructible<submitting>::value);

BOOST_AUTO_TEST_SUITE_END()
