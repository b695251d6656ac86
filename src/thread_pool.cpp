// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/thread_pool.hpp>
#include <weft/wait/primitive.hpp>
#include <weft/wait/scheduler_of.hpp>

#include "drain.hpp"
#include "sched/pool_threads.hpp"
#include "sched/trace_control.hpp"
#include "validate.hpp"

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE scheduler* scheduler_of_context(thread_pool& context) noexcept
{
    return &context_access::get_scheduler(context);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail

inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE options thread_pool::with_threads(std::size_t threads)
{
    if (threads == 0 || threads > detail::most_threads)
        throw std::invalid_argument(
            "weft::thread_pool: threads is " + std::to_string(threads) + "; it must be 1 to 65535");
    options opts;
    opts.threads = threads;
    if (opts.max_spare_threads > detail::most_threads - threads)
        opts.max_spare_threads = detail::most_threads - threads;
    return opts;
}

/// `opts`, with the number of threads that the default stands for.
WEFT_INLINE options thread_pool::resolved(options opts)
{
    detail::validated(opts);
    if (opts.threads == 0)
    {
        std::size_t const cores = std::thread::hardware_concurrency();
        opts.threads = cores == 0 ? 2 : 2 * cores;
    }
    return opts;
}

WEFT_INLINE std::shared_ptr<detail::pool_threads> thread_pool::threads_of(options const& opts)
{
    return std::make_shared<detail::pool_threads>(opts);
}

WEFT_INLINE thread_pool::thread_pool() : thread_pool(options{})
{
}

WEFT_INLINE thread_pool::thread_pool(std::size_t threads) : thread_pool(with_threads(threads))
{
}

WEFT_INLINE thread_pool::thread_pool(options const& opts)
    : driven_context(opts.threads == 1 ? 1 : 0), options_(resolved(opts)),
      scheduler_(detail::context_scheduler::make(*this, options_)), own_(threads_of(options_)),
      spares_(*scheduler_, options_.max_spare_threads, own_), occupancy_(options_.threads)
{
    start();
}

#if WEFT_HAS_SERVICE_MAKER
WEFT_INLINE thread_pool::thread_pool(std::size_t threads, service_maker const& initial_services)
    : driven_context(initial_services), options_(with_threads(threads)),
      scheduler_(detail::context_scheduler::make(*this, options_)), own_(threads_of(options_)),
      spares_(*scheduler_, options_.max_spare_threads, own_), occupancy_(threads)
{
    start();
}
#endif

WEFT_INLINE void thread_pool::start()
{
    scheduler_->set_spare_owner(&spares_);
    scheduler_->work_started();
    try
    {
        scheduler_->reserve_workers(options_.threads);
        threads_.reserve(options_.threads);
        for (std::size_t i = 0; i != options_.threads; ++i)
            start_one(i);
        if (own_->may_fail())
            own_->await_begun(options_.threads);
    }
    catch (...)
    {
        own_->give_up();
        stop();
        join_all();
        shutdown();
        scheduler_->destroy_queued();
        destroy();
        throw;
    }
}

WEFT_INLINE void thread_pool::start_one(std::size_t number)
{
    own_->starting();
    try
    {
        // Neither the pool nor its scheduler is there any more if a handler has destroyed them.
        threads_.emplace_back([own = own_, sched = scheduler_.get(), number]() noexcept
            { own->run(number, [sched] { sched->run_reserved(); }); });
    }
    catch (...)
    {
        own_->end();
        throw;
    }
}

WEFT_INLINE thread_pool::~thread_pool()
{
    stop();
    // In a handler of the pool: this thread, which cannot wait for itself, ends when that has
    // returned.
    scheduler_->orphan_this_thread();
    detail::detach_this_thread(threads_);
    spares_.let_go_of_this_thread();
    join();
    // As in ~io_context.
    scheduler_->await_outsiders();
    detail::trace_control(*scheduler_).finish("weft::thread_pool");
    shutdown();
    scheduler_->destroy_queued();
    destroy();
    scheduler_->forget_driver();
    scheduler_->destroy_queued();
}

WEFT_INLINE void thread_pool::stop()
{
    scheduler_->stop();
}

WEFT_INLINE void thread_pool::attach()
{
    occupancy_.fetch_add(1, std::memory_order_relaxed);
    try
    {
        scheduler_->run();
    }
    catch (...)
    {
        occupancy_.fetch_sub(1, std::memory_order_relaxed);
        throw;
    }
}

WEFT_INLINE void thread_pool::join()
{
    {
        std::lock_guard<std::mutex> const lock(mutex_);
        if (std::exchange(joined_, true))
            return;
    }
    release();
    join_all();
}

WEFT_INLINE void thread_pool::release()
{
    {
        std::lock_guard<std::mutex> const lock(mutex_);
        if (std::exchange(released_, true))
            return;
    }
    scheduler_->work_finished();
}

WEFT_INLINE drain_report thread_pool::drain_until_steady(detail::deadline time)
{
    detail::drain drain(*scheduler_, *this);
    release();
    own_->await_ended(time);
    return drain.finish();
}

WEFT_INLINE void thread_pool::wait()
{
    join();
}

WEFT_INLINE weft::stats thread_pool::stats() const
{
    weft::stats result = scheduler_->snapshot();
    result.primitives = detail::primitive_service::look_at_all(const_cast<thread_pool&>(*this));
    return result;
}

WEFT_INLINE void thread_pool::timing(weft::timing how) noexcept
{
    scheduler_->time_handlers(how);
}

WEFT_INLINE std::size_t thread_pool::occupancy() const noexcept
{
    return occupancy_.load(std::memory_order_relaxed);
}

WEFT_INLINE void thread_pool::join_all()
{
    for (std::thread& t : threads_)
        t.join();
    threads_.clear();
    spares_.close();
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft
