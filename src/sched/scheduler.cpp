// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The library's scheduler: the parts of this folder, with Asio's types.

#include <weft/sched/context_scheduler.hpp>
#include <weft/sched/scheduler.hpp>
#include <weft/sched/strand_core.hpp>

#include "sched/asio_traits.hpp"
#include "sched/basic_scheduler.hpp"

#include <exception>

namespace weft
{
namespace detail
{

template class basic_scheduler<asio_traits>;

inline namespace WEFT_ABI_NAMESPACE
{

namespace
{

using implementation = basic_scheduler<asio_traits>;

implementation& core(scheduler& s) noexcept
{
    return static_cast<implementation&>(s);
}

implementation const& core(scheduler const& s) noexcept
{
    return static_cast<implementation const&>(s);
}

} // namespace

bool scheduler::enter_dispatch() noexcept
{
    return core(*this).enter_dispatch();
}

boost::asio::execution_context& scheduler::context() const noexcept
{
    return core(*this).driver->context();
}

void scheduler::submit(operation* op) noexcept
{
    core(*this).submit(op);
}

void scheduler::submit_continuation(operation* op) noexcept
{
    core(*this).submit_continuation(op);
}

void scheduler::submit_granted(operation* op) noexcept
{
    core(*this).submit_granted(op);
}

void scheduler::submit_completed(operation* op) noexcept
{
    core(*this).submit_completed(op);
}

void scheduler::work_started_outside() noexcept
{
    core(*this).work.add(1);
}

void scheduler::work_finished_outside() noexcept
{
    ending<asio_traits>::work_finished_outside(core(*this));
}

std::chrono::nanoseconds scheduler::standing_delay() const noexcept
{
    return core(*this).measured.standing.last();
}

void scheduler::capture_current_exception(scheduler const* s) noexcept
{
    run_level* const f = find_level(current_level, s);
    // The function has destroyed the scheduler, and with it whoever wanted to know.
    if (!f)
        std::terminate();
    static_cast<implementation::run_level*>(f)->pending.capture_current();
}

void context_scheduler::deleter::operator()(context_scheduler* s) const noexcept
{
    delete &core(*s);
}

context_scheduler::owner context_scheduler::make(driven_context& context, options const& opts)
{
    auto made = std::make_unique<implementation>(opts);
    made->driver = &driver::install(context);
    return owner(made.release());
}

std::size_t context_scheduler::run(run_limits const& limits)
{
    return core(*this).run(limits, joins_as::passing);
}

void context_scheduler::run_reserved() noexcept
{
    (void)core(*this).run({}, joins_as::own);
}

spare_end context_scheduler::run_as_spare() noexcept
{
    return core(*this).run_as_spare();
}

void context_scheduler::stop() noexcept
{
    core(*this).stop();
}

bool context_scheduler::stopped() const noexcept
{
    return core(*this).stopped.load(memory_order_acquire);
}

void context_scheduler::restart() noexcept
{
    core(*this).stopped.store(false, memory_order_seq_cst);
}

void context_scheduler::hand_off(run_level& f) noexcept
{
    core(*this).hand_off(static_cast<implementation::run_level&>(f));
}

void context_scheduler::take_back(run_level& f) noexcept
{
    core(*this).take_back(static_cast<implementation::run_level&>(f));
}

void context_scheduler::reserve_workers(std::size_t count)
{
    core(*this).workers.reserve(count, core(*this).sleepers);
}

void context_scheduler::unreserve_worker() noexcept
{
    core(*this).workers.unreserve();
}

void context_scheduler::orphan_this_thread() noexcept
{
    core(*this).orphan_this_thread();
}

void context_scheduler::set_spare_owner(detail::spare_owner* s) noexcept
{
    core(*this).spare_owner = s;
}

void context_scheduler::await_outsiders() noexcept
{
    core(*this).await_outsiders();
}

void context_scheduler::destroy_queued() noexcept
{
    // A handler that is destroyed may submit others, to a strand as well.
    do
        core(*this).destroy_queued();
    while (strand_core::destroy_queued_around(*this));
}

void context_scheduler::forget_driver() noexcept
{
    core(*this).driver = nullptr;
}

stats context_scheduler::snapshot() const
{
    return core(*this).snapshot();
}

void context_scheduler::time_handlers(timing how) noexcept
{
    core(*this).time_handlers(how);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
