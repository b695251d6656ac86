// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_CHEAP_CLOCK_HPP
#define WEFT_PLATFORM_CHEAP_CLOCK_HPP

// The time for measuring how long something took, from the processor's own counter where the kernel
// itself tells the time by it: half as dear as the steady clock, or less.

#include <weft/platform/atomic.hpp>
#include <weft/platform/visibility.hpp>

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace weft
{
namespace detail
{

/// A clock for durations: what matters are differences. It is the steady clock at first, and
/// wherever the kernel tells the time by something else than the processor's counter. Whoever asks
/// it first, and again 10 ms later or more, compares the two clocks thereby, and from then on it is
/// the counter; nobody waits for that. The error of a difference is below 0.01 %.
class WEFT_DECL cheap_clock
{
public:
    /// Nanoseconds since some point in time. Any thread; does not go back on one thread.
    static std::uint64_t now() noexcept
    {
        // Acquire: with the offset that belongs to it.
        if (std::uint64_t const scale = scale_.load(memory_order_acquire))
            return nanoseconds(ticks(), scale) + offset_.load(memory_order_relaxed);
        return compare();
    }

    /// The same nanoseconds by the counter also where now() does not trust it so far: its rate may
    /// change, in the life of a virtual machine. For who compares it with the steady clock each
    /// time that it has gone on for a while (extrapolated_clock). The steady clock while there is
    /// none.
    static std::uint64_t counter() noexcept
    {
        if (std::uint64_t const scale = counter_scale_.load(memory_order_acquire))
            return nanoseconds(ticks(), scale) + offset_.load(memory_order_relaxed);
        return compare();
    }

    /// Whether counter() is the processor's by now.
    static bool has_counter() noexcept
    {
        return counter_scale_.load(memory_order_relaxed) != 0;
    }

private:
    static std::uint64_t ticks() noexcept
    {
#if defined(__x86_64__)
        return __rdtsc();
#elif defined(__aarch64__)
        std::uint64_t count;
        asm volatile("mrs %0, cntvct_el0" : "=r"(count));
        return count;
#else
        return 0;
#endif
    }

    static std::uint64_t nanoseconds(std::uint64_t ticks, std::uint64_t scale) noexcept
    {
#if defined(__SIZEOF_INT128__)
        __extension__ using wide = unsigned __int128;
        return static_cast<std::uint64_t>((static_cast<wide>(ticks) * scale) >> 32);
#else
        // There is no counter there.
        return ticks + scale;
#endif
    }

    static std::uint64_t compare() noexcept;

    // Out of line: what is called at each reading of a machine that has no counter saves no
    // registers for them.
    [[gnu::cold]] static void begin_comparison() noexcept;
    [[gnu::cold]] static void end_comparison() noexcept;

    // Nanoseconds per tick times 2^32, once it is known; and what makes the counter the same as the
    // steady clock at that moment. Written once.
    static atomic<std::uint64_t> scale_;
    static atomic<std::uint64_t> counter_scale_;
    static atomic<std::uint64_t> offset_;
};

} // namespace detail
} // namespace weft

#endif // WEFT_PLATFORM_CHEAP_CLOCK_HPP
