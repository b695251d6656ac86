// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_EXAMPLE_HASH_SERVER_WORKLOAD_HPP
#define WEFT_EXAMPLE_HASH_SERVER_WORKLOAD_HPP

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace example
{

/// One request: hash size bytes of the pseudo-random stream that seed begins.
struct hash_request
{
    std::uint64_t seed = 0;
    std::uint32_t size = 0;
};

inline constexpr std::uint32_t max_hash_size = 1024 * 1024;

/// Reads "SEED SIZE", two decimal numbers.
std::optional<hash_request> parse_hash_request(std::string_view line);

/// FNV-1a, 64 bits. The server's CPU work: some tens of microseconds for a few kilobytes.
std::uint64_t hash_of(hash_request request) noexcept;

/// Sixteen hexadecimal digits.
std::string to_hex(std::uint64_t value);

} // namespace example

#endif
