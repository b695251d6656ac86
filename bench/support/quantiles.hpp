// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What is kept of a distribution of latencies.

#ifndef BENCH_SUPPORT_QUANTILES_HPP
#define BENCH_SUPPORT_QUANTILES_HPP

#include <array>
#include <cstddef>
#include <vector>

namespace bench
{

inline constexpr std::array<double, 13> quantile_points{
    0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9995, 0.9999, 1};

// Of what is sorted and not empty.
template <class T>
T quantile_of_sorted(const std::vector<T>& sorted, double q)
{
    return sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))];
}

} // namespace bench

#endif
