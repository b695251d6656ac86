// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_BASIC_RUN_LEVEL_HPP
#define WEFT_SRC_SCHED_BASIC_RUN_LEVEL_HPP

// What a scheduler keeps for a thread that is inside its run().

#include <weft/sched/run_level.hpp>

#include "worker.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace weft
{
namespace detail
{

/// A thread inside the run() of a scheduler: one element of the thread's stack of such calls.
template <typename Traits>
struct basic_run_level : run_level
{
    using worker = basic_worker<Traits>;

    explicit basic_run_level(scheduler_identity& s) noexcept
    {
        sched = &s;
        outer = Traits::current();
        Traits::current() = this;
    }

    ~basic_run_level()
    {
        Traits::current() = outer;
    }

    basic_run_level(basic_run_level const&) = delete;
    basic_run_level& operator=(basic_run_level const&) = delete;

    /// The level of this thread inside `s`, or null. `s` may be gone.
    static basic_run_level* find(scheduler_identity const& s) noexcept
    {
        return static_cast<basic_run_level*>(find_level(Traits::current(), &s));
    }

    /// The worker this thread has, or null.
    worker* worker_here() const noexcept
    {
        return static_cast<worker*>(w);
    }

    // What the handler that is running has not been unwound by. Asked for after each handler:
    // beside the worker, which is too.
    typename Traits::pending pending;

    // Owns an orphaned worker.
    std::unique_ptr<worker> kept;

    // What tells Asio about this thread; hidden while it is inside run_blocking().
    std::optional<typename Traits::thread_entry> entry;

    // Handlers of a strand that ran in turn with one that the call has counted (strand_core.hpp).
    std::size_t ran_in_turn = 0;

    // While it is inside run_blocking(): whether the handler that blocks had granted anything.
    bool has_granted = false;

    // And since when it blocks, by measuring::blocks().
    std::int64_t blocks_since = 0;

    // What the handler that blocks is called in events.
    std::uint64_t running = 0;

    // A spare thread that spare_owner::retire() has sent away.
    bool retired = false;

    // Its call ends because nothing is left, unless something has come before it is counted out.
    bool out_of_work = false;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_BASIC_RUN_LEVEL_HPP
