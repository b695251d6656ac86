// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_MODEL_RELACY_ATOMICS_HPP
#define WEFT_TEST_MODEL_RELACY_ATOMICS_HPP

// The seam of weft/platform/atomic.hpp on the types of the model checker Relacy, which runs the
// threads of a test as fibers, decides at every atomic access who goes on and which of the values
// allowed by the memory model a load returns, and reports data races, deadlocks and failed checks.
//
// A futex here is what the kernel promises and no more: it compares and queues in one step, may
// return early (as often as early_wakes allows), and orders nothing.

#include <relacy/relacy.hpp>

// Relacy takes these words from the whole translation unit; the wrappers below do without.
#undef assert
#undef calloc
#undef delete
#undef errno
#undef free
#undef malloc
#undef memory_order_acq_rel
#undef memory_order_acquire
#undef memory_order_consume
#undef memory_order_relaxed
#undef memory_order_release
#undef memory_order_seq_cst
#undef new
#undef realloc

#include <chrono>
#include <cstdint>
#include <cstdlib>

namespace weft
{
namespace detail
{

/// The place of an access in the checked source, for the checker's reports.
struct site : rl::debug_info
{
    site(char const* function = __builtin_FUNCTION(), char const* file = __builtin_FILE(),
        unsigned line = __builtin_LINE())
        : rl::debug_info(function, file, line)
    {
    }
};

using memory_order = rl::memory_order;

inline constexpr memory_order memory_order_relaxed = rl::mo_relaxed;
inline constexpr memory_order memory_order_acquire = rl::mo_acquire;
inline constexpr memory_order memory_order_release = rl::mo_release;
inline constexpr memory_order memory_order_acq_rel = rl::mo_acq_rel;
inline constexpr memory_order memory_order_seq_cst = rl::mo_seq_cst;

inline void full_fence(site at = site()) noexcept
{
    rl::atomic_thread_fence(rl::mo_seq_cst, at);
}

/// The checker orders nothing that a compiler might not.
inline void compiler_fence() noexcept
{
}

[[nodiscard]] inline bool process_fence(site at = site()) noexcept
{
    rl::systemwide_fence(at);
    return true;
}

template <typename T>
class atomic
{
public:
    atomic() noexcept = default;
    atomic(T value) noexcept : value_(value)
    {
    }
    atomic(atomic const&) = delete;
    atomic& operator=(atomic const&) = delete;

    T load(memory_order order, site at = site()) const noexcept
    {
        return value_.load(order, at);
    }

    void store(T value, memory_order order, site at = site()) noexcept
    {
        value_.store(value, order, at);
    }

    T exchange(T value, memory_order order, site at = site()) noexcept
    {
        return value_.exchange(value, order, at);
    }

    bool compare_exchange_weak(T& expected, T desired, memory_order success, memory_order failure,
        site at = site()) noexcept
    {
        return value_.compare_exchange_weak(expected, desired, success, at, failure, at);
    }

    bool compare_exchange_strong(T& expected, T desired, memory_order success, memory_order failure,
        site at = site()) noexcept
    {
        return value_.compare_exchange_strong(expected, desired, success, at, failure, at);
    }

    T fetch_add(T n, memory_order order, site at = site()) noexcept
    {
        return value_.fetch_add(n, order, at);
    }

    T fetch_sub(T n, memory_order order, site at = site()) noexcept
    {
        return value_.fetch_sub(n, order, at);
    }

    T fetch_or(T bits, memory_order order, site at = site()) noexcept
    {
        return value_.fetch_or(bits, order, at);
    }

    T fetch_and(T bits, memory_order order, site at = site()) noexcept
    {
        return value_.fetch_and(bits, order, at);
    }

    /// Whether the newest value is `expected`; later loads by this thread return none that is
    /// older. What the kernel does for a futex, which is not a write; but one that changes nothing.
    bool is_now(T expected, site at) noexcept
    {
        T found = expected;
        return value_.compare_exchange_strong(
            found, expected, rl::mo_relaxed, at, rl::mo_relaxed, at);
    }

private:
    rl::atomic<T> value_;
};

template <typename T>
class cell
{
public:
    T get(site at = site()) const noexcept
    {
        return value_(at).load();
    }

