// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_FUTEX_HPP
#define WEFT_PLATFORM_FUTEX_HPP

#include <weft/platform/atomic.hpp>
#include <weft/platform/visibility.hpp>

#if !defined(WEFT_ATOMICS_HEADER)

#include <weft/platform/deadline.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

/// Sleeps while `word` is `expected`. Returns early for any reason, as the kernel's futex does: the
/// caller tests its condition again. Gives no ordering.
WEFT_DECL void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;

/// As above, and returns at `until` at the latest.
WEFT_DECL void futex_wait_until(
    atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) noexcept;

/// Wakes at most `count` threads that sleep on `word`.
WEFT_DECL void futex_wake(atomic<std::uint32_t>& word, int count) noexcept;

} // namespace detail
} // namespace weft

#endif // !defined(WEFT_ATOMICS_HEADER)

#endif // WEFT_PLATFORM_FUTEX_HPP
