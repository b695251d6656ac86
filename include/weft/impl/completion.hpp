// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_IMPL_COMPLETION_HPP
#define WEFT_IMPL_COMPLETION_HPP

#include <weft/config.hpp>
#include <weft/impl/executor_hold.hpp>
#include <weft/impl/submitting.hpp>
#include <weft/impl/wait_op_base.hpp>
#include <weft/platform/recycling_allocator.hpp>

#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/defer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>

#if WEFT_HAS_IMMEDIATE_EXECUTOR
#include <boost/asio/associated_immediate_executor.hpp>
#endif

#include <memory>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

template <typename Handler>
using handler_allocator =
    typename boost::asio::associated_allocator<Handler, recycling_allocator<void>>::type;

template <typename Handler>
handler_allocator<Handler> get_handler_allocator(Handler const& handler)
{
    return boost::asio::get_associated_allocator(handler, recycling_allocator<void>());
}

/// Memory for an operation from its handler's allocator.
template <typename Handler>
class handler_memory
{
    template <typename T>
    using traits =
        typename std::allocator_traits<handler_allocator<Handler>>::template rebind_traits<T>;

public:
    explicit handler_memory(Handler const& handler) : allocator_(get_handler_allocator(handler))
    {
    }

    template <typename T>
    void* allocate()
    {
        typename traits<T>::allocator_type a(allocator_);
        return std::addressof(*traits<T>::allocate(a, 1));
    }

    template <typename T>
    void deallocate(T* p) noexcept
    {
        typename traits<T>::allocator_type a(allocator_);
        traits<T>::deallocate(a, p, 1);
    }

private:
    handler_allocator<Handler> allocator_;
};

/// Memory that is there as long as the handler is: in the coroutine that the handler resumes.
template <typename Handler>
class frame_memory
{
public:
    explicit frame_memory(Handler const&) noexcept
    {
    }

    template <typename T>
    void deallocate(T*) noexcept
    {
    }
};

/// Whether a handler says where it may be called when its operation completes at once.
template <typename Handler, typename Executor, typename = void>
struct has_immediate_executor : std::integral_constant<bool, WEFT_HAS_IMMEDIATE_EXECUTOR>
{
};

#if WEFT_HAS_IMMEDIATE_EXECUTOR
template <typename Handler, typename Executor>
struct has_immediate_executor<Handler, Executor,
    std::void_t<typename boost::asio::associated_immediate_executor<Handler,
        Executor>::asio_associated_immediate_executor_is_unspecialised>> : std::false_type
{
};
#endif

/// A handler that waits for an operation `Op` to end: where it is to be called, what is kept from
/// running out of work until then, and how it cancels. `Op` is what derives from this, and has
/// `run(bool call)`.
template <typename Op, typename Handler, typename IoExecutor>
class completion
{
protected:
    using io_executor_type = IoExecutor;
    using executor_type = typename boost::asio::associated_executor<Handler, IoExecutor>::type;

    template <typename H>
    explicit completion(H&& handler) : handler_(std::forward<H>(handler))
    {
    }

    ~completion() = default;

    /// Before the operation waits: keeps the contexts of its executors from running out of work
    /// until its handler has returned. What completes at once need not: it is in a queue.
    void hold_executors(scheduler* s)
    {
        auto const& request = self()->request_;
        IoExecutor const& io_ex = request.get_executor();
        auto const ex = boost::asio::get_associated_executor(handler_, io_ex);
        to_.start(ex, s);

        // The I/O executor's context, if that is another one.
        scheduler* const io_s = request.get_scheduler();
        if (s && s == io_s)
            return;
        if constexpr (std::is_same<executor_type, IoExecutor>::value)
            if (ex == io_ex)
                return;
        from_.start(io_ex, io_s);
    }

    /// Submits an operation that has waited to its executor, which is not weft's. Throws what that
    /// throws; the operation is given up then.
    void submit_waited(place where)
    {
        if constexpr (!is_own_executor<executor_type>::value)
            submit_to_executor(to_.get_executor(), where);
    }

    void submit_to_executor(executor_type const& ex, place where)
    {
        if constexpr (!is_own_executor<executor_type>::value)
        {
            if (where == place::next)
                boost::asio::defer(ex, submission(self()));
            else
                boost::asio::post(ex, submission(self()));
        }
    }

    static constexpr bool may_be_immediate =
        has_immediate_executor<Handler, io_executor_type>::value;

    /// Runs the operation where the handler wants that if it completes at once.
    void submit_to_immediate_executor(IoExecutor const& io_ex)
    {
#if WEFT_HAS_IMMEDIATE_EXECUTOR
        auto const ex = boost::asio::get_associated_immediate_executor(handler_, io_ex);
        boost::asio::dispatch(ex, submission(self()));
#else
        (void)io_ex;
#endif
    }

