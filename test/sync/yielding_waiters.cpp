// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sync/yielding_waiters.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

using weft::detail::yielding_waiters;

namespace
{

struct person : weft::detail::waiter
{
};

} // namespace

BOOST_AUTO_TEST_SUITE(sync_yielding_waiters)

BOOST_AUTO_TEST_CASE(one_whose_turn_comes_leaves)
{
    yielding_waiters list;
    person a;
    BOOST_TEST(!a.yields());
    list.add(a);
    BOOST_TEST(a.yields());
    BOOST_TEST(list.leave(a));
    BOOST_TEST(!a.yields());
    list.returned();
    list.add(a);
    BOOST_TEST(list.leave(a));
    list.returned();
    list.finish();
}

BOOST_AUTO_TEST_CASE(one_that_is_taken_learns_it)
{
    yielding_waiters list;
    person a, b, c;
    list.add(a);
    list.add(b);
    list.add(c);
    list.take(b);
    BOOST_TEST(!list.leave(b));
    BOOST_TEST(b.yields());
    list.take_all();
    BOOST_TEST(!list.leave(a));
    BOOST_TEST(!list.leave(c));
    list.take(a);
    list.finish();
}

BOOST_AUTO_TEST_CASE(the_end_waits_for_those_that_are_asking)
{
    yielding_waiters list;
    person a;
    list.add(a);
    BOOST_TEST(list.leave(a));
    std::atomic<bool> ended{false};
    std::thread end(
        [&]
        {
            list.finish();
            ended = true;
        });
    BOOST_TEST(!ended);
    list.returned();
    end.join();
}

BOOST_AUTO_TEST_SUITE_END()
