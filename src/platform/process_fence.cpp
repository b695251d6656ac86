// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/process_fence.hpp>

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace weft
{
namespace detail
{

namespace
{

bool membarrier(int command) noexcept
{
    return ::syscall(SYS_membarrier, command, 0, 0) == 0;
}

} // namespace

bool process_fence_available() noexcept
{
    static bool const registered = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
    return registered;
}

bool process_fence() noexcept
{
    if (!process_fence_available())
        return false;
    // A child of fork() may have to register again.
    return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) ||
           (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
               membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED));
}

} // namespace detail
} // namespace weft
