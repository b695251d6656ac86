// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Preloaded by bench/instructions: under valgrind a program takes some fifty times as long, and one
// that looks at the clock would take empty handlers for long ones. Here the monotonic clock goes on
// by 200 ns whenever it is read, from when it was read first.

#include <atomic>

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern "C" int clock_gettime(clockid_t which, timespec* now) noexcept
{
    if (which != CLOCK_MONOTONIC)
        return static_cast<int>(::syscall(SYS_clock_gettime, which, now));

    constexpr long long second = 1'000'000'000;
    static std::atomic<long long> last{0};
    if (last.load() == 0)
    {
        timespec start;
        if (const long error = ::syscall(SYS_clock_gettime, which, &start); error != 0)
            return static_cast<int>(error);
        long long unset = 0;
        last.compare_exchange_strong(unset, start.tv_sec * second + start.tv_nsec);
    }
    const long long at = last.fetch_add(200) + 200;
    now->tv_sec = at / second;
    now->tv_nsec = static_cast<long>(at % second);
    return 0;
}
