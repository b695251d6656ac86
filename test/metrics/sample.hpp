// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_METRICS_SAMPLE_HPP
#define WEFT_TEST_METRICS_SAMPLE_HPP

#include <weft/stats.hpp>

#include <chrono>

namespace test
{

inline weft::primitive_stats primitive(std::string_view kind, std::string name, std::size_t waiting,
    std::chrono::nanoseconds longest_wait, std::uint64_t contended)
{
    weft::primitive_stats p;
    p.kind = kind;
    p.name = std::move(name);
    p.waiting = waiting;
    p.longest_wait = longest_wait;
    p.contended = contended;
    return p;
}

/// A snapshot with a value of its own almost everywhere.
inline weft::stats sample_stats()
{
    using namespace std::chrono_literals;
    weft::stats s;
    s.taken = std::chrono::steady_clock::time_point(1h);
    s.workers.resize(2);
    s.workers[0].handlers = 10;
    s.workers[0].inside = 2s;
    s.workers[0].parked = 250ms;
    s.workers[0].in_reactor = 250ms;
    s.workers[1].handlers = 20;
    s.workers[1].inside = 2s;
    s.workers[1].parked = 1s;
    s.workers[1].queue_depth = 7;
    s.total.handlers = 30;
    s.total.inside = 4s;
    s.total.parked = 1250ms;
    s.total.in_reactor = 250ms;
    s.total.queue_depth = 7;
    s.injection_depth = 3;
    s.outstanding = 4;
    s.blocking_calls = 5;
    s.blocked = 1ns;
    s.exceptions = 6;
    s.run_time.record(500ns);
    s.run_time.record(1us);
    s.run_time.record(2s);
    s.queue_delay.record(3ms, 100);
    s.primitives = {primitive("mutex", "table", 2, 1s, 10), primitive("channel", "", 0, 0s, 1),
        primitive("mutex", "table", 3, 2s, 20)};
    s.primitives[1].length = 9;
    s.primitives[0].wait_time.record(1us);
    s.primitives[2].wait_time.record(2s);
    return s;
}

} // namespace test

#endif // WEFT_TEST_METRICS_SAMPLE_HPP
