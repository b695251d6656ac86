// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/parker.hpp>

namespace weft
{
namespace detail
{

WEFT_INLINE void parker::park_until(deadline until) noexcept
{
    if (!enter(parked))
        return;
    while (state_.load(memory_order_relaxed) == parked && std::chrono::steady_clock::now() < until)
        futex_wait_until(state_, parked, until);
    leave();
}

} // namespace detail
} // namespace weft
