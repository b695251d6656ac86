// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_THIS_CPU_HPP
#define WEFT_PLATFORM_THIS_CPU_HPP

// Which CPU the calling thread runs on.

#include <cstdint>
#include <limits>

#include <sched.h>

namespace weft
{
namespace detail
{

constexpr std::uint32_t unknown_cpu = (std::numeric_limits<std::uint32_t>::max)();

/// A hint: the thread may run on another one by now. `unknown_cpu` if the system does not say.
/// Complexity: some nanoseconds, without a system call where there is a vDSO or rseq.
inline std::uint32_t this_cpu() noexcept
{
    int const cpu = ::sched_getcpu();
    return cpu < 0 ? unknown_cpu : static_cast<std::uint32_t>(cpu);
}

} // namespace detail
} // namespace weft

#endif // WEFT_PLATFORM_THIS_CPU_HPP
