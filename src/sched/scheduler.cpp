// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The library's scheduler: the parts of this folder, with Asio's types.

#include <weft/sched/context_scheduler.hpp>
#include <weft/sched/scheduler.hpp>
#include <weft/sched/strand_core.hpp>

#include "asio_traits.hpp"
#include "basic_scheduler.hpp"
#include "trace_control.hpp"

#include <exception>

namespace weft
{
namespace detail
{

// Whole, and here alone; header-only each source has what it uses.
#if !defined(WEFT_HEADER_ONLY)
template class basic_scheduler<asio_traits>;
#endif

inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

using implementation = basic_scheduler<asio_traits>;

WEFT_INLINE implementation& core(scheduler& s) noexcept
{
    return static_cast<implementation&>(s);
}

WEFT_INLINE implementation const& core(scheduler const& s) noexcept
{
    return static_cast<implementation const&>(s);
}

} // namespace WEFT_LOCAL

WEFT_INLINE bool scheduler::enter_dispatch() noexcept
{
    return core(*this).enter_dispatch();
}

WEFT_INLINE boost::asio::execution_context& scheduler::context() const noexcept
{
    return core(*this).driver->context();
}

WEFT_INLINE void scheduler::submit(operation* op) noexcept
{
    core(*this).submit(op);
}

WEFT_INLINE void scheduler::submit_continuation(operation* op) noexcept
{
    core(*this).submit_continuation(op);
}

WEFT_INLINE void scheduler::submit_granted(operation* op) noexcept
{
    core(*this).submit_granted(op);
}

WEFT_INLINE void scheduler::submit_completed(operation* op) noexcept
{
    core(*this).submit_completed(op);
}

WEFT_INLINE void scheduler::work_started_outside() noexcept
{
    core(*this).work.add(1);
}

WEFT_INLINE void scheduler::work_finished_outside() noexcept
{
    ending<asio_traits>::work_finished_outside(core(*this));
}

WEFT_INLINE std::chrono::nanoseconds scheduler::standing_delay() const noexcept
{
    return core(*this).measured.standing.last();
}

WEFT_INLINE void scheduler::capture_current_exception(scheduler const* s) noexcept
{
    run_level* const f = find_level(current_level, s);
    // The function has destroyed the scheduler, and with it whoever wanted to know.
    if (!f)
        std::terminate();
    static_cast<implementation::run_level*>(f)->pending.capture_current();
}

WEFT_INLINE void context_scheduler::deleter::operator()(context_scheduler* s) const noexcept
{
    delete &core(*s);
}

WEFT_INLINE context_scheduler::owner context_scheduler::make(
    driven_context& context, options const& opts)
{
    // Which counter there is takes a file to find out: now, and not in the loop.
    (void)cheap_clock::now();
    auto made = std::make_unique<implementation>(opts);
    made->driver = &driver::install(context);
    owner result(made.release());
    trace_control(*result).obey_environment();
    return result;
}

WEFT_INLINE std::size_t context_scheduler::run(run_limits const& limits)
{
    return core(*this).run(limits, joins_as::passing);
}

WEFT_INLINE void context_scheduler::run_reserved() noexcept
{
    (void)core(*this).run({}, joins_as::own);
}

WEFT_INLINE spare_end context_scheduler::run_as_spare() noexcept
{
    return core(*this).run_as_spare();
}

WEFT_INLINE void context_scheduler::stop() noexcept
{
    core(*this).stop();
}

WEFT_INLINE bool context_scheduler::stopped() const noexcept
{
    return core(*this).stopped.load(memory_order_acquire);
}

WEFT_INLINE void context_scheduler::restart() noexcept
{
    core(*this).stopped.store(false, memory_order_seq_cst);
}

WEFT_INLINE void context_scheduler::hand_off(run_level& f) noexcept
{
    core(*this).hand_off(static_cast<implementation::run_level&>(f));
}

WEFT_INLINE void context_scheduler::take_back(run_level& f) noexcept
{
    core(*this).take_back(static_cast<implementation::run_level&>(f));
}

WEFT_INLINE void context_scheduler::reserve_workers(std::size_t count)
{
    core(*this).workers.reserve(count, core(*this).sleepers);
}

WEFT_INLINE void context_scheduler::unreserve_worker() noexcept
{
    core(*this).workers.unreserve();
}

WEFT_INLINE void context_scheduler::orphan_this_thread() noexcept
{
    core(*this).orphan_this_thread();
}

WEFT_INLINE void context_scheduler::set_spare_owner(detail::spare_owner* s) noexcept
{
    core(*this).spare_owner = s;
}

WEFT_INLINE void context_scheduler::await_outsiders() noexcept
{
    core(*this).await_outsiders();
}

WEFT_INLINE void context_scheduler::destroy_queued() noexcept
{
    // A handler that is destroyed may submit others, to a strand as well.
    do
        core(*this).destroy_queued();
    while (strand_core::destroy_queued_around(*this));
}

WEFT_INLINE void context_scheduler::forget_driver() noexcept
{
    core(*this).driver = nullptr;
}

WEFT_INLINE stats context_scheduler::snapshot() const
{
    return core(*this).snapshot();
}

WEFT_INLINE void context_scheduler::time_handlers(timing how) noexcept
{
    core(*this).time_handlers(how);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
