// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_REACTOR_TYPED_TIMER_HPP
#define WEFT_REACTOR_TYPED_TIMER_HPP

// What is inside an Asio timer whose executor's type is one of weft's: weft's timers in place of
// Asio's.
//
// A boost::asio::basic_waitable_timer has one member, an io_object_impl over the service for its
// clock and over its executor, and leaves everything to the service. That class template is
// specialised here for the steady clock with its own wait_traits and for weft's executors. No
// program can have used it for them before: executor.hpp, which alone makes these executors
// complete, includes this. Timers over any_io_executor stay Asio's: they belong to parts of a
// program as well that know nothing of weft (doc/design/decisions/0012-timers.md).

#include <weft/config.hpp>
#include <weft/fwd.hpp>
#include <weft/platform/recycling_allocator.hpp>
#include <weft/queue/timer_heap.hpp>
#include <weft/reactor/insides.hpp>
#include <weft/reactor/operation.hpp>
#include <weft/reactor/timer_wait.hpp>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/detail/chrono_time_traits.hpp>
#include <boost/asio/detail/deadline_timer_service.hpp>
#include <boost/asio/detail/handler_tracking.hpp>
#include <boost/asio/detail/io_object_impl.hpp>
#include <boost/asio/detail/wait_handler.hpp>
#include <boost/asio/execution.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <thread>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// The timers of a context: `get(context)` returns a reference to a `type`, which has a type
/// `timer` and functions start_wait(), cancel_waits() and cancel_wait(). Specialised where they are
/// known.
template <typename Context>
struct timers_of;

using steady_time_traits = boost::asio::detail::chrono_time_traits<std::chrono::steady_clock,
    boost::asio::wait_traits<std::chrono::steady_clock>>;
using asio_timer_service = boost::asio::detail::deadline_timer_service<steady_time_traits>;

/// Stands in for Asio's service: what a timer calls, and where it keeps what.
template <typename Context>
class timer_service
{
    using traits = steady_time_traits;
    using clock = traits::clock_type;
    using timers_type = typename timers_of<Context>::type;
    using timer = typename timers_type::timer;
    using memory = recycling_allocator<timer>;

public:
    using time_type = traits::time_type;
    using duration_type = traits::duration_type;

    class implementation_type
    {
    public:
        implementation_type() noexcept = default;
        implementation_type(implementation_type const&) = delete;
        implementation_type& operator=(implementation_type const&) = delete;

        /// What Asio's service makes a timer of another executor type of: the time goes along, and
        /// waits stay.
        operator asio_timer_service::implementation_type&() const
        {
            static thread_local asio_timer_service::implementation_type idle;
            idle.expiry = expiry;
            idle.might_have_pending_waits = false;
            return idle;
        }

    private:
        friend class timer_service;

        time_type expiry{};
        bool may_wait = false;

        // From the first wait on.
        timer* waits = nullptr;
    };

    explicit timer_service(Context& context) noexcept
        : context_(&context), timers_(&timers_of<Context>::get(context))
    {
    }

    /// Whoever takes the address is Asio, which makes a timer of another executor type.
    asio_timer_service* operator&() const
    {
        boost::asio::execution_context& context = *context_;
        return &boost::asio::use_service<asio_timer_service>(context);
    }

    void destroy(implementation_type& impl) noexcept
    {
        (void)cancel(impl);
        if (timer* const t = std::exchange(impl.waits, nullptr))
            release(*t);
    }

    /// The waits go along. `to` has none.
    void move(implementation_type& to, implementation_type& from) noexcept
    {
        to.expiry = std::exchange(from.expiry, time_type());
        to.may_wait = std::exchange(from.may_wait, false);
        to.waits = std::exchange(from.waits, nullptr);
    }

    std::size_t cancel(implementation_type& impl, boost::system::error_code& ec)
    {
        ec = {};
        return cancel(impl);
    }

    std::size_t cancel_one(implementation_type& impl, boost::system::error_code& ec)
    {
        ec = {};
        if (!impl.may_wait)
            return 0;
        track(impl, "cancel_one");
        std::size_t const count = timers_->cancel_waits(*impl.waits, 1);
        if (count == 0)
            impl.may_wait = false;
        return count;
    }

    time_type expiry(implementation_type const& impl) const noexcept
    {
        return impl.expiry;
    }

    time_type expires_at(implementation_type const& impl) const noexcept
    {
        return impl.expiry;
    }

    duration_type expires_from_now(implementation_type const& impl) const
    {
        return traits::subtract(impl.expiry, clock::now());
    }

    std::size_t expires_at(
        implementation_type& impl, time_type const& at, boost::system::error_code& ec)
    {
        ec = {};
        std::size_t const count = cancel(impl);
        impl.expiry = at;
        return count;
    }

    std::size_t expires_after(
        implementation_type& impl, duration_type const& after, boost::system::error_code& ec)
    {
        return expires_at(impl, traits::add(clock::now(), after), ec);
    }

    std::size_t expires_from_now(
        implementation_type& impl, duration_type const& after, boost::system::error_code& ec)
    {
        return expires_after(impl, after, ec);
    }

    void wait(implementation_type& impl, boost::system::error_code& ec)
    {
        ec = {};
        // Not longer at once: the C library counts in smaller numbers.
        constexpr std::chrono::hours longest(24);
        for (auto now = clock::now(); now < impl.expiry; now = clock::now())
        {
            if (impl.expiry - now < longest)
                std::this_thread::sleep_until(impl.expiry);
            else
                std::this_thread::sleep_for(longest);
        }
    }

