// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What the programs here share: CHECK(condition) says where it does not hold, and counts.
#ifndef CHECK_HPP
#define CHECK_HPP

#include <cstddef>
#include <filesystem>
#include <iostream>
#include <iterator>

inline int failures = 0;

#define CHECK(condition) check(condition, __FILE__, __LINE__)

inline void check(bool as_expected, char const* file, int line)
{
    if (as_expected)
        return;
    std::cerr << file << ':' << line << ": not as expected\n";
    ++failures;
}

inline std::ptrdiff_t threads_of_process()
{
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
        std::filesystem::directory_iterator());
}

#endif
