// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/run_blocking.hpp>

#include <weft/sched/frame.hpp>
#include <weft/sched/scheduler.hpp>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

namespace
{

// Whether the frame's worker can go: Asio's own stack of contexts must have it on top, and nothing
// may hold the reactor.
bool can_give_away(frame const& f) noexcept
{
    return f.w && !f.w->in_mailbox && thread_entry::is_innermost(f.w->asio);
}

void take_back(frame* f, std::size_t count) noexcept
{
    // From the outermost inwards, so that Asio's stack is as it was.
    if (count > 1)
        take_back(f->outer, count - 1);
    f->sched.take_worker_back(*f);
}

} // namespace

blocking_region::blocking_region() noexcept
{
    // Inside the look at the reactor the worker has to stay; the reactor need not stay with it.
    if (frame* const f = current_frame; f && f->w && f->w->in_mailbox)
        f->sched.leave_driver(*f->w);
    for (frame* f = current_frame; f && can_give_away(*f); f = f->outer)
    {
        f->sched.give_worker_away(*f);
        ++given_away_;
    }
}

blocking_region::~blocking_region()
{
    if (given_away_ != 0)
        take_back(current_frame, given_away_);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
