// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_BIASED_POP_HPP
#define WEFT_SCHED_BIASED_POP_HPP

// How a worker takes from its own ring while its thread is the only one inside: without the
// compare-exchange that keeps thieves away, which costs more than all else in a pop.
//
// The worker says that it is taking, and then looks whether it is still the only one. Whoever joins
// says first that it is not, makes a process fence, and then waits until the worker is not taking.
// The fence orders the worker's store before its load, so that it needs no fence itself: either it
// sees that it is not the only one any more, or the joining thread sees that it is taking. The wait
// lasts for some ten instructions of the worker.
//
// Source: biased locking (Dice, Moir, Scherer: Quickly reacquirable locks, 2003) with an asymmetric
// fence in place of a safepoint.

#include <weft/platform/atomic.hpp>
#include <weft/platform/backoff.hpp>
#include <weft/sched/single_runner.hpp>

namespace weft
{
namespace detail
{

class biased_pop
{
public:
    /// By the owner of `ring`: takes its oldest entry. False if there is none.
    template <typename Owner, typename T>
    [[nodiscard]] [[gnu::always_inline]] bool pop(
        Owner ring, T& entry, single_runner const& runner) noexcept
    {
        if (!runner.is_unseen())
            return ring.pop(entry);
        taking_.store(true, memory_order_relaxed);
        compiler_fence();
        bool const unseen = runner.is_unseen_now();
        bool const taken = unseen && ring.pop_unshared(entry);
        // Release: whoever waited sees that the entry is gone.
        taking_.store(false, memory_order_release);
        return unseen ? taken : ring.pop(entry);
    }

    /// By a thread that tells the runner, after the process fence: returns when the owner takes by
    /// pop_unshared() no more. What it has taken so is gone then.
    void await_end() const noexcept
    {
        pause_until([this] { return !taking_.load(memory_order_acquire); });
    }

private:
    atomic<bool> taking_{false};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_BIASED_POP_HPP
