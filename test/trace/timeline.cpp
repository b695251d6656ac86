// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "trace/timeline.hpp"

#include "trace/chrome_json.hpp"

#include "trace/chrome.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <random>
#include <sstream>
#include <vector>

using weft::detail::event;
using weft::detail::event_kind;
using weft::detail::flow;
using weft::detail::recording;
using weft::detail::slice;
using weft::detail::timeline;
using weft::detail::two_counts;

namespace
{

recording of(std::vector<std::vector<event>> const& workers)
{
    recording r;
    r.context = "context";
    r.process = 1;
    for (auto const& events : workers)
    {
        r.workers.push_back({r.workers.size(), 0, events});
        if (!events.empty() && events.back().time >= r.now)
            r.now = events.back().time + 10;
    }
    return r;
}

event at(std::uint64_t time, event_kind kind, std::uint64_t payload = 0)
{
    return {time, payload, kind};
}

std::string text_of(timeline const& t, std::size_t worker = 0)
{
    std::ostringstream out;
    for (slice const& s : t.workers[worker].slices)
        out << (s.inner ? "+" : "") << int(s.kind) << ":" << s.begin << "-" << s.end
            << (s.unfinished ? "? " : " ");
    return out.str();
}

} // namespace

BOOST_AUTO_TEST_SUITE(trace_timeline)

BOOST_AUTO_TEST_CASE(a_handler_ends_where_the_next_thing_begins)
{
    timeline const t = timeline_of(
        of({{at(10, event_kind::handler), at(20, event_kind::handler), at(30, event_kind::idle),
            at(40, event_kind::park), at(50, event_kind::unpark), at(60, event_kind::io)}}));
    BOOST_TEST(text_of(t) == "0:10-20 0:20-30 5:30-40 6:40-50 5:50-60 1:60-70? ");
}

BOOST_AUTO_TEST_CASE(spans_are_inside_their_handler_and_end_with_it)
{
    timeline const t = timeline_of(of({{at(10, event_kind::handler),
        at(11, event_kind::span_begin, 1), at(12, event_kind::span_begin, 2),
        at(13, event_kind::span_end, 2), at(14, event_kind::span_begin, 3),
        at(15, event_kind::handler), at(16, event_kind::span_end, 1), at(17, event_kind::idle)}}));
    BOOST_TEST(text_of(t) == "0:10-15 +3:11-15 +3:12-13 +3:14-15 0:15-17 5:17-27? ");
}

BOOST_AUTO_TEST_CASE(a_nested_run_is_inside_its_handler)
{
    timeline const t = timeline_of(of({{at(10, event_kind::handler), at(11, event_kind::nest_begin),
        at(12, event_kind::handler), at(13, event_kind::handler), at(14, event_kind::idle),
        at(15, event_kind::nest_end), at(16, event_kind::idle)}}));
    BOOST_TEST(text_of(t) == "0:10-16 +0:12-13 +0:13-14 +5:14-15 5:16-26? ");
}

BOOST_AUTO_TEST_CASE(the_end_of_what_has_been_lost_ends_nothing_else)
{
    timeline const t = timeline_of(of({{at(9, event_kind::looked, 3), at(10, event_kind::nest_end),
        at(11, event_kind::span_end, 1), at(12, event_kind::operation_end, 1),
        at(13, event_kind::handler), at(14, event_kind::location, 5), at(15, event_kind::leave),
        at(20, event_kind::join), at(21, event_kind::off)}}));
    BOOST_TEST(text_of(t) == "0:13-15 ");
}

BOOST_AUTO_TEST_CASE(a_steal_leads_from_the_victim_to_the_next_handler)
{
    timeline const t = timeline_of(of({{at(10, event_kind::handler), at(50, event_kind::idle)},
        {at(5, event_kind::idle), at(20, event_kind::steal, two_counts(2, 0)),
            at(22, event_kind::handler), at(30, event_kind::idle)}}));
    BOOST_REQUIRE(t.flows.size() == 1u);
    BOOST_TEST((t.flows[0].kind == flow::steal));
    BOOST_TEST(t.flows[0].from == 0u);
    BOOST_TEST(t.flows[0].from_time == 20u);
    BOOST_TEST(t.flows[0].to == 1u);
    BOOST_TEST(t.flows[0].to_time == 22u);
}

BOOST_AUTO_TEST_CASE(a_wake_leads_to_the_handler_that_runs_then)
{
    timeline const t = timeline_of(of({{at(10, event_kind::handler), at(30, event_kind::wake, 1),
                                           at(50, event_kind::wake, 1), at(90, event_kind::idle)},
        {at(5, event_kind::park), at(40, event_kind::unpark, 1), at(41, event_kind::handler),
            at(45, event_kind::park), at(60, event_kind::unpark, 1), at(70, event_kind::park)}}));
    // The second has found nothing to do.
    BOOST_REQUIRE(t.flows.size() == 1u);
    BOOST_TEST((t.flows[0].kind == flow::wake));
    BOOST_TEST(t.flows[0].from_time == 30u);
    BOOST_TEST(t.flows[0].to_time == 41u);
}

