// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// First come, first served.

#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>

#include "api/process.hpp"
#include "parity/watchdog.hpp"
#include "primitives/places.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdint>
#include <functional>

namespace
{

namespace asio = boost::asio;
using boost::system::error_code;

#if WEFT_TEST_SANITIZED
constexpr int grants = 100'000;
#else
constexpr int grants = 1'000'000;
#endif

} // namespace

BOOST_AUTO_TEST_SUITE(order)

WEFT_TEST_CASE_IN_PLACES(a_million_grants_and_no_inversion, test::places, where)
{
    test::place place(where);
    weft::mutex m(place.executor);
    // Guarded by m: tickets are drawn by who starts a wait while it has the lock.
    int drawn = 0;
    int served = 0;
    int inversions = 0;
    std::function<void()> draw = [&]
    {
        m.async_lock(
            [&, ticket = drawn++](error_code)
            {
                inversions += ticket != served ? 1 : 0;
                ++served;
                if (drawn < grants)
                    draw();
                m.unlock();
            });
    };
    BOOST_TEST(m.try_lock());
    for (int i = 0; i != 100; ++i)
        draw();
    m.unlock();
    place.finish();
    BOOST_TEST(served == grants);
    BOOST_TEST(inversions == 0);
}

// A coroutine that unlocks and locks at once comes behind those that wait.
WEFT_TEST_CASE_IN_PLACES(nobody_passes_who_waits, test::single_places, where)
{
    test::place place(where);
    weft::mutex m(place.executor);
    int turn = 0;
    int inversions = 0;
    constexpr int tasks = 10;
    for (int i = 0; i != tasks; ++i)
        asio::co_spawn(
            place.executor,
            [&, i]() -> asio::awaitable<void>
            {
                for (int round = 0; round != 1000; ++round)
                {
                    co_await m.async_lock();
                    inversions += turn != i ? 1 : 0;
                    // The others get into the queue while the first has the lock.
                    if (round == 0 && i == 0)
                        for (int j = 0; j != tasks; ++j)
                            co_await asio::post(place.executor, asio::use_awaitable);
                    turn = (turn + 1) % tasks;
                    m.unlock();
                }
            },
            asio::detached);
    place.finish();
    BOOST_TEST(inversions == 0);
}

// Readers that come and go all the time do not starve a writer.
WEFT_TEST_CASE_IN_PLACES(a_writer_waits_for_those_before_it_only, test::single_places, where)
{
    test::place place(where);
    weft::shared_mutex m(place.executor);
    int before = 0;
    int after = 0;
    bool wrote = false;
    std::function<void(int)> read = [&](int left)
    {
        m.async_lock_shared(
            [&, left](error_code)
            {
                (wrote ? after : before)++;
                if (left != 0)
                    read(left - 1);
                m.unlock_shared();
            });
    };
    for (int i = 0; i != 5; ++i)
        read(100);
    m.async_lock(
        [&](error_code)
        {
            wrote = true;
            m.unlock();
        });
    place.finish();
    BOOST_TEST(wrote);
    BOOST_TEST(before == 5);
    BOOST_TEST(after == 500);
}

// One that wants many is not passed for ever by those that want one.
WEFT_TEST_CASE_IN_PLACES(a_large_request_does_not_starve, test::single_places, where)
{
    test::place place(where);
    weft::semaphore s(place.executor, 4);
    int small = 0;
    bool served = false;
    std::function<void()> take = [&]
    {
        s.async_acquire(
            [&](error_code)
            {
                ++small;
                if (!served)
                    take();
                s.release();
            });
    };
    for (int i = 0; i != 4; ++i)
        take();
    s.async_acquire(4,
        [&](error_code)
        {
            served = true;
            s.release(4);
        });
    place.finish();
    BOOST_TEST(served);
    BOOST_TEST(small <= 8);
}

BOOST_AUTO_TEST_SUITE_END()
