// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Samples of one question and how they are shown.

#ifndef BENCH_SUPPORT_REPORT_HPP
#define BENCH_SUPPORT_REPORT_HPP

#include "harness.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace bench
{

struct sample
{
    unsigned round;
    double value;
    std::vector<double> extras;
    std::vector<double> quantiles;
};

// Over all iterations of a round, since the kernel brings CPU times up to date by the millisecond.
struct cost
{
    double cpu_ns;
    double cores;
    double foreign;
};

// Short iterations: all that were made, and what those took that had enough cores.
struct crowd
{
    static constexpr double enough_cores = 1.35;

    unsigned made = 0;
    std::vector<double> kept;
};

struct cell
{
    std::size_t row;
    unsigned threads;
    std::size_t column;
    std::vector<sample> samples;
    std::vector<cost> costs;
    std::optional<double> allocations;
    std::string failure;
    crowd together;
};

struct results
{
    const question& asked;
    const std::vector<column>& columns;
    std::vector<cell> cells;
    unsigned rounds = 0;
    bool quick = false;
    std::string label;
    // What each round took.
    std::vector<double> round_seconds;
};

double median(std::vector<double> values);

void print(std::ostream& out, const results& r);
bool write_json(const std::string& path, const results& r);

} // namespace bench

#endif
