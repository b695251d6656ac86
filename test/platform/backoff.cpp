// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/backoff.hpp>

#include "parity/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <thread>

using weft::detail::atomic;
using weft::detail::cpu_relax;
using weft::detail::yield_thread;

// The watchdog turns a call that does not return into a failure.
BOOST_AUTO_TEST_CASE(the_calls_return)
{
    for (int i = 0; i != 1000; ++i)
    {
        cpu_relax();
        yield_thread();
    }
}

BOOST_AUTO_TEST_CASE(a_loop_around_them_sees_what_another_thread_does)
{
    constexpr int rounds = 2'000;
    atomic<int> ball{0};
    const auto play = [&](int parity, auto pause)
    {
        for (int i = 0; i != rounds; ++i)
        {
            while (ball % 2 != parity)
                pause();
            ++ball;
        }
    };
    std::thread other([&] { play(1, &yield_thread); });
    play(0,
        []
        {
            for (int i = 0; i != 10; ++i)
                cpu_relax();
            yield_thread();
        });
    other.join();
    BOOST_TEST(ball == 2 * rounds);
}
