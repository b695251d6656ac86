// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sync/served_list.hpp>
#include <weft/sync/waiter.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

using weft::detail::acquisition;
using weft::detail::served_list;
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

BOOST_AUTO_TEST_CASE(a_list_knows_how_many_wait)
{
    waiter_list list;
    person a, b;
    BOOST_TEST(list.size() == 0u);
    list.push(a);
    list.push(b);
    BOOST_TEST(list.size() == 2u);
    a.unlink();
    BOOST_TEST(list.size() == 1u);
    b.unlink();
    BOOST_TEST(list.size() == 0u);
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

BOOST_AUTO_TEST_CASE(all_are_taken_out_with_the_lock_free_in_between)
{
    constexpr std::size_t batch = served_list::batch;
    for (std::size_t n :
        {std::size_t(0), std::size_t(1), batch - 1, batch, batch + 1, 2 * batch, 2 * batch + 1})
    {
        struct
        {
            bool held = true;
            std::size_t times_locked = 0;

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
        served_list out;
        take_out_and_unlock(list, lock, acquisition::closed, out);
        BOOST_TEST(!lock.held);
        BOOST_TEST(lock.times_locked == (n == 0 ? 0 : (n - 1) / batch));
        BOOST_TEST(out.empty() == (n == 0));
        std::size_t found = 0;
        out.for_each(
            [&](waiter& w, acquisition outcome)
            {
                BOOST_TEST(&w == &people[found]);
                BOOST_TEST(!w.linked());
                BOOST_TEST((outcome == acquisition::closed));
                ++found;
            });
        BOOST_TEST(found == n);
    }
}

BOOST_AUTO_TEST_CASE(each_is_served_with_its_outcome_and_may_end_then)
{
    constexpr acquisition outcomes[] = {
        acquisition::acquired, acquisition::closed, acquisition::acquired};
    std::deque<std::unique_ptr<person>> people;
    served_list out;
    for (acquisition const o : outcomes)
        out.push(*people.emplace_back(std::make_unique<person>()), o);
    std::size_t resumed = 0;
    auto resume = [&](waiter& w, acquisition outcome)
    {
        BOOST_TEST(&w == people.front().get());
        BOOST_TEST((outcome == outcomes[resumed]));
        ++resumed;
        people.pop_front();
    };
    resume_all(out, resume);
    BOOST_TEST(resumed == 3u);
}

// The first one resumed may be the end of what the others are looked for in.
BOOST_AUTO_TEST_CASE(all_are_settled_before_the_first_is_resumed)
{
    struct
    {
        void settle(waiter&, acquisition)
        {
            BOOST_TEST(resumed == 0);
            ++settled;
        }

        void operator()(waiter&)
        {
            BOOST_TEST(settled == 3);
            ++resumed;
        }

        int settled = 0;
        int resumed = 0;
    } resume;
    person people[3];
    served_list out;
    for (person& p : people)
        out.push(p, acquisition::acquired);
    resume_all(out, resume);
    BOOST_TEST(resume.resumed == 3);
}

BOOST_AUTO_TEST_SUITE_END()
