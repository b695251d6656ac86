// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_STRAND_HPP
#define WEFT_STRAND_HPP

// boost::asio::strand of weft's executors: a partial specialisation, so that make_strand(context),
// sockets and coroutines on it and everything else that names the type get it without change.
//
// All of a program has to see it, or none. So the header that defines the executor includes this
// one before: the general template would need the executor complete, and cannot have been used
// with it. strand<any_io_executor> is Asio's, whatever is in the any_io_executor.

#include <weft/config.hpp>
#include <weft/fwd.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/reactor/post_op.hpp>
#include <weft/sched/scheduler.hpp>
#include <weft/sched/strand_core.hpp>
#include <weft/sched/strand_executor.hpp>
#include <weft/sched/strand_reference.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/require.hpp>
#include <boost/asio/strand.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

/// Runs function objects on a weft::io_context or weft::thread_pool one after the other.
///
/// Stands in for Asio's own strand, with its members and its guarantees: of the function objects
/// submitted to one strand, and to its copies, no two run at the same time, each sees what those
/// before have done, and those that were not called inside dispatch() or execute() start in the
/// order in which they were submitted, if that is an order.
///
/// A strand of three words, which does without locks, and allocates a core when it is made and
/// nothing after that but memory for the function objects, with their allocators.
///
/// @par Order and Fairness
/// A strand that comes to its turn runs what is queued in it, in order, as long as the turn of the
/// worker lasts (P4 of weft::io_context), and then goes to the back of the worker's queue. So a
/// strand is as fair to others as its handlers would be without it, but for those that were queued
/// together: they run together. What has been submitted to it meanwhile follows at once if nothing
/// else is queued.
///
/// @par dispatch()
/// Calls at once inside a function object of the strand, and on a worker of the context if nobody
/// is in the strand; without an allocation.
///
/// @par Exceptions
/// What a function object throws leaves the run() of the worker (of one that is called inside
/// dispatch() by a function object of the same strand: the dispatch()). Those after it run, by
/// whichever worker comes next.
///
/// @par Thread Safety
/// Distinct objects: safe. Shared objects: unsafe to modify; all const members are safe.
///
/// @par Lifetime
/// What is queued does not need the strand objects. When the context is destroyed, what is queued
/// is destroyed without being run; strand objects may outlive the context.
///
/// @par Conversion
/// To a strand of another executor, such as strand<any_io_executor>, which is Asio's. By copy that
/// one is on top of this: its function objects exclude those of this one, and keep their own order.
/// By move of what make_strand() returns it is on the executor alone; if there are other objects of
/// the strand, or something to run, the program ends (std::terminate(), for a std::logic_error that
/// says so). An any_io_executor that holds the strand is the strand, and can be made at any time.
///
/// @par Complexity
/// Constant.
///
/// @par Algorithm
/// One word holds the newest function object, which links to those before it, or says that the
/// strand is idle: Treiber's stack (1986), taken as a whole (weft/queue/strand_state.hpp).
template <typename Context, typename Allocator, std::uintptr_t Bits>
class boost::asio::strand<weft::basic_executor<Context, Allocator, Bits>>
{
    using inner = weft::basic_executor<Context, Allocator, Bits>;

    template <typename Property>
    using query_result =
        std::conditional_t<std::is_convertible<Property, boost::asio::execution::blocking_t>::value,
            boost::asio::execution::blocking_t,
            typename boost::asio::query_result<inner const&, Property>::type>;

    template <typename Property>
    static constexpr bool asks_to_block =
        std::is_convertible<Property, boost::asio::execution::blocking_t::always_t>::value;

public:
    /// The type of the executor below.
    using inner_executor_type = inner;

    /// A new strand.
    /// @throws std::bad_alloc
    template <typename Executor, std::enable_if_t<!std::is_same<Executor, strand>::value &&
                                                      std::is_convertible<Executor, inner>::value,
                                     int> = 0>
    explicit strand(Executor const& ex) : executor_(ex, nullptr), impl_(executor_.get().sched())
    {
        executor_.assign(ex, impl_.get());
    }

