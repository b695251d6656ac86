// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/counters.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <thread>

namespace
{

using weft::worker_stats;
using weft::detail::counter;
using weft::detail::counters;

using field = std::uint64_t worker_stats::*;

// What a worker counts, and what of it is read.
struct pair
{
    counter counters::*written;
    field read;
};

constexpr std::array<pair, 14> pairs{{
    {&counters::handlers, &worker_stats::handlers},
    {&counters::lifo_hits, &worker_stats::lifo_hits},
    {&counters::steal_operations, &worker_stats::steal_operations},
    {&counters::stolen_handlers, &worker_stats::stolen_handlers},
    {&counters::overflows, &worker_stats::overflows},
    {&counters::injection_fetches, &worker_stats::injection_fetches},
    {&counters::remote_pushes, &worker_stats::remote_pushes},
    {&counters::parks, &worker_stats::parks},
    {&counters::wakes, &worker_stats::wakes},
    {&counters::empty_wakes, &worker_stats::empty_wakes},
    {&counters::stood_aside, &worker_stats::stood_aside},
    {&counters::budget_yields, &worker_stats::budget_yields},
    {&counters::reactor_polls, &worker_stats::reactor_polls},
    {&counters::reactor_events, &worker_stats::reactor_events},
}};

// What is no counter of these: added up, too.
constexpr std::chrono::nanoseconds worker_stats::*times[] = {
    &worker_stats::inside, &worker_stats::parked, &worker_stats::in_reactor};

static_assert(sizeof(worker_stats) == (pairs.size() + std::size(times) + 1) * sizeof(std::uint64_t),
    "a statistic besides queue_depth is not tested here");

} // namespace

BOOST_AUTO_TEST_CASE(every_counter_is_read_under_its_own_name)
{
    counters c;
    for (std::size_t i = 0; i != pairs.size(); ++i)
    {
        (c.*pairs[i].written).add(i);
        (c.*pairs[i].written).add(100);
    }
    worker_stats const s = c.read();
    for (std::size_t i = 0; i != pairs.size(); ++i)
        BOOST_TEST((s.*pairs[i].read) == 100 + i);
}

BOOST_AUTO_TEST_CASE(sums_take_every_field_in)
{
    worker_stats sum;
    worker_stats s;
    for (std::size_t i = 0; i != pairs.size(); ++i)
    {
        sum.*pairs[i].read = 1000;
        s.*pairs[i].read = i;
    }
    sum.queue_depth = 1000;
    s.queue_depth = 77;
    for (std::size_t i = 0; i != std::size(times); ++i)
    {
        sum.*times[i] = std::chrono::nanoseconds(1000);
        s.*times[i] = std::chrono::nanoseconds(i);
    }
    weft::detail::add(sum, s);
    for (std::size_t i = 0; i != std::size(times); ++i)
        BOOST_TEST((sum.*times[i]).count() == 1000 + static_cast<std::int64_t>(i));
    for (std::size_t i = 0; i != pairs.size(); ++i)
        BOOST_TEST((sum.*pairs[i].read) == 1000 + i);
    BOOST_TEST(sum.queue_depth == 1077u);
}

BOOST_AUTO_TEST_CASE(reader_sees_a_counter_grow_while_its_worker_counts)
{
    constexpr std::uint64_t limit = 100'000;
    counter c;
    std::thread worker(
        [&]
        {
            for (std::uint64_t i = 0; i != limit; ++i)
                c.add(1);
        });
    bool grows = true;
    for (std::uint64_t last = 0; last != limit;)
    {
        std::uint64_t const now = c.value();
        grows = grows && now >= last && now <= limit;
        last = now;
        std::this_thread::yield();
    }
    worker.join();
    BOOST_TEST(grows);
}
