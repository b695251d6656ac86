// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/wait/submission_guard.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

using weft::detail::submission_guard;

// Operations are addresses here.

BOOST_AUTO_TEST_SUITE(wait_submission_guard)

BOOST_AUTO_TEST_CASE(an_operation_that_is_destroyed_in_its_submission_is_refused)
{
    int const op = 0;
    submission_guard const here(&op, true);
    BOOST_TEST(submission_guard::refused_with_permits(&op));
}

BOOST_AUTO_TEST_CASE(an_operation_that_is_called_is_not_refused)
{
    int const op = 0;
    submission_guard const here(&op, true);
    submission_guard::called(&op);
    BOOST_TEST(!submission_guard::refused_with_permits(&op));
}

BOOST_AUTO_TEST_CASE(an_operation_without_permits_has_none_when_it_is_refused)
{
    int const op = 0;
    submission_guard const outer(&op, true);
    {
        submission_guard const inner(&op, false);
        BOOST_TEST(!submission_guard::refused_with_permits(&op));
    }
    BOOST_TEST(submission_guard::refused_with_permits(&op));
}

BOOST_AUTO_TEST_CASE(an_operation_that_is_kept_and_destroyed_later_is_not_refused)
{
    int const op = 0;
    {
        submission_guard const here(&op, true);
    }
    BOOST_TEST(!submission_guard::refused_with_permits(&op));
    submission_guard::called(&op);
    BOOST_TEST(!submission_guard::refused_with_permits(&op));
}

BOOST_AUTO_TEST_CASE(what_becomes_of_other_operations_does_not_matter)
{
    int const op = 0;
    int const other = 0;
    submission_guard const here(&op, true);
    BOOST_TEST(!submission_guard::refused_with_permits(&other));
    submission_guard::called(&other);
    BOOST_TEST(submission_guard::refused_with_permits(&op));
}

BOOST_AUTO_TEST_CASE(another_operation_at_the_address_of_one_that_was_called_is_not_refused)
{
    int const op = 0;
    submission_guard const here(&op, true);
    submission_guard::called(&op);
    BOOST_TEST(!submission_guard::refused_with_permits(&op));
}

BOOST_AUTO_TEST_CASE(another_operation_at_the_address_of_one_that_was_refused_is_not)
{
    int const op = 0;
    submission_guard const here(&op, true);
    BOOST_TEST(submission_guard::refused_with_permits(&op));
    BOOST_TEST(!submission_guard::refused_with_permits(&op));
}

BOOST_AUTO_TEST_CASE(an_operation_is_refused_from_within_the_submission_of_another)
{
    int const ops[3] = {};
    submission_guard const outer(&ops[0], true);
    submission_guard const middle(&ops[1], true);
    submission_guard const inner(&ops[2], true);
    BOOST_TEST(submission_guard::refused_with_permits(&ops[1]));
    BOOST_TEST(submission_guard::refused_with_permits(&ops[0]));
    BOOST_TEST(submission_guard::refused_with_permits(&ops[2]));
}

BOOST_AUTO_TEST_CASE(a_submission_goes_on_when_one_inside_it_has_ended)
{
    int const ops[2] = {};
    submission_guard const outer(&ops[0], true);
    {
        submission_guard const inner(&ops[1], true);
        submission_guard::called(&ops[1]);
    }
    BOOST_TEST(!submission_guard::refused_with_permits(&ops[1]));
    BOOST_TEST(submission_guard::refused_with_permits(&ops[0]));
}

// The handler of the one that is called starts another, which gets its memory.
BOOST_AUTO_TEST_CASE(an_address_that_is_submitted_again_inside_is_the_inner_operations)
{
    int const op = 0;
    submission_guard const outer(&op, true);
    submission_guard::called(&op);
    {
        submission_guard const inner(&op, true);
        BOOST_TEST(submission_guard::refused_with_permits(&op));
        BOOST_TEST(!submission_guard::refused_with_permits(&op));
    }
    BOOST_TEST(!submission_guard::refused_with_permits(&op));
}

BOOST_AUTO_TEST_CASE(one_submission_after_another_of_the_same_address_is_new)
{
    int const op = 0;
    std::optional<submission_guard> here(std::in_place, &op, true);
    BOOST_TEST(submission_guard::refused_with_permits(&op));
    here.reset();
    here.emplace(&op, true);
    BOOST_TEST(submission_guard::refused_with_permits(&op));
}

BOOST_AUTO_TEST_CASE(an_operation_that_another_thread_destroys_is_not_refused)
{
    int const op = 0;
    submission_guard const here(&op, true);
    bool found = true;
    std::thread([&] { found = submission_guard::refused_with_permits(&op); }).join();
    BOOST_TEST(!found);
    BOOST_TEST(submission_guard::refused_with_permits(&op));
}

// It is known by its address.
static_assert(!std::is_move_constructible<submission_guard>::value);

BOOST_AUTO_TEST_SUITE_END()
