// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/work_count.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>
#include <vector>

using weft::detail::work_count;

BOOST_AUTO_TEST_CASE(count_starts_at_zero)
{
    work_count const c;
    BOOST_TEST(c.value() == 0);
}

BOOST_AUTO_TEST_CASE(last_to_finish_is_told)
{
    work_count c;
    c.add(2);
    BOOST_TEST(!c.finish_one());
    BOOST_TEST(c.value() == 1);
    BOOST_TEST(c.finish_one());
    BOOST_TEST(c.value() == 0);
}

BOOST_AUTO_TEST_CASE(sums_may_be_negative_until_everybody_has_added)
{
    work_count c;
    BOOST_TEST(!c.finish_one());
    BOOST_TEST(c.value() == -1);
    c.add(0);
    BOOST_TEST(c.value() == -1);
    c.add(1);
    BOOST_TEST(c.value() == 0);
    c.add(-3);
    c.add(4);
    BOOST_TEST(c.finish_one());
}

BOOST_AUTO_TEST_CASE(exactly_one_of_many_threads_finishes_last)
{
    constexpr int threads = 4;
    constexpr int each = 10'000;
    work_count c;
    c.add(threads * each);
    std::atomic<int> last{0};
    std::vector<std::thread> all;
    for (int t = 0; t != threads; ++t)
        all.emplace_back(
            [&]
            {
                for (int i = 0; i != each; ++i)
                    last += c.finish_one();
            });
    for (std::thread& t : all)
        t.join();
    BOOST_TEST(last == 1);
    BOOST_TEST(c.value() == 0);
}

BOOST_AUTO_TEST_CASE(the_last_one_is_left_to_whoever_takes_the_lock)
{
    work_count c;
    BOOST_TEST(!c.finish_one_of_many());
    c.add(2);
    BOOST_TEST(c.finish_one_of_many());
    BOOST_TEST(!c.finish_one_of_many());
    BOOST_TEST(c.value() == 1);
}
