// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_VALIDATE_HPP
#define WEFT_SRC_VALIDATE_HPP

#include <weft/config.hpp>
#include <weft/options.hpp>

#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Of one context.
constexpr std::size_t most_threads = 65535;

/// Throws std::invalid_argument, which names the option as given and its range, if the value is out
/// of it.
void require_range(
    char const* option, std::uint64_t value, std::uint64_t least, std::uint64_t most);

/// Returns `opts`. Throws std::invalid_argument, which names the option and its range.
options const& validated(options const& opts);

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_VALIDATE_HPP