    void set(T value, site at = site()) noexcept
    {
        value_(at).store(value);
    }

private:
    rl::var<T> value_;
};

/// Every access counts as a write: who has the room has it alone.
template <typename T>
class room
{
public:
    template <typename Construct>
    void fill(Construct&& construct, site at = site()) noexcept
    {
        touched_(at).store(1);
        construct(static_cast<void*>(bytes_));
    }

    T& value(site at = site()) noexcept
    {
        touched_(at).store(1);
        return *reinterpret_cast<T*>(bytes_);
    }

    void clear(site at = site()) noexcept
    {
        value(at).~T();
    }

private:
    rl::var<unsigned> touched_;
    alignas(T) unsigned char bytes_[sizeof(T)];
};

#if !defined(WEFT_MODEL_OF_MUTEX)

class mutex
{
public:
    void lock(site at = site()) noexcept
    {
        mutex_.lock(at);
    }

    bool try_lock(site at = site()) noexcept
    {
        return mutex_.try_lock(at);
    }

    void unlock(site at = site()) noexcept
    {
        mutex_.unlock(at);
    }

private:
    rl::mutex mutex_;
};

using adaptive_mutex = mutex;

#endif // !defined(WEFT_MODEL_OF_MUTEX)

/// A point in time. Unless it is certain to come, only the limit of early_wakes brings it: a test
/// that relies on it deadlocks.
struct deadline
{
    bool certain = false;
};

/// How often a thread may still return from a futex for no reason, or by a time limit that is not
/// certain to come: it bounds the search.
inline unsigned early_wakes = 0;

struct futex_thread
{
    /// The word on which the thread sleeps. Only its address counts: the word may be gone.
    void const* word = nullptr;

    /// Whether its last wait ended by the time limit.
    bool timed_out = false;
};

inline constexpr int max_threads = 8;
inline futex_thread futex_threads[max_threads];

/// To be called at the start of each run.
inline void reset_futexes(unsigned allowed_early_wakes) noexcept
{
    early_wakes = allowed_early_wakes;
    for (futex_thread& t : futex_threads)
        t = {};
}

inline void futex_sleep(atomic<std::uint32_t>& word, std::uint32_t expected, bool limited,
    bool certain, site at) noexcept
{
    rl::context& checker = rl::ctx();
    futex_thread& self = futex_threads[checker.current_thread()];
    if (!word.is_now(expected, at))
        return;
    self.word = &word;
    if (checker.park_current_thread(certain, early_wakes != 0, false, at) ==
        rl::unpark_reason_normal)
        return;
    self.word = nullptr;
    self.timed_out = limited;
    if (early_wakes != 0 && !certain)
        --early_wakes;
}

inline void futex_wait(
    atomic<std::uint32_t>& word, std::uint32_t expected, site at = site()) noexcept
{
    futex_sleep(word, expected, false, false, at);
}

inline void futex_wait_until(
    atomic<std::uint32_t>& word, std::uint32_t expected, deadline until, site at = site()) noexcept
{
    futex_sleep(word, expected, true, until.certain, at);
}

/// Whether a time is still to come: it has come when the last wait for it has ended by it.
inline bool operator<(std::chrono::steady_clock::time_point, deadline) noexcept
{
    futex_thread& self = futex_threads[rl::ctx().current_thread()];
    bool const passed = self.timed_out;
    self.timed_out = false;
    return !passed;
}

inline void futex_wake(atomic<std::uint32_t>& word, int count, site at = site()) noexcept
{
    rl::context& checker = rl::ctx();
    checker.sched();
    for (; count > 0; --count)
    {
        int sleeping[max_threads];
        unsigned found = 0;
        for (int i = 0; i != max_threads; ++i)
            if (futex_threads[i].word == &word)
                sleeping[found++] = i;
        if (found == 0)
            return;
        int const thread = sleeping[found == 1 ? 0 : rl::rand(found)];
        futex_threads[thread].word = nullptr;
        checker.unpark_thread(thread, false, at);
    }
}

inline void cpu_relax(site at = site()) noexcept
{
    rl::yield(1, at);
}

/// Once: there is no longer and shorter here.
inline void cpu_relax(unsigned, site at = site()) noexcept
{
    rl::yield(1, at);
}

inline void yield_thread(site at = site()) noexcept
{
    rl::yield(1, at);
}

inline void sleep_thread(long, site at = site()) noexcept
{
    rl::yield(1, at);
}

} // namespace detail
} // namespace weft

#endif // WEFT_TEST_MODEL_RELACY_ATOMICS_HPP
