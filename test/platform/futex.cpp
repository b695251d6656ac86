// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/futex.hpp>

#include "parity/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace
{

using namespace std::chrono_literals;
using weft::detail::atomic;
using weft::detail::deadline;
using weft::detail::futex_wait;
using weft::detail::futex_wait_until;
using weft::detail::futex_wake;

deadline in(std::chrono::steady_clock::duration time)
{
    return std::chrono::steady_clock::now() + time;
}

} // namespace

BOOST_AUTO_TEST_SUITE(futex)

// The watchdog turns a wait that does not return into a failure.
BOOST_AUTO_TEST_CASE(a_wait_for_another_value_returns_at_once)
{
    atomic<std::uint32_t> word{1};
    futex_wait(word, 0);
    futex_wait(word, 0xffff'ffff);
    futex_wait_until(word, 2, in(std::chrono::hours(24)));
    BOOST_TEST(word == 1u);
}

BOOST_AUTO_TEST_CASE(a_wake_of_nobody_changes_nothing)
{
    atomic<std::uint32_t> word{7};
    futex_wake(word, 1);
    futex_wake(word, 1000);
    BOOST_TEST(word == 7u);
}

BOOST_AUTO_TEST_CASE(a_wake_ends_a_wait_with_and_without_a_deadline)
{
    constexpr std::uint32_t rounds = 5'000;
    for (const bool limited : {false, true})
    {
        atomic<std::uint32_t> word{0};
        atomic<std::uint32_t> answer{0};
        const auto wait_for = [&](atomic<std::uint32_t>& what, std::uint32_t value)
        {
            for (std::uint32_t seen = what; seen != value; seen = what)
                if (limited)
                    futex_wait_until(what, seen, in(std::chrono::hours(24)));
                else
                    futex_wait(what, seen);
        };
        std::thread other(
            [&]
            {
                for (std::uint32_t i = 1; i <= rounds; ++i)
                {
                    wait_for(word, i);
                    answer = i;
                    futex_wake(answer, 1);
                }
            });
        for (std::uint32_t i = 1; i <= rounds; ++i)
        {
            word = i;
            futex_wake(word, 1);
            wait_for(answer, i);
        }
        other.join();
        BOOST_TEST(answer == rounds);
    }
}

BOOST_AUTO_TEST_CASE(one_wake_can_be_for_all_who_wait)
{
    constexpr std::uint32_t threads = 4;
    atomic<std::uint32_t> word{0};
    atomic<std::uint32_t> awake{0};
    std::vector<std::thread> all;
    for (std::uint32_t i = 0; i != threads; ++i)
        all.emplace_back(
            [&]
            {
                ++awake;
                while (word == 0)
                    futex_wait(word, 0);
            });
    while (awake != threads)
        std::this_thread::yield();
    word = 1;
    futex_wake(word, threads);
    for (std::thread& t : all)
        t.join();
}

BOOST_AUTO_TEST_CASE(a_wait_ends_at_its_deadline)
{
    atomic<std::uint32_t> word{0};
    for (const auto time : {1us, 100us, 1'000us, 5'000us})
    {
        const deadline until = in(time);
        // It may return early, but not for ever.
        while (std::chrono::steady_clock::now() < until)
            futex_wait_until(word, 0, until);
    }
    BOOST_TEST(word == 0u);
}

BOOST_AUTO_TEST_CASE(a_wait_whose_deadline_has_passed_returns)
{
    atomic<std::uint32_t> word{0};
    futex_wait_until(word, 0, in(0s));
    futex_wait_until(word, 0, in(-1h));
    futex_wait_until(word, 0, deadline());
    futex_wait_until(word, 0, deadline::min());
    BOOST_TEST(word == 0u);
}

BOOST_AUTO_TEST_CASE(no_deadline_is_too_late_for_a_wake)
{
    atomic<std::uint32_t> word{0};
    std::thread other(
        [&]
        {
            while (word == 0)
                futex_wait_until(word, 0, deadline::max());
        });
    word = 1;
    futex_wake(word, 1);
    other.join();
}

BOOST_AUTO_TEST_SUITE_END()
