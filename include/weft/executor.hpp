// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_EXECUTOR_HPP
#define WEFT_EXECUTOR_HPP

#include <weft/config.hpp>
#include <weft/coroutine/awaitable_frames.hpp>
#include <weft/fwd.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/reactor/io_completion.hpp>
#include <weft/reactor/typed_timer.hpp>
#include <weft/strand.hpp>

#include <boost/asio/execution.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/core/empty_value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

class scheduler;

/// The properties of an executor. The first two are kept in the low bits of its pointer, the others
/// in its type.
struct executor_bits
{
    static constexpr std::uintptr_t blocking_never = 1;
    static constexpr std::uintptr_t relationship_continuation = 2;
    static constexpr std::uintptr_t runtime_bits = 3;
    static constexpr std::uintptr_t outstanding_work_tracked = 4;
    static constexpr std::uintptr_t blocking_always = 8;
};

/// How an executor reaches the private parts of its context.
struct context_access
{
    template <typename Context>
    static scheduler& get_scheduler(Context& context) noexcept
    {
        return *context.scheduler_;
    }

    template <typename Context>
    static std::size_t occupancy(Context& context) noexcept
    {
        return context.occupancy();
    }
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail

inline namespace WEFT_ABI_NAMESPACE
{

/// Submits function objects to an io_context or a thread_pool.
///
/// The type of io_context::executor_type and thread_pool::executor_type, and of what require() and
/// prefer() make of them. At most two words in every variant whose allocator is empty or one word,
/// so that any_io_executor stores it without an allocation.
///
/// @par Properties
/// `blocking.possibly` (default), `blocking.never`, for thread_pool `blocking.always`;
/// `relationship.fork` (default), `relationship.continuation`; `outstanding_work.untracked`
/// (default), `outstanding_work.tracked`; `allocator`, `context`, `mapping` (always `thread`); for
/// thread_pool `occupancy`.
///
/// @par Order
/// A submission from a worker of the context goes to the back of the worker's queue; one with
/// `relationship.continuation` is run next, up to options::lifo_limit times in a row. A submission
/// from another thread goes to the back of the injection queue. While a single thread runs the
/// context, all submissions but continuations run in the order in which they were made.
///
/// @par Complexity
/// Constant. A submission allocates memory for the function object, by default memory that weft
/// recycles; what else it costs is said for io_context.
///
/// @par Thread Safety
/// Distinct objects: safe. Shared objects: unsafe to modify; all const members are safe.
template <typename Context, typename Allocator, std::uintptr_t Bits>
class WEFT_DECL basic_executor : private boost::empty_value<Allocator>,
                                 private detail::executor_bits
{
    using allocator_base = boost::empty_value<Allocator>;

    template <typename NewAllocator, std::uintptr_t NewBits>
    using rebind = basic_executor<Context, NewAllocator, NewBits>;

    static constexpr bool tracked = (Bits & outstanding_work_tracked) != 0;
    static constexpr bool always = (Bits & blocking_always) != 0;

public:
    /// An equal executor; if the work is tracked, one more piece of it.
    basic_executor(basic_executor const& other) noexcept
        : allocator_base(boost::empty_init, other.allocator()), target_(other.target_)
    {
        start_work();
    }

    /// Takes over the tracked work of `other`, which can only be destroyed or assigned to then.
    basic_executor(basic_executor&& other) noexcept
        : allocator_base(boost::empty_init, std::move(other.get())), target_(other.target_)
    {
        if (tracked)
            other.target_ = 0;
    }

    ~basic_executor()
    {
        finish_work();
    }

    /// Becomes equal to `other`.
    basic_executor& operator=(basic_executor const& other) noexcept
    {
        basic_executor copy(other);
        return *this = std::move(copy);
    }

    /// Becomes what `other` was.
    basic_executor& operator=(basic_executor&& other) noexcept
    {
        if (this != &other)
        {
            finish_work();
            this->get() = std::move(other.get());
            target_ = other.target_;
            if (tracked)
                other.target_ = 0;
        }
        return *this;
    }

    /// @name Properties
    /// @{

    /// For boost::asio::require, prefer and query, which programs use rather than these members.
    auto require(boost::asio::execution::blocking_t::possibly_t) const noexcept
    {
        return rebound<Bits & ~blocking_always>(bits() & ~blocking_never);
    }

    auto require(boost::asio::execution::blocking_t::never_t) const noexcept
    {
        return rebound<Bits & ~blocking_always>(bits() | blocking_never);
    }

    template <typename C = Context, typename = std::enable_if_t<C::owns_threads>>
    auto require(boost::asio::execution::blocking_t::always_t) const noexcept
    {
        return rebound<Bits | blocking_always>(bits() & ~blocking_never);
    }

    basic_executor require(boost::asio::execution::relationship_t::fork_t) const noexcept
    {
        return rebound<Bits>(bits() & ~relationship_continuation);
    }

    basic_executor require(boost::asio::execution::relationship_t::continuation_t) const noexcept
    {
        return rebound<Bits>(bits() | relationship_continuation);
    }

    auto require(boost::asio::execution::outstanding_work_t::tracked_t) const noexcept
    {
        return rebound<Bits | outstanding_work_tracked>(bits());
    }

    auto require(boost::asio::execution::outstanding_work_t::untracked_t) const noexcept
    {
        return rebound<Bits & ~outstanding_work_tracked>(bits());
    }

    template <typename OtherAllocator>
    rebind<OtherAllocator, Bits> require(
        boost::asio::execution::allocator_t<OtherAllocator> a) const noexcept
    {
        return rebind<OtherAllocator, Bits>(context_ptr(), a.value(), bits());
    }

    rebind<std::allocator<void>, Bits> require(
        boost::asio::execution::allocator_t<void>) const noexcept
    {
        return rebind<std::allocator<void>, Bits>(context_ptr(), {}, bits());
    }

    static constexpr boost::asio::execution::mapping_t query(
        boost::asio::execution::mapping_t) noexcept
    {
        return boost::asio::execution::mapping.thread;
    }

    static constexpr boost::asio::execution::outstanding_work_t query(
        boost::asio::execution::outstanding_work_t) noexcept
    {
        using boost::asio::execution::outstanding_work_t;
        return tracked ? outstanding_work_t(boost::asio::execution::outstanding_work.tracked)
                       : outstanding_work_t(boost::asio::execution::outstanding_work.untracked);
    }

#if WEFT_HAS_INLINE_EXCEPTION_HANDLING
    /// What happens to an exception of a function that execute() calls at once: it leaves run(), or
    /// ends the program (unless options::on_exception is set), but never leaves execute().
    static constexpr boost::asio::execution::inline_exception_handling_t query(
        boost::asio::execution::inline_exception_handling_t) noexcept
    {
        using handling = boost::asio::execution::inline_exception_handling_t;
        return Context::owns_threads
                   ? handling(boost::asio::execution::inline_exception_handling.terminate)
                   : handling(boost::asio::execution::inline_exception_handling.capture);
    }
#endif

    Context& query(boost::asio::execution::context_t) const noexcept
    {
        return *context_ptr();
    }

    boost::asio::execution::blocking_t query(boost::asio::execution::blocking_t) const noexcept
    {
        using boost::asio::execution::blocking_t;
        if ((bits() & blocking_never) != 0)
            return blocking_t(boost::asio::execution::blocking.never);
        return always ? blocking_t(boost::asio::execution::blocking.always)
                      : blocking_t(boost::asio::execution::blocking.possibly);
    }

    boost::asio::execution::relationship_t query(
        boost::asio::execution::relationship_t) const noexcept
    {
        using boost::asio::execution::relationship_t;
        // Not `relationship.fork`: <boost/asio/yield.hpp> makes `fork` a macro.
        return (bits() & relationship_continuation) != 0
                   ? relationship_t(relationship_t::continuation_t())
                   : relationship_t(relationship_t::fork_t());
    }

    template <typename OtherAllocator>
    Allocator query(boost::asio::execution::allocator_t<OtherAllocator>) const noexcept
    {
        return allocator();
    }

    Allocator query(boost::asio::execution::allocator_t<void>) const noexcept
    {
        return allocator();
    }

#if WEFT_HAS_BULK_EXECUTE
    template <typename C = Context, typename = std::enable_if_t<C::owns_threads>>
    static constexpr boost::asio::execution::bulk_guarantee_t query(
        boost::asio::execution::bulk_guarantee_t) noexcept
    {
        return boost::asio::execution::bulk_guarantee.parallel;
    }
#endif

    template <typename C = Context, typename = std::enable_if_t<C::owns_threads>>
    std::size_t query(boost::asio::execution::occupancy_t) const noexcept
    {
        return detail::context_access::occupancy(static_cast<C&>(*context_ptr()));
    }

    /// @}

    /// Whether the calling thread is a worker of the context: execute() may then call at once.
    bool running_in_this_thread() const noexcept;

// any_executor has compared the types when it comes here; g++ does not see that, and takes the
// targets for pointers that may be null.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnull-dereference"
    /// Whether both submit to the same context, with the same properties and equal allocators.
    friend bool operator==(basic_executor const& a, basic_executor const& b) noexcept
    {
        return a.target_ == b.target_ && a.allocator() == b.allocator();
    }
#pragma GCC diagnostic pop

    /// The opposite.
    friend bool operator!=(basic_executor const& a, basic_executor const& b) noexcept
    {
        return !(a == b);
    }

    /// Calls `f()` on a worker of the context: inside this call if the executor has
    /// `blocking.possibly` and the calling thread is a worker; otherwise later, or, with
    /// `blocking.always`, before this call returns.
    ///
    /// With `blocking.always` and a pool that is stopped before it comes to `f`, this call returns
    /// when the pool is destroyed, and `f` with it.
    ///
    /// @par Exceptions
    /// What allocation or moving `f` throws; `f` is then not called. An exception of `f` leaves the
    /// run() of the worker, not this call.
    template <typename Function>
    void execute(Function&& f) const;

#if WEFT_HAS_BULK_EXECUTE
    /// Calls `f(i)` for each `i` below `n`, as execute() would, in any order and in parallel.
    /// Linear in `n`.
    template <typename Function>
    void bulk_execute(Function&& f, std::size_t n) const;
#endif

#if !defined(BOOST_ASIO_NO_TS_EXECUTORS)
    // The executor of the networking TS, which Asio still uses in places.

    /// The context.
    Context& context() const noexcept
    {
        return *context_ptr();
    }

    /// Together with on_work_finished(): what run() waits for.
    void on_work_started() const noexcept;
    /// The end of what on_work_started() began.
    void on_work_finished() const noexcept;

    /// Calls `f()` inside this call on a worker of the context; otherwise as post(). Throws as
    /// execute() does.
    template <typename Function, typename OtherAllocator>
    void dispatch(Function&& f, OtherAllocator const& a) const;

    /// Calls `f()` on a worker, later. Throws as execute() does.
    template <typename Function, typename OtherAllocator>
    void post(Function&& f, OtherAllocator const& a) const;

    /// Calls `f()` on a worker, later, as a continuation of the running handler. Throws as
    /// execute() does.
    template <typename Function, typename OtherAllocator>
    void defer(Function&& f, OtherAllocator const& a) const;
#endif

private:
    template <typename, typename, std::uintptr_t>
    friend class basic_executor;
    template <typename>
    friend class boost::asio::strand;
    template <typename>
    friend class detail::io_completion;
    friend Context;

    explicit basic_executor(Context& context) noexcept
        : basic_executor(std::addressof(context), Allocator(), 0)
    {
    }

    basic_executor(Context* context, Allocator const& a, std::uintptr_t bits) noexcept
        : allocator_base(boost::empty_init, a),
          target_(reinterpret_cast<std::uintptr_t>(context) | bits)
    {
        start_work();
    }

    template <std::uintptr_t NewBits>
    rebind<Allocator, NewBits> rebound(std::uintptr_t runtime) const noexcept
    {
        return rebind<Allocator, NewBits>(context_ptr(), allocator(), runtime);
    }

    Allocator const& allocator() const noexcept
    {
        return this->get();
    }

    Context* context_ptr() const noexcept
    {
        return reinterpret_cast<Context*>(target_ & ~runtime_bits);
    }

    std::uintptr_t bits() const noexcept
    {
        return target_ & runtime_bits;
    }

    detail::scheduler& sched() const noexcept
    {
        return detail::context_access::get_scheduler(*context_ptr());
    }

    void start_work() const noexcept
    {
        if (tracked && target_ != 0)
            add_work();
    }

    void finish_work() const noexcept
    {
        if (tracked && target_ != 0)
            remove_work();
    }

    void add_work() const noexcept;
    void remove_work() const noexcept;

    // Calls `f` if a handler may run here, and returns whether it did. What `f` throws leaves this
    // call.
    template <typename Function>
    bool call_in_place(Function& f) const;

    template <typename Function>
    void execute_and_wait(Function&& f) const;

    // The context's address and the runtime bits; 0 after a tracked executor was moved from.
    std::uintptr_t target_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

// The executors that contexts hand out, and strands of them. Before anything uses the class.
WEFT_RECYCLE_AWAITABLE_FRAMES(weft::basic_executor<weft::io_context, std::allocator<void>, 0>)
WEFT_RECYCLE_AWAITABLE_FRAMES(weft::basic_executor<weft::thread_pool, std::allocator<void>, 0>)
WEFT_RECYCLE_AWAITABLE_FRAMES(
    boost::asio::strand<weft::basic_executor<weft::io_context, std::allocator<void>, 0>>)
WEFT_RECYCLE_AWAITABLE_FRAMES(
    boost::asio::strand<weft::basic_executor<weft::thread_pool, std::allocator<void>, 0>>)
#undef WEFT_RECYCLE_AWAITABLE_FRAMES

#include <weft/impl/executor.hpp>

#endif // WEFT_EXECUTOR_HPP
