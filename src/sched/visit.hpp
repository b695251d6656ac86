// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_VISIT_HPP
#define WEFT_SRC_SCHED_VISIT_HPP

#include <weft/sched/frame.hpp>
#include <weft/sched/scheduler.hpp>

#include <optional>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// One call of run() or its like: makes the thread a worker for as long as it lasts. A call inside
/// a handler of the same scheduler shares the outer call's worker; the handler around it counts as
/// outstanding work meanwhile, as it does with Asio, so that the inner call cannot end everything.
class scheduler::visit
{
public:
    visit(scheduler& s, membership kind) : scheduler_(s), kind_(kind), frame_(frame::find(&s))
    {
        if (frame_ && frame_->w)
        {
            nested_ = true;
            exception_ = std::exchange(frame_->pending, {});
            scheduler_.collect_posted(*frame_->w);
            scheduler_.flush_slot(*frame_->w);
            ++frame_->w->work_delta;
        }
        else
        {
            frame_ = &own_.emplace(s);
            scheduler_.join(*frame_, kind_);
        }
    }

    ~visit()
    {
        if (!frame_->sched)
            return;
        if (nested_)
        {
            // The outer handler goes on, perhaps for long: it keeps nothing that others wait for.
            scheduler_.give_up_search(*frame_->w);
            --frame_->w->work_delta;
            // What the outer handler has granted before comes first, and may be in the ring.
            frame_->w->has_granted(true);
            frame_->pending = std::move(exception_);
        }
        else
            scheduler_.leave(*frame_, kind_);
    }

    visit(visit const&) = delete;
    visit& operator=(visit const&) = delete;

    frame& here() noexcept
    {
        return *frame_;
    }

private:
    scheduler& scheduler_;
    membership const kind_;
    std::optional<frame> own_;
    frame* frame_;
    bool nested_ = false;

    // Of the handler that a nested visit interrupts: what it has captured leaves the outer run().
    pending_exception exception_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_VISIT_HPP
