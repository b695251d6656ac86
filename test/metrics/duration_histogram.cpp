// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/duration_histogram.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace
{

using std::chrono::nanoseconds;
using weft::duration_histogram;

} // namespace

BOOST_AUTO_TEST_SUITE(metrics_duration_histogram)

BOOST_AUTO_TEST_CASE(buckets_follow_one_another_without_gaps)
{
    BOOST_TEST(duration_histogram::bucket_of(nanoseconds(0)) == 0u);
    for (std::size_t i = 0; i + 1 != duration_histogram::buckets; ++i)
    {
        nanoseconds const end = duration_histogram::upper_bound(i);
        BOOST_TEST(duration_histogram::bucket_of(end - nanoseconds(1)) == i);
        BOOST_TEST(duration_histogram::bucket_of(end) == i + 1);
    }
    BOOST_TEST(duration_histogram::upper_bound(duration_histogram::buckets - 1).count() ==
               std::int64_t{1} << 40);
}

BOOST_AUTO_TEST_CASE(what_is_out_of_range_is_in_the_first_or_the_last_bucket)
{
    BOOST_TEST(duration_histogram::bucket_of(nanoseconds(-5)) == 0u);
    BOOST_TEST(
        duration_histogram::bucket_of((nanoseconds::max)()) == duration_histogram::buckets - 1);
    duration_histogram h;
    h.record(nanoseconds(-5));
    h.record((nanoseconds::max)());
    BOOST_TEST(h.count() == 2u);
}

BOOST_AUTO_TEST_CASE(an_empty_one_has_neither_quantiles_nor_a_total)
{
    duration_histogram const h;
    BOOST_TEST(h.count() == 0u);
    BOOST_TEST(h.quantile(0.5).count() == 0);
    BOOST_TEST(h.total().count() == 0);
}

BOOST_AUTO_TEST_CASE(quantiles_are_within_an_eighth_of_what_was_recorded)
{
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> exponent(2, 39);
    std::vector<std::int64_t> values;
    duration_histogram h;
    std::int64_t sum = 0;
    for (int i = 0; i != 10'000; ++i)
    {
        values.push_back(static_cast<std::int64_t>(std::exp2(exponent(random))));
        h.record(nanoseconds(values.back()));
        sum += values.back();
    }
    std::sort(values.begin(), values.end());
    BOOST_TEST(h.count() == values.size());
    BOOST_TEST(h.total().count() == sum);
    for (double const q : {0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0})
    {
        auto const index = static_cast<std::size_t>(std::ceil(q * 10'000)) - 1;
        auto const exact = static_cast<double>(values[index]);
        auto const told = static_cast<double>(h.quantile(q).count());
        BOOST_TEST(std::abs(told - exact) <= 0.125 * exact, q << ": " << told << " for " << exact);
    }
}

BOOST_AUTO_TEST_CASE(a_count_is_as_many_records_of_one)
{
    duration_histogram one;
    duration_histogram many;
    for (int i = 0; i != 9; ++i)
        one.record(nanoseconds(1000));
    many.record(nanoseconds(1000), 9);
    BOOST_TEST((one == many));
    many.record(nanoseconds(1));
    BOOST_TEST((one != many));
}

BOOST_AUTO_TEST_CASE(a_difference_is_what_was_recorded_in_between)
{
    duration_histogram earlier;
    earlier.record(nanoseconds(100), 3);
    duration_histogram later = earlier;
    later.record(nanoseconds(5000), 2);
    duration_histogram between;
    between.record(nanoseconds(5000), 2);
    duration_histogram difference = later;
    difference -= earlier;
    BOOST_TEST((difference == between));
    difference += earlier;
    BOOST_TEST((difference == later));
    // Of another histogram: no wrap.
    earlier -= later;
    BOOST_TEST(earlier.count() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
