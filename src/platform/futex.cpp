// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/futex.hpp>

#include <climits>
#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace weft
{
namespace detail
{

inline namespace WEFT_LOCAL
{

WEFT_INLINE std::uint32_t* address(atomic<std::uint32_t>& word) noexcept
{
    static_assert(sizeof(atomic<std::uint32_t>) == sizeof(std::uint32_t) &&
                      atomic<std::uint32_t>::is_always_lock_free,
        "the kernel compares the word in place");
    return reinterpret_cast<std::uint32_t*>(&word);
}

} // namespace WEFT_LOCAL

WEFT_INLINE void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected) noexcept
{
    ::syscall(SYS_futex, address(word), FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
}

WEFT_INLINE void futex_wait_until(
    atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) noexcept
{
    using namespace std::chrono;
    auto const since = until.time_since_epoch();
    if (since <= nanoseconds::zero())
        return;
    auto const whole = duration_cast<seconds>(since);
    std::timespec at;
    at.tv_sec = static_cast<std::time_t>(whole.count());
    at.tv_nsec = static_cast<long>(duration_cast<nanoseconds>(since - whole).count());
    // The bitset form takes an absolute time of CLOCK_MONOTONIC, which is
    // std::chrono::steady_clock.
    ::syscall(SYS_futex, address(word), FUTEX_WAIT_BITSET_PRIVATE, expected, &at, nullptr,
        FUTEX_BITSET_MATCH_ANY);
}

WEFT_INLINE void futex_wake(atomic<std::uint32_t>& word, int count) noexcept
{
    ::syscall(SYS_futex, address(word), FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

} // namespace detail
} // namespace weft
