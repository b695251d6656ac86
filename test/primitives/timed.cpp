// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/channel.hpp>
#include <weft/io_context.hpp>
#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>

#include "primitives/places.hpp"

BOOST_AUTO_TEST_SUITE(timed)

namespace
{

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

} // namespace

WEFT_TEST_CASE_IN_PLACES(what_is_free_is_taken_however_short_the_time, test::places)
{
    weft::mutex m(place.executor);
    weft::semaphore s(place.executor, 9);
    weft::shared_mutex r(place.executor);
    std::atomic<int> got{0};
    auto const count = [&](error_code ec)
    {
        got += ec ? 0 : 1;
    };
    m.async_lock_for(milliseconds(0), count);
    s.async_acquire_for(milliseconds(-5), count);
    s.async_acquire_until(steady_clock::time_point(), 2, count);
    s.async_acquire_until((steady_clock::time_point::max)(), count);
    s.async_acquire_for(hours::max(), 5, count);
    r.async_lock_shared_for(milliseconds(0), count);
    r.async_lock_shared_until(steady_clock::time_point(), count);
    place.finish();
    BOOST_TEST(got == 7);
    BOOST_TEST(s.available() == 0u);
    m.unlock();
    r.unlock_shared();
    r.unlock_shared();
}

WEFT_TEST_CASE_IN_PLACES(the_time_passes, test::places)
{
    weft::mutex m(place.executor);
    weft::semaphore s(place.executor, 1);
    weft::shared_mutex r(place.executor);
    BOOST_TEST(m.try_lock());
    BOOST_TEST(r.try_lock_shared());
    std::atomic<int> late{0};
    auto const count = [&](error_code ec)
    {
        late += ec == asio::error::timed_out ? 1 : 0;
    };
    m.async_lock_for(milliseconds(1), count);
    m.async_lock_until(steady_clock::time_point(), count);
    s.async_acquire_for(milliseconds(1), 2, count);
    r.async_lock_for(milliseconds(1), count);
    place.finish();
    BOOST_TEST(late == 4);
    // What the semaphore's waiter had collected is back.
    BOOST_TEST(s.available() == 1u);
    m.unlock();
    BOOST_TEST(m.try_lock());
    BOOST_TEST(r.try_lock_shared());
    m.unlock();
    r.unlock_shared();
    r.unlock_shared();
}

WEFT_TEST_CASE_IN_PLACES(guards_are_delivered_in_time, test::single_places)
{
    weft::mutex m(place.executor);
    weft::semaphore s(place.executor, 3);
    weft::shared_mutex r(place.executor);
    int got = 0;
    auto const count = [&](error_code ec, auto guard)
    {
        BOOST_TEST(!ec);
        BOOST_TEST(bool(guard));
        ++got;
    };
    // Each waits for the guard before it.
    m.async_scoped_lock_for(milliseconds(0), count);
    m.async_scoped_lock_until((steady_clock::time_point::max)(), count);
    s.async_scoped_acquire(count);
    s.async_scoped_acquire_for(milliseconds(-5), count);
    s.async_scoped_acquire_until(steady_clock::time_point(), count);
    s.async_scoped_acquire_for(hours(1), 2, count);
    s.async_scoped_acquire_until((steady_clock::time_point::max)(), 3, count);
    r.async_scoped_lock_shared_for(milliseconds(0), count);
    r.async_scoped_lock_shared_until(steady_clock::time_point(), count);
    r.async_scoped_lock_for(hours(1), count);
    r.async_scoped_lock_until((steady_clock::time_point::max)(), count);
    BOOST_TEST(!m.try_lock());
    BOOST_TEST(s.available() == 0u);
    BOOST_TEST(!r.try_lock_shared());
    place.finish();
    BOOST_TEST(got == 11);
    BOOST_TEST(m.try_lock());
    BOOST_TEST(s.available() == 3u);
    BOOST_TEST(r.try_lock());
    m.unlock();
    r.unlock();
}

WEFT_TEST_CASE_IN_PLACES(guards_that_are_late_are_empty, test::single_places)
{
    weft::mutex m(place.executor);
    weft::semaphore s(place.executor, 1);
    weft::shared_mutex r(place.executor);
    BOOST_TEST(m.try_lock());
    BOOST_TEST(r.try_lock());
    int late = 0;
    auto const count = [&](error_code ec, auto guard)
    {
        BOOST_TEST(!guard);
        late += ec == asio::error::timed_out ? 1 : 0;
    };
    m.async_scoped_lock_for(milliseconds(0), count);
    m.async_scoped_lock_until(steady_clock::time_point(), count);
    s.async_scoped_acquire_for(milliseconds(-1), 2, count);
    s.async_scoped_acquire_until(steady_clock::time_point(), 2, count);
    r.async_scoped_lock_for(milliseconds(0), count);
    r.async_scoped_lock_until(steady_clock::time_point(), count);
    r.async_scoped_lock_shared_for(milliseconds(0), count);
    r.async_scoped_lock_shared_until(steady_clock::time_point(), count);
    place.finish();
    BOOST_TEST(late == 8);
    BOOST_TEST(s.available() == 1u);
    m.unlock();
    r.unlock();
    BOOST_TEST(m.try_lock());
    BOOST_TEST(r.try_lock());
    m.unlock();
    r.unlock();
}

