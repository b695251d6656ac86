// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/timers.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

namespace
{

struct wait
{
    explicit wait(int n) : number(n)
    {
    }

    int number;
    bool aborted = false;
    wait* following = nullptr;
};

struct waits
{
    using wait = ::wait;

    static wait* next(wait* w) noexcept
    {
        return w->following;
    }

    static void next(wait* w, wait* following) noexcept
    {
        w->following = following;
    }

    static void abort(wait* w) noexcept
    {
        w->aborted = true;
    }

    static void const* key(wait* w) noexcept
    {
        return w;
    }
};

using timers = weft::detail::timers<waits>;
using weft::detail::never;
constexpr std::size_t all_waits = (std::numeric_limits<std::size_t>::max)();

// Collects what ends.
struct ended
{
    std::vector<int> numbers;

    auto operator()()
    {
        return [this](wait* w)
        {
            numbers.push_back(w->aborted ? -w->number : w->number);
        };
    }
};

void expect(ended const& e, std::vector<int> const& numbers)
{
    BOOST_TEST(e.numbers == numbers, boost::test_tools::per_element());
}

} // namespace

BOOST_AUTO_TEST_CASE(waits_end_when_their_time_has_come_and_not_before)
{
    timers all_of;
    timers::timer t;
    wait w(1);
    BOOST_TEST(!all_of.add(t, false, 3, 10, &w));
    BOOST_TEST(all_of.earliest() == 10);
    ended e;
    BOOST_TEST(all_of.take_expired(9, e()) == 0u);
    BOOST_TEST(all_of.take_expired(10, e()) == 1u);
    expect(e, {1});
    BOOST_TEST(all_of.earliest() == never);
    BOOST_TEST(t.release());
}

BOOST_AUTO_TEST_CASE(waits_of_one_timer_end_in_the_order_in_which_they_began)
{
    timers all_of;
    timers::timer t;
    wait a(1);
    wait b(2);
    wait c(3);
    (void)all_of.add(t, false, 0, 10, &a);
    (void)all_of.add(t, true, 1, 10, &b);
    (void)all_of.add(t, true, 2, 10, &c);
    BOOST_TEST(all_of.size() == 3u);
    ended e;
    BOOST_TEST(all_of.cancel(t, 1, e()) == 1u);
    BOOST_TEST(all_of.size() == 2u);
    BOOST_TEST(all_of.take_expired(10, e()) == 2u);
    BOOST_TEST(all_of.size() == 0u);
    BOOST_TEST(all_of.cancel(t, all_waits, e()) == 0u);
    expect(e, {-1, 2, 3});
}

BOOST_AUTO_TEST_CASE(timers_of_different_places_end_in_the_order_of_their_times)
{
    timers all_of;
    timers::timer ts[6];
    std::vector<wait> ws;
    for (int i = 0; i != 6; ++i)
        ws.emplace_back(i);
    int const order[] = {4, 0, 5, 2, 1, 3};
    for (int i : order)
        (void)all_of.add(
            ts[i], false, static_cast<std::size_t>(i % 3), 10 + i, &ws[std::size_t(i)]);
    ended e;
    BOOST_TEST(all_of.take_expired(14, e()) == 5u);
    expect(e, {0, 1, 2, 3, 4});
    BOOST_TEST(all_of.earliest() == 15);
    BOOST_TEST(all_of.take_all(e()) == 1u);
}

BOOST_AUTO_TEST_CASE(a_cancelled_timer_is_the_earliest_no_longer)
{
    timers all_of;
    timers::timer t;
    timers::timer u;
    wait w(1);
    wait x(2);
    (void)all_of.add(t, false, 0, 10, &w);
    (void)all_of.add(u, false, 0, 20, &x);
    ended e;
    BOOST_TEST(all_of.cancel(t, all_waits, e()) == 1u);
    BOOST_TEST(all_of.earliest() == 20);
    BOOST_TEST(all_of.cancel(u, all_waits, e()) == 1u);
    BOOST_TEST(all_of.earliest() == never);
    expect(e, {-1, -2});
}

