// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A turn of a strand, and how it is left: with operations for the next turn, or idle, or because
// the context is destroyed.

#include <weft/sched/strand_core.hpp>

#include <weft/platform/recycling_allocator.hpp>

#include "asio_traits.hpp"
#include "basic_scheduler.hpp"

#include <new>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE strand_core* strand_core::create(scheduler& s)
{
    return ::new (recycling_allocator<strand_core>().allocate(1)) strand_core(s);
}

WEFT_INLINE void strand_core::destroy_core() noexcept
{
    this->~strand_core();
    recycling_allocator<strand_core>().deallocate(this, 1);
}

WEFT_INLINE void strand_core::do_complete(
    void* owner, operation* base, boost::system::error_code const&, std::size_t)
{
    auto* const self = static_cast<strand_core*>(base);
    if (owner)
        self->run(owner);
    else
        self->leave(false);
}

WEFT_INLINE void strand_core::run(void* owner)
{
    visit const v(*this);
    if (!taken_)
        taken_ = state_.take_all();
    do
    {
        operation* const op = taken_;
        taken_ = operation_link::next(op);
        operation_link::next(op, nullptr);
        __builtin_prefetch(taken_);
        op->complete(owner, boost::system::error_code(), 0);
    } while (goes_on(v.here()));
}

inline namespace WEFT_LOCAL
{

using implementation = basic_scheduler<asio_traits>;

/// Whether what the handler that worker `w` runs submits would be run next.
WEFT_INLINE bool has_nothing_queued(
    implementation const& s, implementation::worker const& w) noexcept
{
    return w.ring.empty() && w.lifo.empty() && (!s.runner.is_single() || s.injected.empty());
}

} // namespace WEFT_LOCAL

/// Whether another handler follows at once, which taken_ begins with then.
WEFT_INLINE bool strand_core::goes_on(run_level& f) noexcept
{
    // The handler has destroyed the scheduler.
    if (!f.sched)
        return false;
    auto const& s = static_cast<implementation const&>(scheduler_);
    auto& w = *static_cast<implementation::run_level&>(f).worker_here();
    // The turn is over, or what the handler has left comes first.
    if (w.run_left == 0 || !w.lifo.empty() || w.asio.has_posted() ||
        s.stopped.load(memory_order_acquire))
        return false;
    if (!taken_)
    {
        if (!has_nothing_queued(s, w))
            return false;
        taken_ = state_.take_all();
        if (!taken_)
            return false;
    }
    --w.run_left;
    w.count.handlers.add(1);
    ++static_cast<implementation::run_level&>(f).ran_in_turn;
    return true;
}

/// The holder leaves: somebody else comes if there is something left.
WEFT_INLINE void strand_core::leave(bool has_scheduler) noexcept
{
    for (;;)
    {
        if (!taken_)
        {
            switch (state_.leave())
            {
            case state::departure::refused:
                break;
            case state::departure::left:
                return;
            case state::departure::last:
                destroy_core();
                return;
            }
        }
        if (has_scheduler)
        {
            scheduler_.submit(this);
            return;
        }
        (void)destroy_queued();
    }
}

/// The holder destroys what is queued, and what is submitted by that. True if there was anything.
WEFT_INLINE bool strand_core::destroy_queued() noexcept
{
    bool any = false;
    for (;;)
    {
        if (!taken_)
            taken_ = state_.take_all();
        if (!taken_)
            return any;
        any = true;
        operation* const op = taken_;
        taken_ = operation_link::next(op);
        op->destroy();
    }
}

WEFT_INLINE bool strand_core::destroy_queued_around(scheduler const& s) noexcept
{
    bool any = false;
    for (strand_scope const* scope = current_strand; scope; scope = scope->outer)
        if (&scope->core->scheduler_ == &s && scope->core->destroy_queued())
            any = true;
    return any;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
