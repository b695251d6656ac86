// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_VISIT_HPP
#define WEFT_SRC_SCHED_VISIT_HPP

#include <weft/sched/frame.hpp>
#include <weft/sched/scheduler.hpp>

#include <optional>

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
    explicit visit(scheduler& s) : scheduler_(s), frame_(frame::find(s))
    {
        if (frame_ && frame_->w)
        {
            nested_ = true;
            scheduler_.collect_posted(*frame_->w);
            scheduler_.flush_slot(*frame_->w);
            ++frame_->w->work_delta;
        }
        else
        {
            frame_ = &own_.emplace(s);
            scheduler_.join(*frame_);
        }
    }

    ~visit()
    {
        if (nested_)
            --frame_->w->work_delta;
        else
            scheduler_.leave(*frame_);
    }

    visit(visit const&) = delete;
    visit& operator=(visit const&) = delete;

    frame& here() noexcept
    {
        return *frame_;
    }

private:
    scheduler& scheduler_;
    std::optional<frame> own_;
    frame* frame_;
    bool nested_ = false;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_VISIT_HPP
