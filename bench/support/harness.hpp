// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Runs one question over all columns. Columns take turns within every round, each round beginning
// with another one, so that a load that comes and goes falls on all of them; a row is printed only
// if every one of its runs was verified.

#ifndef BENCH_SUPPORT_HARNESS_HPP
#define BENCH_SUPPORT_HARNESS_HPP

#include "columns.hpp"
#include "machine.hpp"
#include "quantiles.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench
{

// One variant of a question; what width and variant mean is the question's affair.
struct row
{
    std::string name;
    std::uint64_t operations;
    std::uint64_t quick_operations;
    std::size_t width = 1;
    bool variant = false;
};

struct question
{
    std::string name;
    std::string operation;
    std::vector<row> rows;
    std::string unit = "ns/op";
    std::vector<std::string> extras = {};
    // Whether a ratio to the first column means anything, and a number of allocations.
    bool comparable = true;
    bool allocates = true;
    std::vector<unsigned> threads = {1, 2, 4, 8};
    std::vector<unsigned> quick_threads = {1, 2, 8};
    unsigned iterations = 2;
    unsigned rounds = 5;
    unsigned quick_rounds = 3;
    // Whether to add short iterations of which only those count that really had several cores.
    bool contended = false;
    std::chrono::seconds budget{80};
    std::chrono::seconds quick_budget{9};
    // Called before each measurement, by a process without other threads; what it says of a row, a
    // number of threads and a round is the same for all columns, such as a rate. What it throws is
    // a failure.
    std::function<double(const row&, unsigned threads, unsigned round)> yardstick = {};
};

struct setting
{
    const row& what;
    std::uint64_t operations;
    unsigned round = 0;
    double yardstick = 0;
};

// What one iteration of a workload found.
struct outcome
{
    std::uint64_t operations = 0;
    std::chrono::nanoseconds elapsed{0};
    // In place of elapsed / operations, where that is not the answer.
    std::optional<double> value = std::nullopt;
    std::vector<double> extras = {};
    // Empty: the result is right.
    std::string failure = {};
    // Of a latency: microseconds at each of quantile_points, or nothing.
    std::vector<double> quantiles = {};
};

inline outcome failed(std::string why)
{
    outcome o;
    o.failure = std::move(why);
    return o;
}

struct experiment
{
    virtual ~experiment() = default;
    virtual outcome iterate() = 0;
};

// Makes nothing where a column has no answer to a row.
using experiment_factory =
    std::function<std::unique_ptr<experiment>(unsigned threads, const setting&)>;

struct column
{
    std::string name;
    experiment_factory make;
};

template <class Engine, template <class> class Workload>
class experiment_on final : public experiment
{
public:
    experiment_on(unsigned threads, const setting& s) : engine_(threads), workload_(engine_, s)
    {
    }

    outcome iterate() override
    {
        return workload_();
    }

private:
    Engine engine_;
    Workload<Engine> workload_;
};

// The program: reads the command line, measures, prints; returns main's result.
int run(int argc, char** argv, const question& asked, const std::vector<column>& columns);

template <template <class> class Workload>
std::vector<column> columns_of()
{
    std::vector<column> columns;
    for_each_column(
        [&]<class Engine>(std::string_view name)
        {
            columns.push_back({std::string(name),
                [](unsigned threads, const setting& s) -> std::unique_ptr<experiment>
                {
                    return std::make_unique<experiment_on<Engine, Workload>>(threads, s);
                }});
        });
    return columns;
}

template <template <class> class Workload>
int run(int argc, char** argv, const question& asked)
{
    return run(argc, argv, asked, columns_of<Workload>());
}

} // namespace bench

#endif
