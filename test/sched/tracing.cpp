// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/tracing.hpp"

#include "sched/noting.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

using std::chrono::microseconds;
using weft::detail::event;
using weft::detail::event_kind;

namespace
{

struct traced : test::manual_scheduler
{
    traced()
    {
        s.measured.events.prepare(1024, s.workers.size());
        s.measured.record(true);
    }

    std::size_t count(event_kind kind)
    {
        std::size_t result = 0;
        for (auto const& w : s.measured.events.copy().workers)
            for (event const& e : w.events)
                result += e.kind == kind;
        return result;
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(tracing)

BOOST_AUTO_TEST_CASE(a_handler_is_an_event_with_its_function_at_its_beginning)
{
    traced t;
    for (int i = 0; i != 3; ++i)
        t.s.submit(t.make(i, [&t] { t.pass(microseconds(10)); }));
    t.run();
    auto const recorded = t.s.measured.events.copy();
    // The worker's ring, and that of threads that are no workers.
    BOOST_TEST_REQUIRE(recorded.workers.size() == 2u);
    BOOST_TEST(recorded.workers[1].events.empty());
    std::uint64_t last = 0;
    std::size_t handlers = 0;
    for (event const& e : recorded.workers[0].events)
        if (e.kind == event_kind::handler)
        {
            BOOST_TEST(e.payload != 0u);
            if (handlers++ != 0)
                BOOST_TEST(e.time >= last + 9'900);
            last = e.time;
        }
    BOOST_TEST(handlers == 3u);
    BOOST_TEST(t.count(event_kind::join) == 1u);
    BOOST_TEST(t.count(event_kind::leave) == 1u);
}

BOOST_AUTO_TEST_CASE(a_worker_ends_when_it_is_told_at_the_end_of_a_turn)
{
    traced t;
    for (int i = 0; i != 1000; ++i)
        t.s.submit(t.make(i,
            [&t, i]
            {
                t.pass(microseconds(1));
                if (i == 100)
                    t.s.measured.record(false);
            }));
    t.run();
    BOOST_TEST(t.count(event_kind::off) == 1u);
    BOOST_TEST(t.count(event_kind::handler) >= 100u);
    BOOST_TEST(t.count(event_kind::handler) < 300u);
}

BOOST_AUTO_TEST_SUITE_END()
