// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/backoff.hpp>

#include "parity/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/resource.h>
#include <thread>

using weft::detail::atomic;
using weft::detail::cpu_relax;
using weft::detail::patient_backoff;
using weft::detail::sleep_thread;
using weft::detail::yield_thread;

namespace
{

// How often this thread has gone to sleep. To yield is not to sleep.
long sleeps()
{
    rusage usage{};
    BOOST_TEST_REQUIRE(::getrusage(RUSAGE_THREAD, &usage) == 0);
    return usage.ru_nvcsw;
}

} // namespace

// The watchdog turns a call that does not return into a failure.
BOOST_AUTO_TEST_CASE(the_calls_return)
{
    for (int i = 0; i != 1000; ++i)
    {
        cpu_relax();
        yield_thread();
    }
}

// A thread with a real-time priority has its core for itself until it sleeps.
BOOST_AUTO_TEST_CASE(who_waits_for_long_sleeps)
{
    patient_backoff wait;
    for (unsigned i = 0; i != patient_backoff::most_yields; ++i)
        wait.pause();
    auto const before = sleeps();
    for (int i = 0; i != 10; ++i)
        wait.pause();
    BOOST_TEST(sleeps() - before >= 10);
}

BOOST_AUTO_TEST_CASE(a_loop_that_waits_patiently_ends)
{
    for (int const delay : {0, 10'000, 5'000'000})
    {
        atomic<bool> done{false};
        std::thread other(
            [&]
            {
                sleep_thread(delay);
                done = true;
            });
        weft::detail::pause_until([&] { return done.load(); });
        other.join();
        BOOST_TEST(done);
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