    /// Submits an operation that has not waited: to `s`, the scheduler of its executor if that is
    /// weft's, or to its executor; to its immediate executor, if it has one, where that is
    /// `allowed`. Throws what that throws. If the executor has refused the operation thereby, it is
    /// given up, and if it `has_permits` they are given back; otherwise the handler has thrown.
    void submit_unwaited(scheduler* s, bool allowed, bool has_permits)
    {
        bool const immediate = may_be_immediate && allowed;
        if (s && !immediate)
        {
            s->submit(self());
            return;
        }
        using request_type = decltype(self()->request_);
        auto const& io_ex = self()->request_.get_executor();
        typename request_type::refund const refund(self()->request_);
        submitting const here(self());
        try
        {
            if (immediate)
                submit_to_immediate_executor(io_ex);
            else
                submit_to_executor(
                    boost::asio::get_associated_executor(handler_, io_ex), place::back);
        }
        catch (...)
        {
            // The operation is gone.
            if (here.refused() && has_permits && !request_type::gives_back)
                refund.give_back();
            throw;
        }
    }

    /// Takes the operation out of those that wait; as semaphore_state::cancel().
    static bool take_out(wait_op_base* op) noexcept
    {
        auto* const self = static_cast<Op*>(op);
        return self->request_.take_out(*self);
    }

    /// Ends the operation, whose memory is a `Memory<Handler>`. On the handler's executor, if
    /// `call`; otherwise the handler is not called.
    template <template <typename> class Memory>
    void end(bool call)
    {
        if (call)
            clear_slot();

        // The memory is given back before the call, which may start another operation, or end what
        // the memory is part of; the work is finished after it.
        Op* const op = self();
        executor_hold<executor_type> const to(std::move(to_));
        executor_hold<IoExecutor> const from(std::move(from_));
        auto request(std::move(op->request_));
        boost::system::error_code const ec = op->ec_;
        Memory<Handler> memory(handler_);
        Handler handler(std::move(handler_));
        op->~Op();
        memory.deallocate(op);

        if (call)
            request.deliver(handler, ec);
        else if (!ec && decltype(request)::gives_back)
            request.give_back();
    }

    /// To be done before anybody else can know of the operation. Throws std::bad_alloc.
    void assign_slot()
    {
        auto slot = boost::asio::get_associated_cancellation_slot(handler_);
        if (slot.is_connected())
        {
            slot.template emplace<canceller>(canceller{self()});
            has_slot_ = true;
        }
    }

    /// On the handler's executor, or in the initiating function: signals are synchronised with
    /// these and nothing else.
    void clear_slot()
    {
        if (has_slot_)
            boost::asio::get_associated_cancellation_slot(handler_).clear();
    }

    executor_hold<executor_type> to_;
    executor_hold<IoExecutor> from_;
    bool has_slot_ = false;
    Handler handler_;

private:
    // The cancellation slot's.
    struct canceller
    {
        wait_op_base* op;

        void operator()(boost::asio::cancellation_type type) const noexcept
        {
            using boost::asio::cancellation_type;
            if ((type & cancellation_type::all) != cancellation_type::none)
                op->cancel();
        }
    };

    // The operation as a function object.
    class submission
    {
    public:
        using allocator_type = handler_allocator<Handler>;

        explicit submission(Op* op) : op_(op), allocator_(get_handler_allocator(op->handler_))
        {
        }

        submission(submission&& other) noexcept
            : op_(std::exchange(other.op_, nullptr)), allocator_(other.allocator_)
        {
        }

        ~submission()
        {
            if (!op_)
                return;
            // The caller of the initiating function may still emit signals.
            if (submitting::destroyed(op_))
                op_->clear_slot();
            op_->run(false);
        }

        void operator()()
        {
            submitting::called(op_);
            std::exchange(op_, nullptr)->run(true);
        }

        allocator_type get_allocator() const noexcept
        {
            return allocator_;
        }

    private:
        Op* op_;
        allocator_type allocator_;
    };

    Op* self() noexcept
    {
        return static_cast<Op*>(this);
    }
};

/// Makes an operation in memory of its handler's allocator.
template <typename Op, typename H, typename... Args>
Op* allocate_op(H&& handler, Args&&... args)
{
    handler_memory<std::decay_t<H>> memory(handler);
    struct guard
    {
        handler_memory<std::decay_t<H>>& memory;
        Op* p;

        ~guard()
        {
            if (p)
                memory.deallocate(p);
        }
    } g{memory, static_cast<Op*>(memory.template allocate<Op>())};
    Op* const op =
        ::new (static_cast<void*>(g.p)) Op(std::forward<H>(handler), std::forward<Args>(args)...);
    g.p = nullptr;
    return op;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_IMPL_COMPLETION_HPP
