// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_RUN_LIMITS_HPP
#define WEFT_SCHED_RUN_LIMITS_HPP

// What tells the calls of a context apart that run handlers: run(), run_one(), poll() and their
// like.

#include <weft/platform/futex.hpp>

#include <cstddef>

namespace weft
{
namespace detail
{

enum class wait_mode
{
    none,   ///< return when nothing is ready
    until,  ///< sleep, until a time at the latest
    forever ///< sleep until there is something, or nothing can come
};

/// What a thread inside run() has to do with the others.
enum class joins_as
{
    passing,  ///< comes from outside
    own,      ///< of the owner of the threads: a worker is reserved for it
    recurring ///< and is again when it leaves, for the next time
};

struct run_limits
{
    static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);

    wait_mode mode = wait_mode::forever;
    deadline until{};
    std::size_t handlers = unlimited;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_RUN_LIMITS_HPP