BOOST_AUTO_TEST_CASE(nothing_leads_from_where_nothing_is_known)
{
    timeline const t = timeline_of(of({{at(40, event_kind::handler)},
        {at(20, event_kind::steal, two_counts(2, 0)), at(21, event_kind::handler),
            at(22, event_kind::steal, two_counts(1, 77)), at(23, event_kind::handler)}}));
    BOOST_TEST(t.flows.empty());
}

BOOST_AUTO_TEST_CASE(depths_are_samples_and_zero_asleep)
{
    timeline const t =
        timeline_of(of({{at(10, event_kind::depth, two_counts(3, 9)), at(20, event_kind::park)}}));
    BOOST_REQUIRE(t.workers[0].depths.size() == 2u);
    BOOST_TEST(t.workers[0].depths[0].count == 3u);
    BOOST_TEST(t.workers[0].depths[1].count == 0u);
    BOOST_REQUIRE(t.injected.size() == 1u);
    BOOST_TEST(t.injected[0].count == 9u);
}

// Whatever is in a ring, of a process that has crashed for instance: it is drawn by the rules.
BOOST_AUTO_TEST_CASE(any_events_make_a_timeline_that_obeys_the_rules)
{
    std::mt19937 random(1);
    weft::detail::symbols const names("");
    for (int round = 0; round != 50; ++round)
    {
        std::vector<std::vector<event>> workers(3);
        for (auto& events : workers)
            for (std::uint64_t time = 1; time != 300; ++time)
                events.push_back(at(time * (1 + random() % 2) + 1000 * events.size(),
                    static_cast<event_kind>(random() % 28), random() % 4));
        std::ostringstream out;
        write_chrome_json({of(workers), of(workers)}, names, out);
        test::chrome_file const file(out.str());
        BOOST_TEST(!file.slices.empty());
    }
}

BOOST_AUTO_TEST_CASE(waits_go_from_one_ring_to_another)
{
    auto const lock = weft::detail::place_of_wait(weft::detail::first_name, 0, 0x1000);
    auto const got = weft::detail::small_and_address(1, 0x20);
    recording r = of({{at(10, event_kind::handler), at(12, event_kind::wait_at, lock),
                          at(13, event_kind::wait_begin, 0x20), at(20, event_kind::idle)},
        {at(15, event_kind::handler), at(16, event_kind::wait_at, lock),
            at(17, event_kind::wait_begin, 0x30), at(21, event_kind::wait_end, got),
            at(25, event_kind::wait_end, 0x30), at(26, event_kind::idle)}});
    timeline const t = timeline_of(r);
    BOOST_TEST_REQUIRE(t.waits.size() == 2u);
    BOOST_TEST(t.lanes == 2u);
    auto const& first = t.waits[0];
    BOOST_TEST(first.begin == 13u);
    BOOST_TEST(first.end == 21u);
    BOOST_TEST(first.got);
    BOOST_TEST(first.from.worker == 0u);
    BOOST_TEST(first.to.worker == 1u);
    BOOST_TEST(first.to.time == 21u);
    auto const& second = t.waits[1];
    BOOST_TEST(second.end == 25u);
    BOOST_TEST(!second.got);
    BOOST_TEST(!second.unfinished);
    BOOST_TEST(second.lane == 1u);
}

BOOST_AUTO_TEST_CASE(lanes_are_used_again)
{
    auto const lock = weft::detail::place_of_wait(1, 0, 0x1000);
    std::vector<event> events{at(1, event_kind::handler)};
    for (std::uint64_t i = 0; i != 100; ++i)
    {
        events.push_back(at(10 * i + 10, event_kind::wait_at, lock));
        events.push_back(at(10 * i + 11, event_kind::wait_begin, 0x10 + i));
        if (i != 0)
            events.push_back(at(10 * i + 12, event_kind::wait_end, 0x10 + i - 1));
    }
    timeline const t = timeline_of(of({events}));
    BOOST_TEST(t.waits.size() == 100u);
    BOOST_TEST(t.lanes == 2u);
    BOOST_TEST(t.waits.back().unfinished);
}

BOOST_AUTO_TEST_CASE(waits_whose_events_were_lost)
{
    auto const lock = weft::detail::place_of_wait(1, 3, 0x1000);
    // An end without a beginning; a beginning without a place; two beginnings in one memory.
    timeline const t =
        timeline_of(of({{at(10, event_kind::handler), at(11, event_kind::wait_end, 0x10),
            at(12, event_kind::wait_begin, 0x20), at(13, event_kind::wait_end, 0x20),
            at(14, event_kind::wait_at, lock), at(15, event_kind::wait_begin, 0x30),
            at(16, event_kind::wait_at, lock), at(17, event_kind::wait_begin, 0x30)}}));
    BOOST_TEST_REQUIRE(t.waits.size() == 1u);
    BOOST_TEST(t.waits[0].begin == 17u);
    BOOST_TEST(t.waits[0].unfinished);
    // And what threads have done that are no workers makes no tracks.
    recording r = of({{at(10, event_kind::wait_at, lock), at(11, event_kind::wait_begin, 0x10)}});
    r.workers[0].worker = weft::detail::no_worker;
    timeline const outside = timeline_of(r);
    BOOST_TEST(outside.workers.empty());
    BOOST_TEST(outside.waits.size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
