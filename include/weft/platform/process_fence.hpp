// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_PROCESS_FENCE_HPP
#define WEFT_PLATFORM_PROCESS_FENCE_HPP

#include <weft/platform/atomic.hpp>
#include <weft/platform/visibility.hpp>

#if !defined(WEFT_ATOMICS_HEADER)

namespace weft
{
namespace detail
{

/// Makes every thread of the process execute a full fence before it returns, so that the other side
/// of a store-then-load handshake needs none (Linux membarrier, private expedited). Costs system
/// time in proportion to the cores in use: for rare events only. The first call takes 10 to 20 ms
/// if the process had threads already when this library was loaded. Returns false where the kernel
/// does not offer it, and the other side has to keep its fence; or not any more.
WEFT_DECL [[nodiscard]] bool process_fence() noexcept;

/// Whether the kernel offers process_fence(); decided once, and never waits.
WEFT_DECL bool process_fence_available() noexcept;

} // namespace detail
} // namespace weft

#endif // !WEFT_ATOMICS_HEADER

#endif // WEFT_PLATFORM_PROCESS_FENCE_HPP
