// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/cheap_clock.hpp>

#include "paired_reading.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace weft
{
namespace detail
{

inline namespace WEFT_LOCAL
{

// Long enough that what passes while both are read, which may be some 100 ns, is nothing beside it.
inline constexpr std::uint64_t shortest_comparison = 10'000'000;

enum class comparison
{
    not_begun,
    busy, // a thread is writing
    begun,
    over // for good, with a scale or without
};

WEFT_INLINE atomic<comparison> clock_state{comparison::not_begun};

// Of the first reading. Written while busy.
WEFT_INLINE atomic<std::uint64_t> first_time{0};
WEFT_INLINE atomic<std::uint64_t> first_ticks{0};

WEFT_INLINE std::uint64_t steady_time() noexcept
{
    using namespace std::chrono;
    return static_cast<std::uint64_t>(
        duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count());
}

#if defined(__x86_64__)
/// Whether the kernel tells the time by this counter: then it is the same on all cores.
WEFT_INLINE bool is_clock_source(char const* wanted) noexcept
{
    char name[32] = {};
    int const file = ::open(
        "/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    auto const size = ::read(file, name, sizeof(name) - 1);
    ::close(file);
    std::size_t const length = std::strlen(wanted);
    return size > 0 && std::strncmp(name, wanted, length) == 0 && name[length] == '\n';
}
#endif

WEFT_INLINE bool counter_is_usable() noexcept
{
#if defined(__x86_64__)
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    // "Invariant TSC": it does not change its rate, and does not stop.
    bool const invariant = __get_cpuid(0x80000007u, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
    return invariant && is_clock_source("tsc");
#elif defined(__aarch64__)
    return true;
#else
    return false;
#endif
}

/// Whether this thread has the right to write, which it had to be in state `from` for.
WEFT_INLINE bool enter(comparison from) noexcept
{
    return clock_state.compare_exchange_strong(
        from, comparison::busy, memory_order_acquire, memory_order_relaxed);
}

} // namespace WEFT_LOCAL

WEFT_INLINE atomic<std::uint64_t> cheap_clock::scale_{0};
WEFT_INLINE atomic<std::uint64_t> cheap_clock::offset_{0};

WEFT_INLINE std::uint64_t cheap_clock::compare() noexcept
{
    std::uint64_t const time = steady_time();
    switch (clock_state.load(memory_order_acquire))
    {
    case comparison::not_begun:
        if (enter(comparison::not_begun))
        {
            bool const usable = counter_is_usable();
            auto const both = read_paired(steady_time, ticks, 0);
            first_time.store(both.time, memory_order_relaxed);
            first_ticks.store(both.count, memory_order_relaxed);
            clock_state.store(usable ? comparison::begun : comparison::over, memory_order_release);
        }
        break;
    case comparison::begun:
        if (time - first_time.load(memory_order_relaxed) >= shortest_comparison &&
            enter(comparison::begun))
        {
            auto const both = read_paired(steady_time, ticks, 0);
            std::uint64_t const then = both.time;
            std::uint64_t const now = both.count;
            std::uint64_t const elapsed = then - first_time.load(memory_order_relaxed);
            std::uint64_t const counted = now - first_ticks.load(memory_order_relaxed);
            // After more than 4 s the quotient would overflow: it begins again then. And from
            // 1 MHz to 100 GHz: anything else is no clock.
            if (elapsed >> 32 == 0 && counted >= elapsed / 1000 && counted / 100 <= elapsed)
            {
                std::uint64_t const scale = (elapsed << 32) / counted;
                offset_.store(then - nanoseconds(now, scale), memory_order_relaxed);
                scale_.store(scale, memory_order_release);
            }
            if (elapsed >> 32 == 0)
                clock_state.store(comparison::over, memory_order_release);
            else
            {
                first_time.store(then, memory_order_relaxed);
                first_ticks.store(now, memory_order_relaxed);
                clock_state.store(comparison::begun, memory_order_release);
            }
        }
        break;
    default:
        break;
    }
    return time;
}

} // namespace detail
} // namespace weft
