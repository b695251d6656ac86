// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/parker.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <thread>

using weft::detail::parker;
using weft::detail::unpark_result;

BOOST_AUTO_TEST_CASE(a_token_that_comes_first_makes_the_next_park_return)
{
    parker p;
    BOOST_TEST((p.unpark() == unpark_result::done));
    p.park();
    // And only that one: the second has a limit to return by.
    p.park_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(1));
}

BOOST_AUTO_TEST_CASE(others_see_where_the_owner_sleeps)
{
    using weft::detail::resting;
    parker p;
    BOOST_TEST((p.rest() == resting::no));
    BOOST_TEST(p.enter_driver());
    BOOST_TEST((p.rest() == resting::in_driver));
    (void)p.unpark();
    BOOST_TEST((p.rest() == resting::no));
    p.leave_driver();
    std::thread owner([&] { p.park(); });
    while (p.rest() != resting::parked)
        std::this_thread::yield();
    (void)p.unpark();
    owner.join();
    BOOST_TEST((p.rest() == resting::no));
}

BOOST_AUTO_TEST_CASE(two_tokens_are_one)
{
    parker p;
    (void)p.unpark();
    (void)p.unpark();
    p.park();
    BOOST_TEST(p.enter_driver());
    p.leave_driver();
}

BOOST_AUTO_TEST_CASE(unparking_a_thread_in_the_driver_obliges_to_interrupt_it)
{
    parker p;
    BOOST_TEST(p.enter_driver());
    BOOST_TEST((p.unpark() == unpark_result::interrupt_driver));
    BOOST_TEST((p.unpark() == unpark_result::done));
    p.leave_driver();
    BOOST_TEST(p.enter_driver());
    p.leave_driver();
}

BOOST_AUTO_TEST_CASE(unparking_a_thread_beside_the_driver_obliges_to_end_its_wait)
{
    parker p;
    BOOST_TEST(p.enter_standby());
    BOOST_TEST((p.rest() == weft::detail::resting::parked));
    BOOST_TEST((p.unpark() == unpark_result::wake_standby));
    BOOST_TEST((p.unpark() == unpark_result::done));
    p.leave_standby();
    (void)p.unpark();
    BOOST_TEST(!p.enter_standby());
}

BOOST_AUTO_TEST_CASE(a_waiting_token_keeps_the_thread_out_of_the_driver)
{
    parker p;
    (void)p.unpark();
    BOOST_TEST(!p.enter_driver());
    BOOST_TEST(p.enter_driver());
    p.leave_driver();
}

BOOST_AUTO_TEST_CASE(what_was_written_before_the_token_is_seen_after_it)
{
    parker p;
    parker back;
    int data = 0;
    constexpr int rounds = 20'000;
    std::thread other(
        [&]
        {
            for (int i = 1; i <= rounds; ++i)
            {
                back.park();
                ++data;
                (void)p.unpark();
            }
        });
    // data is plain: each side touches it only between its token and the other's.
    bool right = true;
    for (int i = 1; i <= rounds; ++i)
    {
        ++data;
        (void)back.unpark();
        p.park();
        right = right && data == 2 * i;
    }
    other.join();
    BOOST_TEST(right);
}
