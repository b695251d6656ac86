// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_CONTEXT_SCHEDULER_HPP
#define WEFT_SCHED_CONTEXT_SCHEDULER_HPP

// The scheduler of a context as its owner sees it: threads run it, it is stopped, it ends.

#include <weft/config.hpp>
#include <weft/drain_report.hpp>
#include <weft/options.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/reactor/driven_context.hpp>
#include <weft/sched/run_limits.hpp>
#include <weft/sched/scheduler.hpp>
#include <weft/sched/spare_owner.hpp>
#include <weft/stats.hpp>

#include <cstddef>
#include <memory>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

struct context_view;

class WEFT_DECL context_scheduler : public scheduler
{
public:
    struct deleter
    {
        WEFT_DECL void operator()(context_scheduler* s) const noexcept;
    };

    using owner = std::unique_ptr<context_scheduler, deleter>;

    /// Makes one, and installs its driver in `context`. Throws std::invalid_argument,
    /// std::bad_alloc.
    static owner make(driven_context& context, options const& opts);

    /// The calls of io_context; throws what a handler throws.
    std::size_t run(run_limits const& limits = {});
    void stop() noexcept;
    bool stopped() const noexcept;
    void restart() noexcept;

    /// As run(), for a thread that a worker was reserved for: cannot fail.
    void run_reserved() noexcept;

    /// As run(), for a thread that stands in for one inside run_blocking(), and that a worker was
    /// reserved for: it leaves when spare_owner::retire() says so between two handlers, and has a
    /// worker reserved again. Cannot fail.
    spare_end run_as_spare() noexcept;

    /// Lets other threads have the worker of level `f`, of this thread, until take_back().
    void hand_off(run_level& f) noexcept;
    void take_back(run_level& f) noexcept;

    /// Sets workers aside for `count` threads: whoever else enters run(), they find one each
    /// without an allocation. Throws std::bad_alloc, std::length_error; none is set aside then.
    void reserve_workers(std::size_t count);

    /// Takes back what was reserved for one thread.
    void unreserve_worker() noexcept;

    /// For the owner's destructor on a thread that is inside: it leaves here and now. The handlers
    /// that it runs may still return, and find a worker, but no scheduler.
    void orphan_this_thread() noexcept;

    void set_spare_owner(spare_owner* s) noexcept;

    /// For the context's destructor, before anything is destroyed: returns when the threads outside
    /// that made run() return, by what they posted or by stop(), do not use the scheduler any more.
    void await_outsiders() noexcept;

    /// Destroys everything that is queued, without running it. No thread is inside run().
    void destroy_queued() noexcept;

    /// The context's services are gone, and the driver with them. What handlers that are destroyed
    /// from now on submit or count must not reach it.
    void forget_driver() noexcept;

    stats snapshot() const;

    /// What is there to be done, at this moment: `handlers` are those that have ever been run, the
    /// threads that sleep are among the running ones, and what waits at primitives is not known
    /// here. Takes the locks of the timers.
    drain_report survey() const;

    /// Which handlers are timed from the next look of each worker on.
    void time_handlers(timing how) noexcept;

    /// What it looks like at this moment: for dump(). Takes the locks of the timers. Throws
    /// std::bad_alloc.
    context_view view() const;

protected:
    context_scheduler() = default;
    ~context_scheduler() = default;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_CONTEXT_SCHEDULER_HPP
