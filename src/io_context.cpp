// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/io_context.hpp>
#include <weft/wait/primitive.hpp>
#include <weft/wait/scheduler_of.hpp>

#include "drain.hpp"
#include "sched/trace_control.hpp"
#include "validate.hpp"

#include <boost/asio/io_context.hpp>

#include <stdexcept>
#include <string>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE scheduler* scheduler_of_context(io_context& context) noexcept
{
    return &context_access::get_scheduler(context);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail

inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE int io_context::checked_hint(int concurrency_hint)
{
    switch (concurrency_hint)
    {
    case BOOST_ASIO_CONCURRENCY_HINT_SAFE:
    case BOOST_ASIO_CONCURRENCY_HINT_UNSAFE:
    case BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO:
        return concurrency_hint;
    default:
        if (concurrency_hint < 0 || concurrency_hint > static_cast<int>(detail::most_threads))
            throw std::invalid_argument(
                "weft::io_context: concurrency_hint is " + std::to_string(concurrency_hint) +
                "; it must be 0 to 65535 or a BOOST_ASIO_CONCURRENCY_HINT_ constant");
        return concurrency_hint;
    }
}

WEFT_INLINE io_context::io_context(options const& opts, int concurrency_hint)
    : driven_context(concurrency_hint),
      scheduler_(detail::context_scheduler::make(*this, detail::validated(opts)))
{
}

#if WEFT_HAS_SERVICE_MAKER
WEFT_INLINE io_context::io_context(service_maker const& initial_services)
    : driven_context(initial_services),
      scheduler_(detail::context_scheduler::make(*this, options{}))
{
}
#endif

WEFT_INLINE io_context::~io_context()
{
    scheduler_->await_outsiders();
    detail::trace_control(*scheduler_).finish("weft::io_context");
    // The services abandon what is pending; handlers destroyed thereby may still submit others. The
    // operations of descriptors live in the reactor, so that the queues are emptied before it goes.
    shutdown();
    scheduler_->destroy_queued();
    destroy();
    scheduler_->forget_driver();
    scheduler_->destroy_queued();
}

WEFT_INLINE io_context::count_type io_context::run()
{
    return scheduler_->run();
}

WEFT_INLINE io_context::count_type io_context::run_one()
{
    return scheduler_->run({detail::wait_mode::forever, {}, 1});
}

WEFT_INLINE io_context::count_type io_context::run_until_steady(detail::deadline time)
{
    return scheduler_->run({detail::wait_mode::until, time});
}

WEFT_INLINE io_context::count_type io_context::run_one_until_steady(detail::deadline time)
{
    return scheduler_->run({detail::wait_mode::until, time, 1});
}

WEFT_INLINE drain_report io_context::drain_until_steady(detail::deadline time)
{
    detail::drain drain(*scheduler_, *this);
    scheduler_->run({detail::wait_mode::until, time});
    return drain.finish();
}

WEFT_INLINE io_context::count_type io_context::poll()
{
    return scheduler_->run({detail::wait_mode::none});
}

WEFT_INLINE io_context::count_type io_context::poll_one()
{
    return scheduler_->run({detail::wait_mode::none, {}, 1});
}

WEFT_INLINE void io_context::stop()
{
    scheduler_->stop();
}

WEFT_INLINE bool io_context::stopped() const
{
    return scheduler_->stopped();
}

WEFT_INLINE void io_context::restart()
{
    scheduler_->restart();
}

WEFT_INLINE weft::stats io_context::stats() const
{
    weft::stats result = scheduler_->snapshot();
    result.primitives = detail::primitive_service::look_at_all(const_cast<io_context&>(*this));
    return result;
}

WEFT_INLINE void io_context::timing(weft::timing how) noexcept
{
    scheduler_->time_handlers(how);
}

#if !defined(BOOST_ASIO_NO_DEPRECATED)
WEFT_INLINE io_context::work::work(io_context& context) : context_(context)
{
    context_.scheduler_->work_started();
}

WEFT_INLINE io_context::work::work(work const& other) : work(other.context_)
{
}

WEFT_INLINE io_context::work::~work()
{
    context_.scheduler_->work_finished();
}
#endif

WEFT_INLINE io_context::service::service(io_context& owner)
    : boost::asio::execution_context::service(owner)
{
}

WEFT_INLINE io_context::service::~service() = default;

WEFT_INLINE io_context& io_context::service::get_io_context()
{
    return static_cast<io_context&>(context());
}

WEFT_INLINE void io_context::service::shutdown()
{
    shutdown_service();
}

WEFT_INLINE void io_context::service::notify_fork(boost::asio::execution_context::fork_event event)
{
    fork_service(event);
}

WEFT_INLINE void io_context::service::shutdown_service()
{
}

WEFT_INLINE void io_context::service::fork_service(boost::asio::execution_context::fork_event)
{
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft
