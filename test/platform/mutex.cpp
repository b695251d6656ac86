// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/mutex.hpp>

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include <mutex>
#include <thread>
#include <vector>

using both = boost::mpl::list<weft::detail::mutex, weft::detail::adaptive_mutex>;

BOOST_AUTO_TEST_CASE_TEMPLATE(free_mutex_can_be_tried, mutex, both)
{
    mutex m;
    BOOST_TEST(m.try_lock());
    m.unlock();
    BOOST_TEST(m.try_lock());
    m.unlock();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(held_mutex_cannot_be_tried, mutex, both)
{
    mutex m;
    m.lock();
    bool taken = true;
    std::thread([&] { taken = m.try_lock(); }).join();
    BOOST_TEST(!taken);
    m.unlock();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(standard_guards_fit, mutex, both)
{
    mutex m;
    {
        std::unique_lock<mutex> const lock(m);
        BOOST_TEST(!m.try_lock());
    }
    std::unique_lock<mutex> lock(m, std::try_to_lock);
    BOOST_TEST(lock.owns_lock());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(waiter_gets_the_mutex_when_it_is_unlocked, mutex, both)
{
    mutex m;
    int steps = 0;
    m.lock();
    std::thread waiter(
        [&]
        {
            std::lock_guard<mutex> const lock(m);
            BOOST_TEST(steps == 1);
            ++steps;
        });
    ++steps;
    m.unlock();
    waiter.join();
    BOOST_TEST(steps == 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(holders_exclude_each_other, mutex, both)
{
    constexpr int threads = 4;
    constexpr int rounds = 20'000;
    mutex m;
    int count = 0;
    std::vector<std::thread> all;
    for (int t = 0; t != threads; ++t)
        all.emplace_back(
            [&, t]
            {
                for (int i = 0; i != rounds; ++i)
                {
                    // Half of them sleep while they wait, the others do not.
                    if (t % 2 == 0)
                        m.lock();
                    else
                        while (!m.try_lock())
                            std::this_thread::yield();
                    ++count;
                    m.unlock();
                }
            });
    for (std::thread& t : all)
        t.join();
    BOOST_TEST(count == threads * rounds);
}
