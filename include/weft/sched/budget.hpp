// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_BUDGET_HPP
#define WEFT_SCHED_BUDGET_HPP

// What a handler may do before others get their turn. An operation that completes at once, without
// a trip through a queue, could be repeated for ever: it costs as much as a handler run would, and
// when the worker is due to look elsewhere, the operation goes through the queue.

#include <weft/config.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/sched/run_level.hpp>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// What a thread has that is no worker of ours, between two trips. The default of
/// options::tick_budget.
inline constexpr unsigned foreign_budget = 128;

WEFT_ONE_IN_PROGRAM inline thread_local unsigned foreign_budget_left = foreign_budget;

/// Spends one unit of this thread's budget. False if there is none left: the caller is to go to the
/// back of a queue.
inline bool spend_budget() noexcept
{
    run_level* const f = current_level;
    if (f && f->w)
        return f->w->spend();
    if (foreign_budget_left == 0)
    {
        foreign_budget_left = foreign_budget;
        return false;
    }
    --foreign_budget_left;
    return true;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_BUDGET_HPP
