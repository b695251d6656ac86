// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/cheap_clock.hpp>

#include "counter_use.hpp"
#include "paired_reading.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <string_view>

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
WEFT_INLINE atomic<counter_use> counter_used{counter_use::none};
WEFT_INLINE atomic<std::uint64_t> first_time{0};
WEFT_INLINE atomic<std::uint64_t> first_ticks{0};

WEFT_INLINE std::uint64_t steady_time() noexcept
{
    using namespace std::chrono;
    return static_cast<std::uint64_t>(
        duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count());
}

#if defined(__x86_64__)
/// What the kernel tells the time by: in `name`, empty if that is not known.
WEFT_INLINE std::string_view read_clock_source(char* name, std::size_t size) noexcept
{
    int const file = ::open(
        "/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return {};
    auto const length = ::read(file, name, size);
    ::close(file);
    std::string_view const line(name, length > 0 ? static_cast<std::size_t>(length) : 0);
    return line.substr(0, line.find('\n'));
}
#endif

WEFT_INLINE counter_use find_use_of_counter() noexcept
{
#if defined(__x86_64__)
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    // "Invariant TSC": it does not change its rate, and does not stop.
    bool const invariant = __get_cpuid(0x80000007u, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
    char name[32];
    return use_of_counter(invariant, read_clock_source(name, sizeof(name)));
#elif defined(__aarch64__)
    return counter_use::everywhere;
#else
    return counter_use::none;
#endif
}

/// Whether this thread has the right to write, which it had to be in state `from` for.
WEFT_INLINE bool enter(comparison from) noexcept
{
    return clock_state.compare_exchange_strong(
        from, comparison::busy, memory_order_acquire, memory_order_relaxed);
}

/// Gives that right up, with the first reading.
WEFT_INLINE void leave_with_first(
    paired_reading<std::uint64_t> const& both, comparison next) noexcept
{
    first_time.store(both.time, memory_order_relaxed);
    first_ticks.store(both.count, memory_order_relaxed);
    clock_state.store(next, memory_order_release);
}

} // namespace WEFT_LOCAL

WEFT_INLINE atomic<std::uint64_t> cheap_clock::scale_{0};
WEFT_INLINE atomic<std::uint64_t> cheap_clock::counter_scale_{0};
WEFT_INLINE atomic<std::uint64_t> cheap_clock::offset_{0};

WEFT_INLINE std::uint64_t cheap_clock::compare() noexcept
{
    std::uint64_t const time = steady_time();
    auto const state = clock_state.load(memory_order_acquire);
    if (state == comparison::not_begun)
        begin_comparison();
    else if (state == comparison::begun &&
             time - first_time.load(memory_order_relaxed) >= shortest_comparison)
        end_comparison();
    return time;
}

WEFT_INLINE void cheap_clock::begin_comparison() noexcept
{
    if (!enter(comparison::not_begun))
        return;
    counter_use const found = find_use_of_counter();
    counter_used.store(found, memory_order_relaxed);
    auto const both = read_paired(steady_time, ticks, 0);
    leave_with_first(both, found != counter_use::none ? comparison::begun : comparison::over);
}

WEFT_INLINE void cheap_clock::end_comparison() noexcept
{
    if (!enter(comparison::begun))
        return;
    auto const both = read_paired(steady_time, ticks, 0);
    std::uint64_t const then = both.time;
    std::uint64_t const now = both.count;
    std::uint64_t const elapsed = then - first_time.load(memory_order_relaxed);
    std::uint64_t const counted = now - first_ticks.load(memory_order_relaxed);
    // Another thread may just have begun anew.
    if (elapsed < shortest_comparison)
    {
        clock_state.store(comparison::begun, memory_order_release);
        return;
    }
    // After more than 4 s the quotient would overflow: it begins again then.
    if (elapsed >> 32 != 0)
    {
        leave_with_first(both, comparison::begun);
        return;
    }
    // From 1 MHz to 100 GHz: anything else is no clock.
    if (counted >= elapsed / 1000 && counted / 100 <= elapsed)
    {
        std::uint64_t const scale = (elapsed << 32) / counted;
        offset_.store(then - nanoseconds(now, scale), memory_order_relaxed);
        counter_scale_.store(scale, memory_order_release);
        if (counter_used.load(memory_order_relaxed) == counter_use::everywhere)
            scale_.store(scale, memory_order_release);
    }
    clock_state.store(comparison::over, memory_order_release);
}

} // namespace detail
} // namespace weft