BOOST_AUTO_TEST_CASE(a_key_cancels_its_wait_alone)
{
    timers all_of;
    timers::timer t;
    wait a(1);
    wait b(2);
    wait c(3);
    for (wait* w : {&a, &b, &c})
        (void)all_of.add(t, w != &a, 0, 10, w);
    ended e;
    all_of.cancel_key(t, &b, e());
    expect(e, {-2});
    BOOST_TEST(all_of.earliest() == 10);
    all_of.cancel_key(t, &b, e());
    all_of.cancel_key(t, &a, e());
    all_of.cancel_key(t, &c, e());
    expect(e, {-2, -1, -3});
    BOOST_TEST(all_of.earliest() == never);
}

BOOST_AUTO_TEST_CASE(a_shared_timer_can_change_its_place_between_waits)
{
    timers all_of;
    timers::timer t;
    t.share();
    ended e;
    for (std::size_t place = 0; place != 2 * timers::max_shards; ++place)
    {
        wait w(1);
        (void)all_of.add(t, false, place, 10, &w);
        BOOST_TEST(all_of.earliest() == 10);
        all_of.cancel_key(t, &w, e());
        BOOST_TEST(w.aborted);
        BOOST_TEST(all_of.earliest() == never);
    }
    BOOST_TEST(!t.release());
    BOOST_TEST(t.release());
}

BOOST_AUTO_TEST_CASE(who_sleeps_is_to_be_woken_for_an_earlier_time_only)
{
    timers all_of;
    timers::timer ts[5];
    wait w[5] = {wait(0), wait(1), wait(2), wait(3), wait(4)};
    // Nobody sleeps.
    BOOST_TEST(!all_of.add(ts[0], false, 0, 100, &w[0]));
    BOOST_TEST(all_of.begin_sleep(200) == 100);
    BOOST_TEST(!all_of.add(ts[1], false, 1, 100, &w[1]));
    BOOST_TEST(!all_of.add(ts[2], false, 1, 110, &w[2]));
    BOOST_TEST(all_of.add(ts[3], false, 1, 90, &w[3]));
    all_of.end_sleep();
    BOOST_TEST(!all_of.add(ts[4], false, 1, 80, &w[4]));
    BOOST_TEST(all_of.begin_sleep(70) == 70);
    all_of.end_sleep();
    BOOST_TEST(all_of.begin_sleep(never) == 80);
    all_of.end_sleep();
    ended e;
    BOOST_TEST(all_of.take_all(e()) == 5u);
}

BOOST_AUTO_TEST_CASE(more_waits_than_end_at_once_end_in_order)
{
    timers all_of;
    auto const ts = std::make_unique<timers::timer[]>(1000);
    std::vector<wait> ws;
    std::vector<int> expected;
    for (int i = 0; i != 1000; ++i)
    {
        ws.emplace_back(i);
        expected.push_back(i);
    }
    for (int i = 999; i >= 0; --i)
        (void)all_of.add(
            ts[std::size_t(i)], false, static_cast<std::size_t>(i % 7), i, &ws[std::size_t(i)]);
    ended e;
    BOOST_TEST(all_of.take_expired(1000, e()) == 1000u);
    expect(e, expected);
}

BOOST_AUTO_TEST_CASE(a_timer_for_never_waits_until_it_is_cancelled)
{
    timers all_of;
    timers::timer t;
    timers::timer u;
    wait w(1);
    wait x(2);
    BOOST_TEST(all_of.begin_sleep(50) == 50);
    BOOST_TEST(!all_of.add(t, false, 0, never, &w));
    BOOST_TEST(!all_of.add(u, false, 0, never, &x));
    all_of.end_sleep();
    ended e;
    BOOST_TEST(all_of.take_expired(never - 1, e()) == 0u);
    BOOST_TEST(all_of.cancel(t, all_waits, e()) == 1u);
    BOOST_TEST(all_of.take_all(e()) == 1u);
    expect(e, {-1, 2});
}
