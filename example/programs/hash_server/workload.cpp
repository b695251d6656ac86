// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "workload.hpp"

#include <charconv>

namespace example
{

std::optional<hash_request> parse_hash_request(std::string_view line)
{
    hash_request request;
    auto const last = line.data() + line.size();
    auto const seed = std::from_chars(line.data(), last, request.seed);
    if (seed.ec != std::errc{} || seed.ptr == last || *seed.ptr != ' ')
        return std::nullopt;
    auto const size = std::from_chars(seed.ptr + 1, last, request.size);
    if (size.ec != std::errc{} || size.ptr != last || request.size > max_hash_size)
        return std::nullopt;
    return request;
}

std::uint64_t hash_of(hash_request request) noexcept
{
    std::uint64_t hash = 0xcbf29ce484222325U;
    std::uint64_t state = request.seed;
    std::uint64_t word = 0;
    for (std::uint32_t i = 0; i < request.size; ++i)
    {
        if (i % 8 == 0)
        {
            // splitmix64: the stream needs no memory, so only the CPU is measured.
            state += 0x9e3779b97f4a7c15U;
            word = state;
            word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
            word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
            word ^= word >> 31;
        }
        hash = (hash ^ (word & 0xff)) * 0x100000001b3U;
        word >>= 8;
    }
    return hash;
}

std::string to_hex(std::uint64_t value)
{
    std::string text(16, '0');
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit, value >>= 4)
        *digit = "0123456789abcdef"[value & 15];
    return text;
}

} // namespace example