    /// The same strand.
    strand(strand const& other) noexcept : strand(other.executor_.get(), other.impl_)
    {
    }

    /// The same strand; `other` can only be destroyed or assigned to then.
    strand(strand&& other) noexcept : strand(other.executor_.take(), std::move(other.impl_))
    {
    }

    /// Becomes the same strand as `other`.
    strand& operator=(strand const& other) noexcept
    {
        return *this = strand(other);
    }

    /// Becomes the strand that `other` was.
    strand& operator=(strand&& other) noexcept
    {
        executor_.assign(other.executor_.take(), other.impl_.get());
        impl_ = std::move(other.impl_);
        return *this;
    }

    ~strand() = default;

    /// The executor below.
    inner_executor_type get_inner_executor() const noexcept
    {
        return executor_.get();
    }

    /// @name Properties
    /// @{

    /// Those of the inner executor, except that a strand never has `blocking.always`. Programs use
    /// boost::asio::query, require and prefer rather than these members.
    template <typename Property,
        std::enable_if_t<boost::asio::can_query<inner const&, Property>::value, int> = 0>
    query_result<Property> query(Property const& p) const
        noexcept(boost::asio::is_nothrow_query<inner const&, Property>::value)
    {
        if constexpr (std::is_convertible<Property, boost::asio::execution::blocking_t>::value)
        {
            boost::asio::execution::blocking_t const result =
                boost::asio::query(executor_.get(), p);
            return result == boost::asio::execution::blocking.always
                       ? boost::asio::execution::blocking_t(
                             boost::asio::execution::blocking.possibly)
                       : result;
        }
        else
            return boost::asio::query(executor_.get(), p);
    }

    template <typename Property,
        std::enable_if_t<boost::asio::can_require<inner const&, Property>::value &&
                             !asks_to_block<Property>,
            int> = 0>
    auto require(Property const& p) const& noexcept(
        boost::asio::is_nothrow_require<inner const&, Property>::value)
    {
        return rebound(boost::asio::require(executor_.get(), p), impl_);
    }

    template <typename Property,
        std::enable_if_t<boost::asio::can_require<inner const&, Property>::value &&
                             !asks_to_block<Property>,
            int> = 0>
    auto require(Property const& p) && noexcept(
        boost::asio::is_nothrow_require<inner const&, Property>::value)
    {
        return rebound(boost::asio::require(executor_.get(), p), std::move(impl_));
    }

    template <typename Property,
        std::enable_if_t<boost::asio::can_prefer<inner const&, Property>::value &&
                             !asks_to_block<Property>,
            int> = 0>
    auto prefer(Property const& p) const& noexcept(
        boost::asio::is_nothrow_prefer<inner const&, Property>::value)
    {
        return rebound(boost::asio::prefer(executor_.get(), p), impl_);
    }

    template <typename Property,
        std::enable_if_t<boost::asio::can_prefer<inner const&, Property>::value &&
                             !asks_to_block<Property>,
            int> = 0>
    auto prefer(Property const& p) && noexcept(
        boost::asio::is_nothrow_prefer<inner const&, Property>::value)
    {
        return rebound(boost::asio::prefer(executor_.get(), p), std::move(impl_));
    }

    /// @}

    /// Submits `f`, as the properties of the inner executor say; with `blocking.possibly` calls it
    /// at once where dispatch() would.
    /// @throws What allocation or moving `f` throws; `f` is then not called. What `f` throws if it
    /// is called at once by a function object of the strand.
    template <typename Function>
    void execute(Function&& f) const&
    {
        if (never_blocks() || !try_call(std::forward<Function>(f)))
            impl_.get()->submit(operation_of(std::forward<Function>(f), allocator()), continues());
    }

    /// As above.
    template <typename Function>
    void execute(Function&& f) &&
    {
        if (!never_blocks() && try_call(std::forward<Function>(f)))
            return;
        auto* const op = operation_of(std::forward<Function>(f), allocator());
        impl_.release()->submit_and_remove_reference(op, continues());
    }

#if !defined(BOOST_ASIO_NO_TS_EXECUTORS)
    // The executor of the networking TS, which Asio still uses in places.

