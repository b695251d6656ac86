// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_THREAD_VIEW_HPP
#define WEFT_SRC_SCHED_THREAD_VIEW_HPP

// What the threads of a scheduler do at a moment, for the watchdog; and how it reaches them.

#include <weft/config.hpp>
#include <weft/sched/context_scheduler.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <pthread.h>

namespace weft
{
namespace detail
{

/// The thread of one worker.
struct thread_view
{
    std::size_t worker = 0;
    bool present = false; ///< there is one
    bool awake = false;   ///< it does not sleep, and is not inside run_blocking()

    // If it is awake, and all three are as before, it is in the same handler as before.
    std::uint64_t entries = 0;
    std::uint64_t handlers = 0;
    std::uint64_t parks = 0;

    /// The processor time that the thread has used, if it is awake.
    std::chrono::nanoseconds cpu{0};

    bool same_handler_as(thread_view const& before) const noexcept
    {
        return awake && before.awake && entries == before.entries && handlers == before.handlers &&
               parks == before.parks;
    }
};

inline namespace WEFT_ABI_NAMESPACE
{

/// Looks at the threads of all workers, under the lock of the workers. Any thread. Throws
/// std::bad_alloc.
void look_at_threads(context_scheduler const& s, std::vector<thread_view>& out);

/// Calls `act` with the thread of a worker that has been looked at, which does not leave meanwhile.
/// False, without a call, if the worker is not that thread's any more. Throws what `act` throws.
bool reach_thread(
    context_scheduler const& s, thread_view const& seen, std::function<void(pthread_t)> const& act);

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_THREAD_VIEW_HPP