WEFT_TEST_CASE_IN_PLACES(a_writer_that_is_late_lets_in_the_readers, test::single_places)
{
    weft::shared_mutex r(place.executor);
    BOOST_TEST(r.try_lock_shared());
    bool late = false;
    int readers = 0;
    r.async_lock_for(milliseconds(1), [&](error_code ec) { late = ec == asio::error::timed_out; });
    r.async_lock_shared_for(hours(1), [&](error_code ec) { readers += ec ? 0 : 1; });
    r.async_lock_shared([&](error_code ec) { readers += ec ? 0 : 1; });
    place.finish();
    BOOST_TEST(late);
    BOOST_TEST(readers == 2);
    for (int i = 0; i != 3; ++i)
        r.unlock_shared();
}

WEFT_TEST_CASE_IN_PLACES(a_grant_stops_the_timer, test::places)
{
    weft::mutex m(place.executor);
    BOOST_TEST(m.try_lock());
    std::atomic<int> got{0};
    for (int i = 0; i != 10; ++i)
        m.async_lock_for(hours(1),
            [&](error_code ec)
            {
                got += ec ? 0 : 1;
                m.unlock();
            });
    m.unlock();
    // Ends only when no timer is left.
    place.finish();
    BOOST_TEST(got == 10);
}

WEFT_TEST_CASE_IN_PLACES(a_cancellation_stops_the_timer, test::single_places)
{
    weft::mutex m(place.executor);
    BOOST_TEST(m.try_lock());
    asio::cancellation_signal signal;
    int aborted = 0;
    auto const count = [&](error_code ec)
    {
        aborted += ec == asio::error::operation_aborted ? 1 : 0;
    };
    m.async_lock_for(hours(1), asio::bind_cancellation_slot(signal.slot(), count));
    signal.emit(asio::cancellation_type::terminal);
    m.async_lock_for(hours(1), count);
    m.cancel();
    place.finish();
    BOOST_TEST(aborted == 2);
    m.unlock();
}

WEFT_TEST_CASE_IN_PLACES(coroutines_wait_for_a_time, test::single_places)
{
    weft::mutex m(place.executor);
    bool done = false;
    asio::co_spawn(
        place.executor,
        [&]() -> asio::awaitable<void>
        {
            co_await m.async_lock_for(hours(1), asio::use_awaitable);
            auto [ec] =
                co_await m.async_lock_for(milliseconds(1), asio::as_tuple(asio::use_awaitable));
            BOOST_TEST(ec == asio::error::timed_out);
            m.unlock();
            {
                auto const lock = co_await m.async_scoped_lock_for(hours(1), asio::use_awaitable);
                BOOST_TEST(lock.owns_lock());
                auto [why, other] = co_await m.async_scoped_lock_until(
                    steady_clock::time_point(), asio::as_tuple(asio::use_awaitable));
                BOOST_TEST(why == asio::error::timed_out);
                BOOST_TEST(!other);
            }
            BOOST_TEST(m.try_lock());
            m.unlock();
            done = true;
        },
        asio::detached);
    place.finish();
    BOOST_TEST(done);
}

// Grants and timers race; no permit may be lost or doubled.
WEFT_TEST_CASE_IN_PLACES(grants_and_timers_race, test::places)
{
    weft::semaphore s(place.executor, 2);
    std::atomic<int> got{0};
    std::atomic<int> late{0};
    for (int i = 0; i != 3000; ++i)
        s.async_acquire_for(std::chrono::microseconds(i % 50 * 20), 1u + i % 2u,
            [&, n = 1u + i % 2u](error_code ec)
            {
                if (ec)
                {
                    ++late;
                    return;
                }
                ++got;
                s.release(n);
            });
    place.finish();
    BOOST_TEST(got + late == 3000);
    BOOST_TEST(s.available() == 2u);
}

// A token may start the operation later than it is called, and more than once.
BOOST_AUTO_TEST_CASE(the_time_begins_when_the_operation_does)
{
    constexpr milliseconds limit(20);
    weft::io_context context;
    weft::mutex m(context);
    weft::semaphore s(context, 0);
    weft::shared_mutex r(context);
    weft::channel<int> c(context, 0u);
    BOOST_TEST(m.try_lock());
    BOOST_TEST(r.try_lock());
    int value = 1;
    auto const check = [&](auto const& operation)
    {
        std::this_thread::sleep_for(limit);
        for (int i = 0; i != 2; ++i)
        {
            bool timed_out = false;
            auto const begin = steady_clock::now();
            operation(
                [&](error_code ec, auto&&...) {
                    timed_out =
                        ec == asio::error::timed_out && steady_clock::now() - begin >= limit;
                });
            context.restart();
            context.run();
            BOOST_TEST(timed_out);
        }
    };
    check(m.async_lock_for(limit, asio::deferred));
    check(m.async_scoped_lock_for(limit, asio::deferred));
    check(s.async_acquire_for(limit, asio::deferred));
    check(s.async_scoped_acquire_for(limit, 2, asio::deferred));
    check(r.async_lock_for(limit, asio::deferred));
    check(r.async_lock_shared_for(limit, asio::deferred));
    check(r.async_scoped_lock_for(limit, asio::deferred));
    check(r.async_scoped_lock_shared_for(limit, asio::deferred));
    check(c.async_send_for(limit, 1, asio::deferred));
    check(c.async_send_from_for(limit, value, asio::deferred));
    check(c.async_receive_for(limit, asio::deferred));
}

BOOST_AUTO_TEST_SUITE_END()
