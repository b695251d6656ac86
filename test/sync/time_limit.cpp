// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sync/time_limit.hpp>

#include <boost/test/unit_test.hpp>

namespace
{

// Takes out, or finds that somebody else has; counts how often it is asked.
struct taker
{
    bool mine;
    int calls = 0;

    bool operator()()
    {
        ++calls;
        return mine;
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(sync_time_limit)

BOOST_AUTO_TEST_CASE(the_second_of_registration_and_expiry_ends_the_wait)
{
    weft::detail::time_limit timer_second;
    BOOST_TEST(!timer_second.registered());
    BOOST_TEST(timer_second.expired());

    weft::detail::time_limit timer_first;
    BOOST_TEST(!timer_first.expired());
    BOOST_TEST(timer_first.registered());
}

BOOST_AUTO_TEST_CASE(who_takes_the_operation_out_is_decided_by_the_state)
{
    weft::detail::time_limit limit;
    taker in_vain{false};
    BOOST_TEST(!limit.end_wait(in_vain));
    taker take{true};
    BOOST_TEST(limit.end_wait(take));
    BOOST_TEST(in_vain.calls == 1);
    BOOST_TEST(take.calls == 1);
    // Does not wait for looks that are over.
    limit.ended();
}

BOOST_AUTO_TEST_CASE(nobody_looks_into_the_primitive_when_the_wait_has_ended)
{
    weft::detail::time_limit limit;
    limit.ended();
    taker take{true};
    BOOST_TEST(!limit.end_wait(take));
    BOOST_TEST(take.calls == 0);
}

BOOST_AUTO_TEST_CASE(the_last_of_three_users_gets_the_operation)
{
    weft::detail::time_limit limit;
    BOOST_TEST(!limit.leave());
    BOOST_TEST(!limit.leave());
    BOOST_TEST(!limit.is_over());
    limit.give_up();
    BOOST_TEST(limit.leave());
    BOOST_TEST(limit.is_over());
    BOOST_TEST(limit.given_up());
}

BOOST_AUTO_TEST_CASE(a_wait_that_never_began_has_fewer_users)
{
    weft::detail::time_limit started;
    started.used_by_nobody_else();
    BOOST_TEST(!started.given_up());
    BOOST_TEST(started.leave());

    weft::detail::time_limit complete;
    complete.used_by_nobody();
    BOOST_TEST(complete.is_over());
}

BOOST_AUTO_TEST_SUITE_END()
