// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/driver_lock.hpp>

#include <boost/test/unit_test.hpp>

#include <thread>
#include <vector>

using weft::detail::driver_lock;

BOOST_AUTO_TEST_CASE(driver_lock_is_for_one)
{
    driver_lock s;
    BOOST_TEST(!s.taken());
    BOOST_TEST(s.try_take());
    BOOST_TEST(s.taken());
    BOOST_TEST(!s.try_take());
    s.release();
    BOOST_TEST(!s.taken());
    BOOST_TEST(s.try_take());
}

BOOST_AUTO_TEST_CASE(what_the_driver_lock_protects_goes_from_holder_to_holder)
{
    constexpr int threads = 3;
    constexpr int each = 20'000;
    driver_lock s;
    int held = 0;
    std::vector<std::thread> all;
    for (int t = 0; t != threads; ++t)
        all.emplace_back(
            [&]
            {
                for (int i = 0; i != each; ++i)
                {
                    while (!s.try_take())
                        std::this_thread::yield();
                    ++held;
                    s.release();
                }
            });
    for (std::thread& t : all)
        t.join();
    BOOST_TEST(held == threads * each);
}
