// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_NUMBER_TEXT_HPP
#define WEFT_SRC_NUMBER_TEXT_HPP

// Numbers as text, whatever the locale.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace weft
{
namespace detail
{

inline void append_number(std::string& out, std::uint64_t n)
{
    out += std::to_string(n);
}

/// All digits that there are: 1.5, 0.000001024, 3.
inline void append_seconds(std::string& out, std::chrono::nanoseconds time)
{
    auto const ns = static_cast<std::uint64_t>(time.count() > 0 ? time.count() : 0);
    out += std::to_string(ns / 1'000'000'000);
    std::string fraction = std::to_string(ns % 1'000'000'000);
    if (fraction == "0")
        return;
    fraction.insert(0, std::size_t{9} - fraction.size(), '0');
    fraction.erase(fraction.find_last_not_of('0') + 1);
    (out += '.') += fraction;
}

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_NUMBER_TEXT_HPP
