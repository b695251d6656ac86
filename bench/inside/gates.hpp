// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What it costs to see inside a context, and how soon what is to be seen is seen: measured, and
// held to bounds.

#ifndef BENCH_INSIDE_GATES_HPP
#define BENCH_INSIDE_GATES_HPP

#include "../support/load_client.hpp"

#include <weft/io_context.hpp>
#include <weft/trace.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace inside
{

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

struct gate
{
    std::string what;
    double measured;
    double bound;
    std::string unit;
    // How it was measured, and what else was seen.
    std::string how;

    bool holds() const
    {
        return measured <= bound;
    }
};

using gates = std::vector<gate>;

// What a context does beside its work. The first is what the others are compared with.
enum mode : std::size_t
{
    off,
    sampled,
    all,
    recording
};

constexpr std::size_t modes = 4;

inline void turn_to(weft::io_context& context, mode m)
{
    context.timing(m == sampled ? weft::timing::sampled
                   : m == all   ? weft::timing::all
                                : weft::timing::off);
    if (m == recording)
        weft::trace::start(context);
    else
        weft::trace::stop(context);
}

// Costs in each round, by mode; the modes take turns, and each round begins with another one.
using costs = std::vector<std::array<double, modes>>;

template <typename Measure>
costs measure_rounds(std::size_t rounds, Measure measure)
{
    costs result(rounds);
    for (std::size_t round = 0; round != rounds; ++round)
        for (std::size_t i = 0; i != modes; ++i)
        {
            const std::size_t m = (round + i) % modes;
            result[round][m] = measure(static_cast<mode>(m));
        }
    return result;
}

inline double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

inline double median_of(const costs& c, mode m)
{
    std::vector<double> values;
    for (const auto& round : c)
        values.push_back(round[m]);
    return median(std::move(values));
}

// What a mode costs more than nothing: each round is compared with itself.
inline double extra_of(const costs& c, mode m)
{
    std::vector<double> values;
    for (const auto& round : c)
        values.push_back(round[m] - round[off]);
    return median(std::move(values));
}

inline double share_of(const costs& c, mode m)
{
    std::vector<double> values;
    for (const auto& round : c)
        values.push_back(100 * (round[m] / round[off] - 1));
    return median(std::move(values));
}

std::string text_of(double value);

gates handlers(bool quick);
gates echo(bool quick, bench::load_client& client);
gates stalls(bool quick);
gates drains(bool quick);

} // namespace inside

#endif
