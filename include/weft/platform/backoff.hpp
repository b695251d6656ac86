// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_BACKOFF_HPP
#define WEFT_PLATFORM_BACKOFF_HPP

#include <weft/platform/atomic.hpp>

#if !defined(WEFT_ATOMICS_HEADER)

#include <sched.h>
#include <time.h>

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

/// Gives the core to any other thread, also to one that a yield would not let pass, for about so
/// long. Less than a second.
inline void sleep_thread(long nanoseconds) noexcept
{
    timespec const time{0, nanoseconds};
    // A signal ends it early: the caller looks again then.
    (void)::nanosleep(&time, nullptr);
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

/// For a loop that waits until another thread, which is about to, has done something: yields, and
/// after some turns sleeps, twice as long each time, up to a limit. If this thread has a real-time
/// priority, and shares its core with the other one, a yield returns at once.
class patient_backoff
{
public:
    /// So often it yields: what is waited for is a few instructions of a thread that runs.
    static constexpr unsigned most_yields = 64;

    void pause() noexcept
    {
        if (yields_ != most_yields)
        {
            ++yields_;
            yield_thread();
            return;
        }
        sleep_thread(sleep_);
        if (sleep_ < longest_sleep)
            sleep_ *= 2;
    }

private:
    // 16 us, about what it takes to wake a thread, to 1 ms (guessed).
    static constexpr long first_sleep = 1L << 14;
    static constexpr long longest_sleep = 1L << 20;

    unsigned yields_ = 0;
    long sleep_ = first_sleep;
};

/// Returns when `done()`, which another thread is about to make true.
template <typename Done>
void pause_until(Done done) noexcept
{
    for (patient_backoff wait; !done();)
        wait.pause();
}

} // namespace detail
} // namespace weft

#endif // WEFT_PLATFORM_BACKOFF_HPP
