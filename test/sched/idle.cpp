// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/idle.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <vector>

namespace
{

using weft::detail::idle;
using weft::detail::sleep_result;

// An idle with `count` threads inside.
struct sleepers_fixture
{
    explicit sleepers_fixture(std::size_t count, bool monitor = true) : i(monitor)
    {
        i.reserve(count);
        for (std::size_t n = 0; n != count; ++n)
            i.join([](std::uint32_t) {});
    }

    sleep_result sleep(std::size_t index, bool holds_driver = false, bool work_done = false,
        std::uint32_t cpu = weft::detail::sleeper_set::any_cpu)
    {
        return i.commit_wait(
            index, i.prepare_wait(), false, holds_driver, [work_done] { return work_done; }, cpu);
    }

    void sleep_on(std::uint32_t cpu, std::size_t index, bool holds_driver = false)
    {
        (void)sleep(index, holds_driver, false, cpu);
    }

    // Who it was, which finds nothing and stays awake.
    std::size_t wake_from(std::uint32_t cpu)
    {
        std::size_t const woken = i.commit_notify(idle::searchers::count, cpu);
        i.wake_up(woken);
        (void)i.stop_searching();
        return woken;
    }

    idle i;
};

} // namespace

BOOST_AUTO_TEST_CASE(nothing_published_means_sleep)
{
    sleepers_fixture f(2);
    BOOST_TEST((f.sleep(0) == sleep_result::parked));
    BOOST_TEST(f.i.parked() == 1u);
    BOOST_TEST(!f.i.wake_up(0).claimed);
    BOOST_TEST(f.i.parked() == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_published_after_prepare_wait_forbids_sleep)
{
    sleepers_fixture f(2);
    std::uint32_t const prepared = f.i.prepare_wait();
    BOOST_TEST(!f.i.prepare_notify());
    BOOST_TEST(
        (f.i.commit_wait(0, prepared, false, false, [] { return false; }) == sleep_result::retry));
    BOOST_TEST(f.i.parked() == 0u);
    BOOST_TEST((f.sleep(0) == sleep_result::parked));
    f.i.wake_up(0);
}

BOOST_AUTO_TEST_CASE(one_publication_wakes_one_and_a_second_none_while_that_searches)
{
    sleepers_fixture f(3);
    (void)f.sleep(0);
    (void)f.sleep(1);
    BOOST_TEST(f.i.prepare_notify());
    std::size_t const woken = f.i.commit_notify();
    BOOST_TEST(woken == 0u);
    BOOST_TEST(f.i.searching() == 1u);
    BOOST_TEST(!f.i.prepare_notify());
    BOOST_TEST(f.i.commit_notify() == idle::none);
    BOOST_TEST(f.i.wake_up(0).claimed);
    BOOST_TEST(f.i.stop_searching());
    BOOST_TEST(f.i.prepare_notify());
    BOOST_TEST(f.i.commit_notify() == 1u);
    BOOST_TEST(f.i.wake_up(1).claimed);
    BOOST_TEST(f.i.stop_searching());
}

BOOST_AUTO_TEST_CASE(the_sleeper_with_the_driver_lock_is_woken_last)
{
    sleepers_fixture f(3);
    BOOST_TEST((f.sleep(0, true) == sleep_result::parked_monitor));
    (void)f.sleep(1);
    BOOST_TEST(f.i.commit_notify() == 1u);
    f.i.wake_up(1);
    (void)f.i.stop_searching();
    BOOST_TEST(f.i.commit_notify() == 0u);
}

BOOST_AUTO_TEST_CASE(the_driver_lock_is_monitored_while_somebody_runs_and_not_when_all_sleep)
{
    sleepers_fixture f(2);
    BOOST_TEST((f.sleep(0, true) == sleep_result::parked_monitor));
    BOOST_TEST(f.i.arm_monitor() == idle::none);
    BOOST_TEST(f.i.wake_up(0).claimed == false);
    (void)f.sleep(1);
    BOOST_TEST((f.sleep(0, true) == sleep_result::parked));
    // The one that wakes later learns that nobody watches, and sees to it.
    BOOST_TEST(!f.i.wake_up(1).monitor_armed);
    BOOST_TEST(f.i.arm_monitor() == 0u);
    BOOST_TEST(f.i.wake_up(0).claimed);
    (void)f.i.stop_searching();
}

BOOST_AUTO_TEST_CASE(without_a_monitor_the_sleeper_with_the_driver_lock_has_no_time_limit)
{
    sleepers_fixture f(2, false);
    BOOST_TEST((f.sleep(0, true) == sleep_result::parked));
    // And is still the last to be woken.
    (void)f.sleep(1);
    BOOST_TEST(f.i.commit_notify() == 1u);
    BOOST_TEST(!f.i.wake_up(1).monitor_armed);
    (void)f.i.stop_searching();
    BOOST_TEST(f.i.commit_notify() == 0u);
}

BOOST_AUTO_TEST_CASE(the_last_to_sleep_without_outstanding_work_ends_it)
{
    sleepers_fixture f(2);
    BOOST_TEST((f.sleep(0, false, true) == sleep_result::parked));
    BOOST_TEST((f.sleep(1, true, true) == sleep_result::finished));
}

BOOST_AUTO_TEST_CASE(the_last_to_leave_ends_it_for_those_asleep)
{
    sleepers_fixture f(2);
    (void)f.sleep(0);
    BOOST_TEST(
        !f.i.leave([](std::uint32_t left) { BOOST_TEST(left == 1u); }, [] { return false; }));
    int begun = 0;
    std::vector<std::size_t> woken;
    auto const begin = [&]
    {
        ++begun;
    };
    auto const out = [&](std::size_t n)
    {
        woken.push_back(n);
    };
    f.i.release_all_if([] { return false; }, begin, out);
    BOOST_TEST(begun == 0);
    BOOST_TEST(woken.empty());
    f.i.release_all_if([] { return true; }, begin, out);
    BOOST_TEST(begun == 1);
    BOOST_TEST((woken == std::vector<std::size_t>{0}));
}

BOOST_AUTO_TEST_CASE(at_most_half_of_the_workers_search)
{
    sleepers_fixture f(4);
    BOOST_TEST(f.i.try_search());
    BOOST_TEST(f.i.try_search());
    BOOST_TEST(!f.i.try_search());
    BOOST_TEST(!f.i.stop_searching());
    BOOST_TEST(f.i.stop_searching());
}

BOOST_AUTO_TEST_CASE(who_is_woken_is_on_the_way_until_it_comes)
{
    sleepers_fixture f(3);
    (void)f.sleep(0);
    (void)f.sleep(1, true);
    BOOST_TEST(f.i.coming() == 0u);
    std::size_t const first = f.i.commit_notify();
    BOOST_TEST(f.i.coming() == 1u);
    std::size_t const second = f.i.commit_notify(idle::searchers::do_not_count);
    BOOST_TEST(f.i.coming() == 2u);
    BOOST_TEST(f.i.wake_up(second).claimed);
    BOOST_TEST(f.i.coming() == 1u);
    BOOST_TEST(f.i.wake_up(first).claimed);
    BOOST_TEST(f.i.coming() == 0u);

    // Nobody has woken that one.
    (void)f.sleep(0);
    BOOST_TEST(!f.i.wake_up(0).claimed);
    BOOST_TEST(f.i.coming() == 0u);
}

BOOST_AUTO_TEST_CASE(who_is_on_the_way_keeps_nobody_from_searching)
{
    sleepers_fixture f(2);
    (void)f.sleep(0);
    std::size_t const woken = f.i.commit_notify();
    BOOST_TEST(f.i.searching() == 1u);
    BOOST_TEST(f.i.try_search());
    BOOST_TEST(!f.i.stop_searching());
    f.i.wake_up(woken);
    BOOST_TEST(!f.i.try_search());
    BOOST_TEST(f.i.stop_searching());
}

BOOST_AUTO_TEST_CASE(more_than_sixty_four_workers_can_sleep_and_be_woken)
{
    constexpr std::size_t count = 200;
    sleepers_fixture f(count);
    for (std::size_t n = 0; n != count; ++n)
        (void)f.sleep(n);
    BOOST_TEST(f.i.parked() == count);
    std::vector<bool> woken(count);
    f.i.release_all([] {}, [&](std::size_t n) { woken[n] = true; });
    BOOST_TEST(f.i.parked() == 0u);
    for (std::size_t n = 0; n != count; ++n)
        BOOST_TEST(woken[n]);
}

BOOST_AUTO_TEST_CASE(of_several_sleepers_one_on_the_wakers_cpu_is_woken)
{
    sleepers_fixture f(4);
    f.sleep_on(0, 0);
    f.sleep_on(1, 1);
    f.sleep_on(1, 2);
    BOOST_TEST(f.wake_from(1) == 1u);
    BOOST_TEST(f.wake_from(1) == 2u);
    BOOST_TEST(f.wake_from(1) == 0u);
}

BOOST_AUTO_TEST_CASE(the_sleeper_with_the_driver_lock_is_woken_last_on_its_own_cpu_too)
{
    sleepers_fixture f(3);
    f.sleep_on(1, 0, true);
    f.sleep_on(0, 1);
    BOOST_TEST(f.wake_from(1) == 1u);
    BOOST_TEST(f.wake_from(1) == 0u);
}

BOOST_AUTO_TEST_CASE(who_goes_to_sleep_anew_is_no_more_where_it_was)
{
    sleepers_fixture f(3);
    f.sleep_on(1, 1);
    f.i.wake_up(1);
    (void)f.sleep(0);
    (void)f.sleep(1);
    BOOST_TEST(f.wake_from(1) == 0u);
}
