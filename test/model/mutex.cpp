// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The real mutex, not the one the seam puts in its place. Its source is taken in here because it
// must see the seam's atomics and futex nevertheless.
#define WEFT_MODEL_OF_MUTEX

#include <weft/platform/atomic.hpp>
#include <weft/platform/backoff.hpp>
#include <weft/platform/futex.hpp>
#include <weft/platform/single_threaded.hpp>

#undef WEFT_ATOMICS_HEADER

#include <weft/platform/mutex.hpp>

#include <platform/mutex.cpp>

#include "model/check.hpp"

namespace
{

using weft::detail::adaptive_mutex;
using weft::detail::cell;
using weft::detail::mutex;

// The data race checker is the judge of mutual exclusion, and the deadlock checker that of wakes.
template <class Mutex, int Threads, unsigned Rounds>
struct holders_exclude_each_other
{
    static constexpr int threads = Threads;
    static constexpr unsigned early_wakes = 1;

    Mutex lock;
    cell<unsigned> count;

    holders_exclude_each_other()
    {
        count.set(0);
    }

    void thread(unsigned)
    {
        for (unsigned i = 0; i != Rounds; ++i)
        {
            lock.lock();
            count.set(count.get() + 1);
            lock.unlock();
        }
    }

    void after()
    {
        model::require(count.get() == Threads * Rounds, "a critical section was lost");
    }
};
WEFT_SCENARIO(exhaustively{3}, holders_exclude_each_other<mutex, 2, 2>);
WEFT_SCENARIO(exhaustively{3}, holders_exclude_each_other<adaptive_mutex, 2, 2>);
WEFT_SCENARIO(at_random{100000}, holders_exclude_each_other<mutex, 3, 2>);

template <class Mutex>
struct try_lock_excludes_too
{
    static constexpr int threads = 3;

    Mutex lock;
    cell<unsigned> count;
    bool tried = false;

    try_lock_excludes_too()
    {
        count.set(0);
    }

    void thread(unsigned index)
    {
        if (index == 0)
        {
            if (!lock.try_lock())
                return;
            tried = true;
        }
        else
            lock.lock();
        count.set(count.get() + 1);
        lock.unlock();
    }

    void after()
    {
        model::require(count.get() == (tried ? 3 : 2), "a critical section was lost");
    }
};
WEFT_SCENARIO(at_random{100000}, try_lock_excludes_too<mutex>);
WEFT_SCENARIO(at_random{100000}, try_lock_excludes_too<adaptive_mutex>);

} // namespace
