// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/process_fence.hpp>
#include <weft/platform/single_threaded.hpp>

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace weft
{
namespace detail
{

inline namespace WEFT_LOCAL
{

WEFT_INLINE bool membarrier(int command) noexcept
{
    return ::syscall(SYS_membarrier, command, 0, 0) == 0;
}

WEFT_INLINE bool offers_membarrier() noexcept
{
    constexpr long needed =
        MEMBARRIER_CMD_PRIVATE_EXPEDITED | MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
    long const offered = ::syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    return offered > 0 && (offered & needed) == needed;
}

// A process must register. While it has one thread that costs as much as any system call; later the
// kernel waits until every processor has noticed, 10 to 20 ms. So it is done when the program
// starts, or else when the first fence is needed, by the thread that needs it.
WEFT_INLINE bool register_while_it_is_cheap() noexcept
{
    return process_is_single_threaded() && membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

[[maybe_unused]] WEFT_INLINE bool const registered_at_start = register_while_it_is_cheap();

} // namespace WEFT_LOCAL

WEFT_INLINE bool process_fence_available() noexcept
{
    static bool const available = offers_membarrier();
    return available;
}

WEFT_INLINE bool process_fence() noexcept
{
    if (!process_fence_available())
        return false;
    // Fails if the process is not registered.
    return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) ||
           (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
               membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED));
}

} // namespace detail
} // namespace weft
