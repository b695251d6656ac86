// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/metrics.hpp>

#include "metrics/sample.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

BOOST_AUTO_TEST_SUITE(metrics_difference)

BOOST_AUTO_TEST_CASE(what_is_counted_is_subtracted_and_what_is_now_is_that_of_the_later)
{
    using namespace std::chrono_literals;
    weft::stats const earlier = test::sample_stats();
    weft::stats later = earlier;
    later.taken += 1s;
    later.workers[1].handlers += 5;
    later.workers[1].queue_depth = 1;
    later.workers.emplace_back().handlers = 8;
    later.total.handlers += 13;
    later.total.inside += 1s;
    later.total.parked += 500ms;
    later.injection_depth = 2;
    later.outstanding = 1;
    later.blocked += 3ns;
    later.exceptions += 1;
    later.queue_delay.record(9ms);
    weft::stats const d = later - earlier;
    BOOST_TEST((d.taken == later.taken));
    BOOST_TEST(d.workers.size() == 3u);
    BOOST_TEST(d.workers[0].handlers == 0u);
    BOOST_TEST(d.workers[1].handlers == 5u);
    BOOST_TEST(d.workers[1].queue_depth == 1u);
    BOOST_TEST(d.workers[2].handlers == 8u);
    BOOST_TEST(d.total.handlers == 13u);
    BOOST_TEST(d.injection_depth == 2u);
    BOOST_TEST(d.outstanding == 1u);
    BOOST_TEST(d.blocked.count() == 3);
    BOOST_TEST(d.blocking_calls == 0u);
    BOOST_TEST(d.exceptions == 1u);
    BOOST_TEST(d.run_time.count() == 0u);
    BOOST_TEST(d.queue_delay.count() == 1u);
    BOOST_TEST(d.primitives.size() == 3u);
    BOOST_TEST(d.primitives[2].wait_time.count() == 0u);
    BOOST_TEST(weft::busy_share(d) == 0.5);
}

BOOST_AUTO_TEST_CASE(nothing_becomes_negative)
{
    weft::stats const d = weft::stats() - test::sample_stats();
    BOOST_TEST(d.total.handlers == 0u);
    BOOST_TEST(d.total.inside.count() == 0);
    BOOST_TEST(d.queue_delay.count() == 0u);
}

BOOST_AUTO_TEST_CASE(the_busy_share_is_between_0_and_1)
{
    using namespace std::chrono_literals;
    BOOST_TEST(weft::busy_share(weft::stats()) == 0);
    weft::worker_stats one;
    one.inside = 4s;
    BOOST_TEST(weft::busy_share(one) == 1);
    one.in_reactor = 1s;
    one.parked = 2s;
    BOOST_TEST(weft::busy_share(one) == 0.25);
    // Read at slightly different moments.
    one.parked = 3001ms;
    BOOST_TEST(weft::busy_share(one) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
