// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_TRACE_RAW_FILE_HPP
#define WEFT_SRC_TRACE_RAW_FILE_HPP

// The file that a process leaves which has crashed: its rings as they were in memory, and where its
// program and libraries were. After the magic there are records up to the end, in the machine's
// byte order.

#include "recording.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weft
{
namespace detail
{

constexpr char raw_magic[8] = {'w', 'e', 'f', 't', 'r', 'a', 'w', '1'};

enum class raw_record : std::uint32_t
{
    crash = 1, ///< raw_crash
    ring = 2,  ///< raw_ring, its slots, and once more how many events had been written by then
    maps = 3,  ///< a piece of /proc/self/maps
    name = 4   ///< raw_name, and the text
};

struct raw_header
{
    raw_record kind;
    std::uint32_t reserved;
    std::uint64_t size; ///< of what follows
};

struct raw_crash
{
    std::uint64_t signal;
    std::uint64_t process;
    std::uint64_t thread;
    std::uint64_t now;
};

struct raw_ring
{
    std::uint64_t context;
    std::uint64_t worker;
    std::uint64_t written;
    std::uint64_t size; ///< in slots
};

struct raw_name
{
    std::uint64_t context;
    std::uint64_t number;
};

/// What such a file says.
struct raw_contents
{
    raw_crash crash{};
    std::string maps;
    std::vector<recording> contexts;
    bool complete = true; ///< nothing is missing at the end
};

/// Throws std::bad_alloc, and std::runtime_error if this is no such file.
raw_contents read_raw(std::string const& bytes);

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_TRACE_RAW_FILE_HPP
