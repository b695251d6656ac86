// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_CACHE_LINE_HPP
#define WEFT_PLATFORM_CACHE_LINE_HPP

#include <cstddef>

namespace weft
{
namespace detail
{

/// Distance that keeps two hot words from sharing a line. 128 rather than 64 where the
/// adjacent-line prefetcher (x86-64) or the line itself (large arm64 cores) couples pairs of
/// 64-byte lines; a guess borrowed from Folly and crossbeam, not measured here.
#if defined(__x86_64__) || defined(__aarch64__) || defined(__powerpc64__)
inline constexpr std::size_t cache_line = 128;
#else
inline constexpr std::size_t cache_line = 64;
#endif

} // namespace detail
} // namespace weft

#endif // WEFT_PLATFORM_CACHE_LINE_HPP
