// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sync/waiter.hpp>

#include <boost/test/unit_test.hpp>

using weft::detail::waiter;
using weft::detail::waiter_list;

namespace
{

struct person : waiter
{
};

} // namespace

BOOST_AUTO_TEST_SUITE(sync_waiter)

BOOST_AUTO_TEST_CASE(first_in_first_out)
{
    waiter_list list;
    person a, b;
    BOOST_TEST(list.empty());
    BOOST_TEST(!a.linked());
    list.push(a);
    list.push(b);
    BOOST_TEST(a.linked());
    BOOST_TEST(&list.front() == &a);
    BOOST_TEST(&list.pop() == &a);
    BOOST_TEST(!a.linked());
    BOOST_TEST(&list.pop() == &b);
    BOOST_TEST(list.empty());
}

BOOST_AUTO_TEST_CASE(a_waiter_leaves_from_anywhere)
{
    waiter_list list;
    person a, b, c;
    for (person* const p : {&a, &b, &c})
        list.push(*p);
    b.unlink();
    BOOST_TEST(!b.linked());
    c.unlink();
    list.push(b);
    BOOST_TEST(&list.pop() == &a);
    BOOST_TEST(&list.pop() == &b);
    BOOST_TEST(list.empty());
}

BOOST_AUTO_TEST_CASE(a_list_is_taken_whole)
{
    waiter_list from, to;
    to.take(from);
    BOOST_TEST(to.empty());
    person a, b;
    from.push(a);
    from.push(b);
    to.take(from);
    BOOST_TEST(from.empty());
    a.unlink();
    BOOST_TEST(&to.pop() == &b);
    BOOST_TEST(to.empty());
}

BOOST_AUTO_TEST_SUITE_END()
