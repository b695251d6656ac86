// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/cheap_clock.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace
{

using std::chrono::steady_clock;
using weft::detail::cheap_clock;

std::uint64_t between(steady_clock::time_point from, steady_clock::time_point to)
{
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(to - from).count());
}

} // namespace

BOOST_AUTO_TEST_SUITE(platform_cheap_clock)

BOOST_AUTO_TEST_CASE(it_tells_durations_as_the_steady_clock_does_also_while_it_is_compared)
{
    for (int round = 0; round != 5; ++round)
    {
        auto const outer_begin = steady_clock::now();
        std::uint64_t const begin = cheap_clock::now();
        auto const inner_begin = steady_clock::now();
        while (steady_clock::now() - inner_begin < std::chrono::milliseconds(12))
            (void)cheap_clock::now();
        auto const inner_end = steady_clock::now();
        std::uint64_t const elapsed = cheap_clock::now() - begin;
        auto const outer_end = steady_clock::now();
        // However long the thread was away in between.
        BOOST_TEST(elapsed + elapsed / 1000 >= between(inner_begin, inner_end));
        BOOST_TEST(elapsed - elapsed / 1000 <= between(outer_begin, outer_end));
    }
}

BOOST_AUTO_TEST_CASE(it_does_not_go_back_on_any_thread)
{
    std::vector<std::thread> threads;
    std::vector<int> backward(3);
    for (int& count : backward)
        threads.emplace_back(
            [&count]
            {
                std::uint64_t last = 0;
                for (int i = 0; i != 200'000; ++i)
                {
                    std::uint64_t const now = cheap_clock::now();
                    count += now < last ? 1 : 0;
                    last = now;
                }
            });
    for (auto& t : threads)
        t.join();
    for (int const count : backward)
        BOOST_TEST(count == 0);
}

BOOST_AUTO_TEST_SUITE_END()
