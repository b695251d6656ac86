// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/shared_mutex.hpp>

#include "primitives/places.hpp"

#include <shared_mutex>

BOOST_AUTO_TEST_SUITE(shared_mutex)

BOOST_AUTO_TEST_CASE(readers_share_and_writers_do_not)
{
    weft::io_context context;
    weft::shared_mutex m(context);
    BOOST_TEST(m.try_lock_shared());
    BOOST_TEST(m.try_lock_shared());
    BOOST_TEST(!m.try_lock());
    BOOST_TEST(!m.try_upgrade());
    m.unlock_shared();
    BOOST_TEST(m.try_upgrade());
    BOOST_TEST(!m.try_lock_shared());
    m.downgrade();
    BOOST_TEST(m.try_lock_shared());
    m.unlock_shared();
    m.unlock_shared();
    BOOST_TEST(m.try_lock());
    m.unlock();
}

BOOST_AUTO_TEST_CASE(standard_guards_fit)
{
    weft::io_context context;
    weft::shared_mutex m(context);
    {
        std::shared_lock<weft::shared_mutex> one(m, std::try_to_lock);
        std::shared_lock<weft::shared_mutex> two(m, std::try_to_lock);
        BOOST_TEST(two.owns_lock());
    }
    std::unique_lock<weft::shared_mutex> writer(m, std::try_to_lock);
    BOOST_TEST(writer.owns_lock());
}

WEFT_TEST_CASE_IN_PLACES(
    readers_and_writers_take_turns_in_the_order_of_their_calls, test::single_places)
{
    weft::shared_mutex m(place.executor);
    std::string order;
    auto const read = [&](char name)
    {
        m.async_lock_shared([&, name](error_code) { order += name; });
    };
    auto const write = [&](char name)
    {
        m.async_lock([&, name](error_code) { order += name; });
    };
    read('a');
    read('b');
    write('C');
    read('d');
    read('e');
    write('F');
    place.context.poll();
    BOOST_TEST(order == "ab");
    BOOST_TEST(!m.try_lock_shared());
    m.unlock_shared();
    m.unlock_shared();
    place.context.poll();
    BOOST_TEST(order == "abC");
    m.unlock();
    place.context.poll();
    BOOST_TEST(order == "abCde");
    m.unlock_shared();
    m.unlock_shared();
    place.finish();
    BOOST_TEST(order == "abCdeF");
    m.downgrade();
    BOOST_TEST(m.try_lock_shared());
    m.unlock_shared();
    m.unlock_shared();
}

WEFT_TEST_CASE_IN_PLACES(a_cancelled_writer_lets_in_the_readers_behind_it, test::single_places)
{
    weft::shared_mutex m(place.executor);
    asio::cancellation_signal signal;
    BOOST_TEST(m.try_lock_shared());
    int readers = 0;
    bool aborted = false;
    m.async_lock(asio::bind_cancellation_slot(
        signal.slot(), [&](error_code ec) { aborted = ec == asio::error::operation_aborted; }));
    for (int i = 0; i != 40; ++i)
        m.async_lock_shared([&](error_code ec) { readers += ec ? 0 : 1; });
    place.context.poll();
    BOOST_TEST(readers == 0);
    signal.emit(asio::cancellation_type::total);
    place.finish();
    BOOST_TEST(aborted);
    BOOST_TEST(readers == 40);
    for (int i = 0; i != 41; ++i)
        m.unlock_shared();
    BOOST_TEST(m.try_lock());
    m.unlock();
}

WEFT_TEST_CASE_IN_PLACES(scoped_locks_give_back_what_they_have, test::places)
{
    weft::shared_mutex m(place.executor);
    // Guarded by m.
    int value = 0;
    std::atomic<int> reads{0};
    for (int i = 0; i != 50; ++i)
    {
        m.async_scoped_lock([&](error_code ec, std::unique_lock<weft::shared_mutex> lock)
            { value += !ec && lock.owns_lock() ? 1 : 0; });
        for (int j = 0; j != 3; ++j)
            m.async_scoped_lock_shared([&](error_code ec, std::shared_lock<weft::shared_mutex> lock)
                { reads += !ec && lock.owns_lock() && value != 0 ? 1 : 0; });
    }
    place.finish();
    BOOST_TEST(value == 50);
    BOOST_TEST(reads == 150);
    BOOST_TEST(m.try_lock());
    m.unlock();
}

BOOST_AUTO_TEST_SUITE_END()
