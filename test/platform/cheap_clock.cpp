// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/cheap_clock.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <numeric>
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

void check_durations(std::uint64_t (*now)())
{
    for (int round = 0; round != 5; ++round)
    {
        auto const outer_begin = steady_clock::now();
        std::uint64_t const begin = now();
        auto const inner_begin = steady_clock::now();
        while (steady_clock::now() - inner_begin < std::chrono::milliseconds(12))
            (void)now();
        auto const inner_end = steady_clock::now();
        std::uint64_t const elapsed = now() - begin;
        auto const outer_end = steady_clock::now();
        // However long the thread was away in between.
        BOOST_TEST(elapsed + elapsed / 1000 >= between(inner_begin, inner_end));
        BOOST_TEST(elapsed - elapsed / 1000 <= between(outer_begin, outer_end));
    }
}

int times_it_goes_back(std::uint64_t (*now)())
{
    std::vector<std::thread> threads;
    std::vector<int> backward(3);
    for (int& count : backward)
        threads.emplace_back(
            [&count, now]
            {
                std::uint64_t last = 0;
                for (int i = 0; i != 200'000; ++i)
                {
                    std::uint64_t const time = now();
                    count += time < last ? 1 : 0;
                    last = time;
                }
            });
    for (auto& t : threads)
        t.join();
    return std::accumulate(backward.begin(), backward.end(), 0);
}

} // namespace

BOOST_AUTO_TEST_SUITE(platform_cheap_clock)

BOOST_AUTO_TEST_CASE(it_tells_durations_as_the_steady_clock_does_also_while_it_is_compared)
{
    check_durations(cheap_clock::now);
    check_durations(cheap_clock::counter);
}

BOOST_AUTO_TEST_CASE(it_does_not_go_back_on_any_thread)
{
    BOOST_TEST(times_it_goes_back(cheap_clock::now) == 0);
    BOOST_TEST(times_it_goes_back(cheap_clock::counter) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
