// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_COMPLETION_HPP
#define WEFT_WAIT_COMPLETION_HPP

#include <weft/config.hpp>
#include <weft/sync/cancellation_link.hpp>
#include <weft/sync/make_cancellation_link.hpp>
#include <weft/wait/handler_executor.hpp>
#include <weft/wait/operation_memory.hpp>
#include <weft/wait/resume_function.hpp>
#include <weft/wait/scheduler_of.hpp>
#include <weft/wait/submission_guard.hpp>
#include <weft/wait/undelivered.hpp>
#include <weft/wait/wait_op_base.hpp>
#include <weft/wait/work_guard.hpp>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/defer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>

#include <optional>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// A handler that waits for an operation `Op` to end: where it is to be called, what is kept from
/// running out of work until then, and how it cancels. `Op` is what derives from this, and has
/// `run(bool call)`.
template <typename Op, typename Handler, typename IoExecutor>
class completion
    : private detour<typename boost::asio::associated_executor<Handler, IoExecutor>::type,
          IoExecutor>
{
protected:
    using io_executor_type = IoExecutor;
    using executor_type = typename boost::asio::associated_executor<Handler, IoExecutor>::type;
    using detour<executor_type, IoExecutor>::needs_detour;

    template <typename H>
    explicit completion(H&& handler) : handler_(std::forward<H>(handler))
    {
    }

    ~completion() = default;

    /// Before the operation waits: keeps the context of its handler's executor from running out of
    /// work until the handler has returned, and that of its I/O executor until the wait is over.
    /// What completes at once need not: it is in a queue. True if there are two contexts.
    bool start_work(scheduler* s)
    {
        auto const& request = self()->request_;
        IoExecutor const& io_ex = request.get_executor();
        auto const ex = boost::asio::get_associated_executor(handler_, io_ex);
        to_.start(ex, s);
        if constexpr (needs_detour)
            this->detour_.emplace(io_ex);

        // The I/O executor's context, if that is another one.
        scheduler* const io_s = request.get_scheduler();
        if (s && s == io_s)
            return false;
        if constexpr (std::is_same<executor_type, IoExecutor>::value)
            if (ex == io_ex)
                return false;
        from_.start(io_ex, io_s);
        return true;
    }

    /// The wait is over, and the operation about to go to `s`, if that is not null, or to its
    /// executor: the context of its I/O executor may be gone before it comes to its turn. Unless it
    /// goes by way of that.
    void leave_io_context(scheduler const* s) noexcept
    {
        if (s || !needs_detour)
            from_.finish();
    }

    /// Submits an operation that has waited to its executor, which is not weft's. Throws what that
    /// throws; the operation is given up then.
    void submit_waited(place where)
    {
        if constexpr (!is_own_executor<executor_type>::value)
        {
            auto const ex = to_.get_executor();
            if constexpr (needs_detour)
                submit_after_detour(ex, *this->detour_, where);
            else
                submit_to_executor(ex, where);
        }
    }

    static constexpr bool may_be_immediate =
        has_immediate_executor<Handler, io_executor_type>::value;

    /// Runs the operation where the handler wants that if it completes at once.
    void submit_to_immediate_executor(IoExecutor const& io_ex)
    {
#if WEFT_HAS_IMMEDIATE_EXECUTOR
        auto const ex = boost::asio::get_associated_immediate_executor(handler_, io_ex);
        boost::asio::dispatch(ex, resume());
#else
        (void)io_ex;
#endif
    }

    /// The I/O executor if submit_unwaited() will need it, for a request whose try may resume
    /// others who destroy the primitive. Before the try.
    std::optional<IoExecutor> keep_executor(scheduler* s)
    {
        auto const& request = self()->request_;
        if constexpr (std::decay_t<decltype(request)>::serves_others)
            if (!s || may_be_immediate)
                return request.get_executor();
        return std::nullopt;
    }

    /// Submits an operation that has not waited: to `s`, the scheduler of its executor if that is
    /// weft's, or to its executor; to its immediate executor, if it has one, where that is
    /// `allowed`. `ex` is what keep_executor() has returned. Throws what that throws. If the
    /// executor has refused the operation thereby, it is given up, and if it `has_permits` they are
    /// given back; otherwise the handler has thrown.
    void submit_unwaited(
        scheduler* s, std::optional<IoExecutor> const& ex, bool allowed, bool has_permits)
    {
        bool const immediate = may_be_immediate && allowed;
        if (s && !immediate)
        {
            s->submit_completed(self());
            return;
        }
        IoExecutor const& io_ex = ex ? *ex : self()->request_.get_executor();
        submission_guard const here(static_cast<wait_op_base*>(self()), has_permits);
        if (immediate)
            submit_to_immediate_executor(io_ex);
        else
            submit_unwaited_to_executor(io_ex);
    }

    /// Takes the operation out of those that wait; as semaphore_state::cancel().
    static bool take_out(waiter& w, served_list& served) noexcept
    {
        auto& op = static_cast<Op&>(w);
        bool const taken = op.request_.take_out(op, served);
        op.note_ends(taken, served);
        return taken;
    }

    /// Ends the operation, whose memory is a `Memory<Handler>`. On the handler's executor, if
    /// `call`; otherwise the handler is not called.
    template <template <typename> class Memory>
    void end(bool call)
    {
        Op* const op = self();
        // Others give back what they have when they end.
        if constexpr (!decltype(op->request_)::gives_back)
            if (!call && submission_guard::refused_with_permits(static_cast<wait_op_base*>(op)))
                op->request_.give_back();
        op->sever();

        // The memory is given back before the call, which may start another operation, or end what
        // the memory is part of; the work is finished after it.
        work_guard<executor_type> const to(std::move(to_));
        work_guard<IoExecutor> const from(std::move(from_));
        boost::system::error_code const ec = op->ec_;
        Memory<Handler> memory(handler_);
        in_memory<Memory<Handler>> all_of_it(op, memory);
        auto request(std::move(op->request_));
        undelivered<decltype(request)> permits(request, !ec);
        Handler handler(std::move(handler_));
        all_of_it.destroy();

        if (!call)
            permits.give_back();
        else
        {
            permits.deliver();
            request.deliver(handler, ec);
        }
    }

    /// To be done before anybody else can know of the operation, which then starts: started() must
    /// follow, or the end. Throws std::bad_alloc. The slot is not touched afterwards: it may be
    /// gone, or another operation's.
    cancellation_link* assign_slot()
    {
        auto slot = boost::asio::get_associated_cancellation_slot(handler_);
        if (!slot.is_connected())
            return nullptr;
        cancellation_link* const link = make_cancellation_link();
        self()->link_ = link;
        try
        {
            slot.template emplace<canceller>(link, self());
        }
        catch (...)
        {
            // The slot's share, and the starter's.
            link->release();
            link->release();
            throw;
        }
        return link;
    }

    work_guard<executor_type> to_;
    work_guard<IoExecutor> from_;
    Handler handler_;

private:
    using resume_type = resume_function<handler_allocator<Handler>>;

    resume_type resume()
    {
        return resume_type(self(), get_handler_allocator(handler_));
    }

    // An operation in its memory, which both go at the end of the scope or before.
    template <typename Memory>
    class in_memory
    {
    public:
        in_memory(Op* op, Memory& memory) noexcept : op_(op), memory_(memory)
        {
        }

        in_memory(in_memory const&) = delete;
        in_memory& operator=(in_memory const&) = delete;

        ~in_memory()
        {
            if (op_)
                destroy();
        }

        void destroy() noexcept
        {
            Op* const op = std::exchange(op_, nullptr);
            op->~Op();
            memory_.deallocate(op);
        }

    private:
        Op* op_;
        Memory& memory_;
    };

    // The cancellation slot's.
    class canceller
    {
    public:
        canceller(cancellation_link* link, wait_op_base* op) noexcept : link_(link), op_(op)
        {
        }

        canceller(canceller const&) = delete;
        canceller& operator=(canceller const&) = delete;

        ~canceller()
        {
            link_->release();
        }

        void operator()(boost::asio::cancellation_type type) const noexcept
        {
            using boost::asio::cancellation_type;
            if ((type & cancellation_type::all) != cancellation_type::none)
                wait_op_base::cancel(*link_, op_);
        }

    private:
        cancellation_link* const link_;
        wait_op_base* const op_;
    };

    // The operation as a function object that calls it by way of an executor that may do so at
    // once.
    template <typename Ex>
    class detoured
    {
    public:
        using allocator_type = handler_allocator<Handler>;

        detoured(Op* op, Ex const& ex) : ex_(ex), op_(op), resume_(op->resume())
        {
        }

        void operator()()
        {
            // From here on it is in no queue of that context.
            op_->from_.finish();
            boost::asio::dispatch(ex_, std::move(resume_));
        }

        allocator_type get_allocator() const noexcept
        {
            return resume_.get_allocator();
        }

    private:
        Ex ex_;
        Op* op_;
        resume_type resume_;
    };

    template <typename Ex>
    void submit_to_executor(Ex const& ex, place where)
    {
        submit_function(ex, where, resume());
    }

    template <typename Ex>
    void submit_after_detour(Ex const& ex, IoExecutor const& io_ex, place where)
    {
        submit_function(io_ex, where, detoured<Ex>(self(), ex));
    }

    void submit_unwaited_to_executor(IoExecutor const& io_ex)
    {
        if constexpr (!is_own_executor<executor_type>::value)
        {
            auto const ex = boost::asio::get_associated_executor(handler_, io_ex);
            if constexpr (needs_detour)
                submit_after_detour(ex, io_ex, place::at_back);
            else
                submit_to_executor(ex, place::at_back);
        }
    }

    template <typename Ex, typename Function>
    static void submit_function(Ex const& ex, place where, Function&& function)
    {
        if (where == place::as_continuation)
        {
            // A strand's, for example, may be on top of one of weft's.
            granting_scope const here;
            boost::asio::defer(ex, std::move(function));
        }
        else
            boost::asio::post(ex, std::move(function));
    }

    Op* self() noexcept
    {
        return static_cast<Op*>(this);
    }
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_COMPLETION_HPP
