// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef BENCH_SUPPORT_COMMAND_LINE_HPP
#define BENCH_SUPPORT_COMMAND_LINE_HPP

#include "harness.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace bench
{

struct command_line
{
    std::vector<unsigned> threads;
    unsigned rounds = 0;
    // So many are run whatever they take.
    unsigned least_rounds = 0;
    bool quick = false;
    // Not zero: nothing but so many iterations of each cell, for counters outside the process.
    unsigned bare = 0;
    std::string filter;
    std::string json;
    std::string label;
    std::chrono::seconds budget{0};
    std::chrono::seconds limit{0};
};

// Nothing: the program has said all there is to say and ends with `status`.
std::optional<command_line> parse(int argc, char** argv, const question& asked, int& status);

} // namespace bench

#endif