    /// The context of the inner executor.
    boost::asio::execution_context& context() const noexcept
    {
        return executor_.get().context();
    }

    /// Together with on_work_finished(): what run() waits for.
    void on_work_started() const noexcept
    {
        executor_.get().on_work_started();
    }

    /// The end of what on_work_started() began.
    void on_work_finished() const noexcept
    {
        executor_.get().on_work_finished();
    }

    /// Calls `f()` inside this call if the calling thread is in the strand, or if it is a worker of
    /// the context and nobody is; otherwise as post().
    template <typename Function, typename OtherAllocator>
    void dispatch(Function&& f, OtherAllocator const& a) const
    {
        if (!try_call(std::forward<Function>(f)))
            impl_.get()->submit(operation_of(std::forward<Function>(f), a), false);
    }

    /// Calls `f()` in the strand, later.
    template <typename Function, typename OtherAllocator>
    void post(Function&& f, OtherAllocator const& a) const
    {
        impl_.get()->submit(operation_of(std::forward<Function>(f), a), false);
    }

    /// Calls `f()` in the strand, later, as a continuation of the running handler if the strand is
    /// idle.
    template <typename Function, typename OtherAllocator>
    void defer(Function&& f, OtherAllocator const& a) const
    {
        impl_.get()->submit(operation_of(std::forward<Function>(f), a), true);
    }
#endif

    /// Whether the calling thread runs a function object of this strand, or one inside such a one.
    bool running_in_this_thread() const noexcept
    {
        return impl_.get()->running_in_this_thread();
    }

    /// Whether both are the same strand.
    friend bool operator==(strand const& a, strand const& b) noexcept
    {
        return a.impl_.get() == b.impl_.get();
    }

    /// The opposite.
    friend bool operator!=(strand const& a, strand const& b) noexcept
    {
        return !(a == b);
    }

private:
    template <typename>
    friend class boost::asio::strand;

    template <typename>
    friend class weft::detail::strand_executor;

    strand(inner ex, weft::detail::strand_reference core) noexcept
        : executor_(std::move(ex), core.get()), impl_(std::move(core))
    {
    }

    template <typename Executor, typename Core>
    static strand<Executor> rebound(Executor ex, Core&& core) noexcept
    {
        return strand<Executor>(std::move(ex), std::forward<Core>(core));
    }

    bool never_blocks() const noexcept
    {
        return boost::asio::query(executor_.get(), boost::asio::execution::blocking) ==
               boost::asio::execution::blocking.never;
    }

    bool continues() const noexcept
    {
        return boost::asio::query(executor_.get(), boost::asio::execution::relationship) ==
               boost::asio::execution::relationship.continuation;
    }

    Allocator allocator() const noexcept
    {
        return boost::asio::query(executor_.get(), boost::asio::execution::allocator);
    }

    template <typename Function, typename OtherAllocator>
    weft::detail::operation* operation_of(Function&& f, OtherAllocator const& a) const
    {
        return weft::detail::post_op<std::decay_t<Function>, OtherAllocator>::create(
            boost::asio::query(executor_.get(), boost::asio::execution::context),
            std::forward<Function>(f), a);
    }

    /// Calls `f` if that may be; otherwise leaves it as it is.
    template <typename Function>
    bool try_call(Function&& f) const
    {
        weft::detail::strand_core& core = *impl_.get();
        if (core.running_in_this_thread())
        {
            std::decay_t<Function> function(std::forward<Function>(f));
            weft::detail::invoke(function);
            return true;
        }
        if (!core.try_enter())
            return false;
        weft::detail::scheduler const* const s = &core.sched();
        weft::detail::strand_core::visit const v(core);
        std::decay_t<Function> function(std::forward<Function>(f));
        // The caller may be in the middle of an operation that an exception must not unwind.
        try
        {
            weft::detail::invoke(function);
        }
        catch (...)
        {
            weft::detail::scheduler::capture_current_exception(s);
        }
        return true;
    }

    weft::detail::strand_executor<inner> executor_;
    weft::detail::strand_reference impl_;
};

#endif // WEFT_STRAND_HPP
