// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sync/waiter.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <vector>

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
    person c;
    from.push(c);
    to.take(from);
    BOOST_TEST(from.empty());
    a.unlink();
    BOOST_TEST(&to.pop() == &b);
    BOOST_TEST(&to.pop() == &c);
    BOOST_TEST(to.empty());
}

// Whoever gets the last one may destroy the lock.
BOOST_AUTO_TEST_CASE(all_are_handed_out_without_the_lock_which_is_not_touched_after_the_last)
{
    constexpr std::size_t batch = 3;
    for (std::size_t n : {0u, 1u, 2u, 3u, 4u, 6u, 7u})
    {
        struct
        {
            bool held = true;
            int times_locked = 0;

            void lock()
            {
                held = true;
                ++times_locked;
            }

            void unlock()
            {
                held = false;
            }
        } lock;
        std::vector<person> people(n);
        waiter_list list;
        for (person& p : people)
            list.push(p);
        std::size_t out = 0;
        int locked_at_the_last = 0;
        auto const take = [&](waiter& w)
        {
            BOOST_TEST(!lock.held);
            BOOST_TEST(&w == &people[out]);
            ++out;
            locked_at_the_last = lock.times_locked;
        };
        hand_out_and_unlock<batch>(list, lock, take);
        BOOST_TEST(out == n);
        BOOST_TEST(!lock.held);
        BOOST_TEST(lock.times_locked == locked_at_the_last);
    }
}

BOOST_AUTO_TEST_SUITE_END()
