// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "trace/event_ring.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

using weft::detail::event;
using weft::detail::event_kind;
using weft::detail::event_ring;

BOOST_AUTO_TEST_SUITE(trace_event_ring)

BOOST_AUTO_TEST_CASE(events_come_out_as_they_went_in)
{
    event_ring ring(64, 3);
    ring.write(100, event_kind::handler, 7);
    ring.write(200, event_kind::park, ~std::uint64_t{0});
    std::vector<event> events;
    BOOST_TEST(ring.copy(events) == 0u);
    BOOST_TEST(ring.worker == 3u);
    BOOST_REQUIRE(events.size() == 2u);
    BOOST_TEST(events[0].time == 100u);
    BOOST_TEST(events[0].payload == 7u);
    BOOST_TEST((events[0].kind == event_kind::handler));
    BOOST_TEST(events[1].time == 200u);
    BOOST_TEST(events[1].payload == ~std::uint64_t{0});
    BOOST_TEST((events[1].kind == event_kind::park));
}

BOOST_AUTO_TEST_CASE(no_two_events_are_of_the_same_time)
{
    event_ring ring(64, 0);
    for (std::uint64_t const time : {5, 5, 4, 6, 100})
        ring.write(time, event_kind::handler, 0);
    std::vector<event> events;
    ring.copy(events);
    std::vector<std::uint64_t> times;
    for (event const& e : events)
        times.push_back(e.time);
    std::vector<std::uint64_t> const expected{5, 6, 7, 8, 100};
    BOOST_TEST(times == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_full_ring_loses_the_oldest_and_says_how_many)
{
    event_ring ring(64, 0);
    for (std::uint64_t i = 1; i <= 1000; ++i)
        ring.write(i, event_kind::handler, i);
    std::vector<event> events;
    std::uint64_t const lost = ring.copy(events);
    BOOST_TEST(lost + events.size() == 1000u);
    BOOST_TEST(events.size() == 63u);
    for (std::size_t i = 0; i != events.size(); ++i)
        BOOST_TEST(events[i].payload == lost + i + 1);
}

// Whoever reads while the worker writes gets whole events, one after the other.
BOOST_AUTO_TEST_CASE(a_reader_sees_no_half_of_an_event)
{
    constexpr std::uint64_t last = 300'000;
    event_ring ring(64, 0);
    std::atomic<bool> done = false;
    std::thread worker(
        [&]
        {
            for (std::uint64_t i = 1; i <= last; ++i)
                ring.write(i, static_cast<event_kind>(i % 20), i * i);
            done = true;
        });
    std::uint64_t before = 0;
    std::size_t wrong = 0;
    std::vector<event> events;
    bool finished = false;
    while (!finished)
    {
        finished = done;
        std::uint64_t const lost = ring.copy(events);
        wrong += lost < before;
        before = lost;
        for (std::size_t i = 0; i != events.size(); ++i)
        {
            std::uint64_t const number = lost + i + 1;
            wrong += events[i].time != number || events[i].payload != number * number ||
                     events[i].kind != static_cast<event_kind>(number % 20);
        }
    }
    worker.join();
    BOOST_TEST(wrong == 0u);
    BOOST_TEST(before + events.size() == last);
}

BOOST_AUTO_TEST_SUITE_END()