    template <typename Handler, typename Executor>
    void async_wait(implementation_type& impl, Handler& handler, Executor const& executor)
    {
        if (!impl.waits)
            impl.waits = ::new (memory().allocate(1)) timer;
        auto slot = boost::asio::get_associated_cancellation_slot(handler);

        using op = boost::asio::detail::wait_handler<Handler, Executor>;
        typename op::ptr p = {std::addressof(handler), op::ptr::allocate(handler), nullptr};
        p.p = ::new (p.v) op(handler, executor);
        if (slot.is_connected())
            p.p->cancellation_key_ = &slot.template emplace<canceller>(*timers_, *impl.waits);
        BOOST_ASIO_HANDLER_CREATION((*context_, *p.p, "deadline_timer", &impl, 0, "async_wait"));

        bool const may_wait = std::exchange(impl.may_wait, true);
        timers_->start_wait(*impl.waits, may_wait, impl.expiry.time_since_epoch().count(), p.p);
        p.v = p.p = nullptr;
    }

private:
    static_assert(std::numeric_limits<duration_type::rep>::is_integer &&
                      std::numeric_limits<duration_type::rep>::is_signed &&
                      sizeof(duration_type::rep) == sizeof(timer_ticks),
        "the steady clock counts in what timer_ticks is");

    // The cancellation slot's. It may be called when the object has been moved, or is gone.
    class canceller
    {
    public:
        canceller(timers_type& timers, timer& t) noexcept : timers_(timers), timer_(t)
        {
            timer_.share();
        }

        canceller(canceller const&) = delete;
        canceller& operator=(canceller const&) = delete;

        ~canceller()
        {
            release(timer_);
        }

        void operator()(boost::asio::cancellation_type type) const
        {
            using boost::asio::cancellation_type;
            if ((type & cancellation_type::all) != cancellation_type::none)
                timers_.cancel_wait(timer_, this);
        }

    private:
        timers_type& timers_;
        timer& timer_;
    };

    static void release(timer& t) noexcept
    {
        if (!t.release())
            return;
        t.~timer();
        memory().deallocate(std::addressof(t), 1);
    }

    std::size_t cancel(implementation_type& impl) noexcept
    {
        // First: a handler that another thread runs at once may end the life of the object.
        if (!std::exchange(impl.may_wait, false))
            return 0;
        track(impl, "cancel");
        return timers_->cancel_waits(*impl.waits, (std::numeric_limits<std::size_t>::max)());
    }

    void track(implementation_type& impl, char const* what) const
    {
        (void)impl;
        (void)what;
        BOOST_ASIO_HANDLER_OPERATION((*context_, "deadline_timer", &impl, 0, what));
    }

    Context* context_;
    timers_type* timers_;
};

/// Stands in for Asio's io_object_impl of a timer.
template <typename Executor, typename Context>
class timer_object
{
public:
    using executor_type = Executor;
    using service_type = timer_service<Context>;
    using implementation_type = typename service_type::implementation_type;

    timer_object(int, Executor const& executor)
        : service_(
              static_cast<Context&>(boost::asio::query(executor, boost::asio::execution::context))),
          executor_(executor)
    {
    }

    template <typename ExecutionContext>
    timer_object(int, int, ExecutionContext& context)
        : timer_object(0, Executor(context.get_executor()))
    {
    }

    timer_object(timer_object&& other) noexcept
        : service_(other.service_), executor_(other.executor_)
    {
        service_.move(implementation_, other.implementation_);
    }

    ~timer_object()
    {
        service_.destroy(implementation_);
    }

    timer_object& operator=(timer_object&& other) noexcept
    {
        if (this != std::addressof(other))
        {
            service_.destroy(implementation_);
            service_.move(implementation_, other.implementation_);
            // As Asio does: executors need not be assignable.
            executor_.~Executor();
            ::new (static_cast<void*>(std::addressof(executor_))) Executor(other.executor_);
            service_ = other.service_;
        }
        return *this;
    }

    Executor const& get_executor() noexcept
    {
        return executor_;
    }

    service_type& get_service() noexcept
    {
        return service_;
    }

    service_type const& get_service() const noexcept
    {
        return service_;
    }

    implementation_type& get_implementation() noexcept
    {
        return implementation_;
    }

    implementation_type const& get_implementation() const noexcept
    {
        return implementation_;
    }

private:
    service_type service_;
    implementation_type implementation_;
    Executor executor_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

/// Over weft's executors.
template <typename Context, typename Allocator, std::uintptr_t Bits>
class boost::asio::detail::io_object_impl<weft::detail::asio_timer_service,
    weft::basic_executor<Context, Allocator, Bits>>
    : public weft::detail::timer_object<weft::basic_executor<Context, Allocator, Bits>, Context>
{
public:
    using weft::detail::timer_object<weft::basic_executor<Context, Allocator, Bits>,
        Context>::timer_object;
};

/// Over what adds something to one of them: a strand, or the executor with a default completion
/// token that as_default_on() makes.
template <template <typename> class Around, typename Context, typename Allocator,
    std::uintptr_t Bits>
class boost::asio::detail::io_object_impl<weft::detail::asio_timer_service,
    Around<weft::basic_executor<Context, Allocator, Bits>>>
    : public weft::detail::timer_object<Around<weft::basic_executor<Context, Allocator, Bits>>,
          Context>
{
public:
    using weft::detail::timer_object<Around<weft::basic_executor<Context, Allocator, Bits>>,
        Context>::timer_object;
};

#endif // WEFT_REACTOR_TYPED_TIMER_HPP
