// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_PLATFORM_COUNTER_USE_HPP
#define WEFT_SRC_PLATFORM_COUNTER_USE_HPP

#include <initializer_list>
#include <string_view>

namespace weft
{
namespace detail
{

/// What the processor's counter is good for, by what the kernel tells the time by.
enum class counter_use
{
    none,

    // Between two readings of the steady clock, by who compares both at each reading. The kernel
    // tells the time by the counter, and by a rate that the host of this virtual machine tells it:
    // that changes when the machine is moved to another processor. To read such a clock takes
    // three times as long as the counter, and waits for all loads that are on their way.
    between_readings,

    // The kernel itself tells the time by it, at one rate.
    everywhere
};

/// `clock_source` as the kernel names it. `invariant`: the counter does not stop, or change its
/// rate.
inline counter_use use_of_counter(bool invariant, std::string_view clock_source) noexcept
{
    if (!invariant)
        return counter_use::none;
    if (clock_source == "tsc")
        return counter_use::everywhere;
    for (std::string_view const of_host : {"kvm-clock", "hyperv_clocksource_tsc_page"})
        if (clock_source == of_host)
            return counter_use::between_readings;
    return counter_use::none;
}

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_PLATFORM_COUNTER_USE_HPP
