// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_THREAD_HOLDER_HPP
#define WEFT_SRC_SCHED_THREAD_HOLDER_HPP

// Which thread has a worker, for those who look at it from outside.

#include <cstdint>

#include <pthread.h>

namespace weft
{
namespace detail
{

/// The thread that has a worker. Guarded by the lock of the table, so that the thread is there
/// while somebody who has the lock looks at it.
struct thread_holder
{
    void begin() noexcept
    {
        thread = ::pthread_self();
        ++entries;
        present = true;
    }

    void end() noexcept
    {
        present = false;
    }

    // The system's type, also where a model checker has one of the same name.
    decltype(::pthread_self()) thread{};
    std::uint64_t entries = 0; // how often a thread has got the worker
    bool present = false;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_THREAD_HOLDER_HPP
