// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Whichever allocation of an initiating function fails: it throws, the handler is gone, and no
// permit with it.

#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>

#include "parity/counted_new.hpp"
#include "primitives/places.hpp"
#include "primitives/refusals.hpp"

#include <deque>

namespace
{

using test::out_of_memory_in;

// Calls `with(start)` for every way to take a lock: `start(lock, handler)`.
template <class With>
void every_lock(weft::mutex*, With with)
{
    auto const hour = std::chrono::hours(1);
    with([](auto& l, auto h) { l.async_lock(std::move(h)); });
    with([](auto& l, auto h) { l.async_scoped_lock(std::move(h)); });
    with([=](auto& l, auto h) { l.async_lock_for(hour, std::move(h)); });
    with([=](auto& l, auto h) { l.async_scoped_lock_for(hour, std::move(h)); });
    with([=](auto& l, auto h)
        { l.async_lock_until(std::chrono::steady_clock::now() + hour, std::move(h)); });
}

template <class With>
void every_lock(weft::shared_mutex*, With with)
{
    auto const hour = std::chrono::hours(1);
    every_lock(static_cast<weft::mutex*>(nullptr), with);
    with([](auto& l, auto h) { l.async_lock_shared(std::move(h)); });
    with([](auto& l, auto h) { l.async_scoped_lock_shared(std::move(h)); });
    with([=](auto& l, auto h) { l.async_lock_shared_for(hour, std::move(h)); });
    with([=](auto& l, auto h) { l.async_scoped_lock_shared_for(hour, std::move(h)); });
    with([=](auto& l, auto h)
        { l.async_lock_shared_until(std::chrono::steady_clock::now() + hour, std::move(h)); });
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(bad_alloc, test::refusals)

using locks = std::tuple<weft::mutex, weft::shared_mutex>;

BOOST_AUTO_TEST_CASE_TEMPLATE(every_way_to_lock_is_refused_whole, Lock, locks)
{
    test::place place(test::where::weft_io);
    // Locks outlive the operations on them.
    std::deque<Lock> free;
    std::deque<Lock> held;
    int ways = 0;
    every_lock(static_cast<Lock*>(nullptr),
        [&](auto start)
        {
            ++ways;
            Lock& f = free.emplace_back(place.executor);
            refuse_each_allocation([&](auto h) { start(f, std::move(h)); },
                [&](bool accepted)
                {
                    bool const taken = f.try_lock();
                    BOOST_TEST(taken != accepted);
                    if (taken)
                        f.unlock();
                });
            Lock& h = held.emplace_back(place.executor);
            BOOST_TEST(h.try_lock());
            refuse_each_allocation(
                [&](auto handler) { start(h, std::move(handler)); }, [](bool) {});
        });
    for (Lock& h : held)
        h.unlock();
    place.finish();
    BOOST_TEST(called == 2 * ways);
    BOOST_TEST(token.use_count() == 1);
}

WEFT_TEST_CASE_IN_PLACES(a_free_lock_stays_free, test::places_but_strands)
{
    weft::mutex m(place.executor);
    weft::semaphore s(place.executor, 5);
    weft::shared_mutex r(place.executor);
    refuse_each_allocation([&](auto h) { m.async_lock(std::move(h)); },
        [&](bool accepted) { BOOST_TEST((accepted || (m.try_lock() && (m.unlock(), true)))); });
    refuse_each_allocation([&](auto h) { s.async_acquire(2, std::move(h)); },
        [&](bool accepted) { BOOST_TEST(s.available() == (accepted ? 3u : 5u)); });
    refuse_each_allocation([&](auto h)
        { s.async_acquire_for(std::chrono::hours(1), std::move(h)); },
        [&](bool accepted) { BOOST_TEST(s.available() == (accepted ? 2u : 3u)); });
    refuse_each_allocation([&](auto h) { r.async_lock_shared(std::move(h)); }, [](bool) {});
    BOOST_TEST(r.try_upgrade());
    place.finish();
    BOOST_TEST(called == 4);
    BOOST_TEST(token.use_count() == 1);
}

WEFT_TEST_CASE_IN_PLACES(a_scoped_lock_that_is_refused_is_free_again, test::single_places)
{
    weft::semaphore s(place.executor, 5);
    refuse_each_allocation([&](auto h) { s.async_scoped_acquire(2, std::move(h)); },
        [&](bool accepted) { BOOST_TEST(s.available() == (accepted ? 3u : 5u)); });
    refuse_each_allocation([&](auto h)
        { s.async_scoped_acquire_for(std::chrono::hours(1), 2, std::move(h)); },
        [&](bool accepted) { BOOST_TEST(s.available() == (accepted ? 1u : 3u)); });
    place.finish();
    BOOST_TEST(called == 2);
    BOOST_TEST(s.available() == 5u);
    BOOST_TEST(token.use_count() == 1);
}

WEFT_TEST_CASE_IN_PLACES(one_that_cannot_wait_does_not_wait, test::places_but_strands)
{
    weft::semaphore s(place.executor, 1);
    weft::shared_mutex r(place.executor);
    BOOST_TEST(r.try_lock_shared());
    auto const nothing = [](bool) {
    };
    refuse_each_allocation([&](auto h) { s.async_acquire(2, std::move(h)); }, nothing);
    refuse_each_allocation(
        [&](auto h) { s.async_acquire_for(std::chrono::hours(1), 2, std::move(h)); }, nothing);
    refuse_each_allocation([&](auto h) { s.async_scoped_acquire(2, std::move(h)); }, nothing);
    refuse_each_allocation([&](auto h)
        { s.async_scoped_acquire_for(std::chrono::hours(1), 2, std::move(h)); },
        nothing);
    refuse_each_allocation([&](auto h) { r.async_lock(std::move(h)); }, nothing);
    BOOST_TEST(called == 0);
    s.release(5);
    r.unlock_shared();
    place.finish();
    BOOST_TEST(called == 5);
    // Four of the six are in plain hands.
    BOOST_TEST(s.available() == 2u);
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_primitive_that_finds_no_memory_is_not_there)
{
    weft::io_context context;
    BOOST_TEST(out_of_memory_in([&] { weft::mutex m(context); }));
    weft::mutex m(context);
    BOOST_TEST(!out_of_memory_in([&] { weft::mutex n(context); }));
}

BOOST_AUTO_TEST_SUITE_END()
