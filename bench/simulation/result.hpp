// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef BENCH_SIMULATION_RESULT_HPP
#define BENCH_SIMULATION_RESULT_HPP

#include "source.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace simulation
{

/// What the workers did besides running handlers.
struct counts
{
    std::uint64_t handlers = 0;
    std::uint64_t steals = 0;
    std::uint64_t moved = 0;
    std::uint64_t remote_looks = 0;
    std::uint64_t polls = 0;
    std::uint64_t wakes = 0;
};

/// The quantiles that are reported of a time or a number.
struct quantiles
{
    double p50 = 0;
    double p90 = 0;
    double p99 = 0;
    double p999 = 0;
    double max = 0;
};

struct result
{
    quantiles response;    ///< of requests: from ready to the handler's end, in nanoseconds
    quantiles wait;        ///< of requests: from ready to the handler's begin
    quantiles timer;       ///< of timers: from ready to the handler's begin
    quantiles post;        ///< of posts from outside, the same
    quantiles overtaken;   ///< by how many that became ready later, for each that was served
    std::size_t ready = 0; ///< all that became ready
    double throughput = 0; ///< requests per second
    counts done;
};

/// Without what became ready in the first tenth of the time.
result evaluate(source const& from, counts const& done);

} // namespace simulation

#endif // BENCH_SIMULATION_RESULT_HPP
