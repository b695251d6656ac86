// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_IMPL_TIMED_WAIT_OP_HPP
#define WEFT_IMPL_TIMED_WAIT_OP_HPP

// A wait with a time limit: one operation that is in the list of waiters and has a timer.
//
// Three may use the operation: the function that starts it, whoever ends the wait, and the handler
// of the timer. The last of them to finish calls the handler. Whoever ends the wait (a release, a
// cancellation, the timer) is decided by the state, as for any waiter, and stops the timer.
//
// The timer runs before the operation is registered, because afterwards the wait may end at any
// time, and the timer is to be stopped then. So the timer's handler may come before the
// registration: of registering and expiring, the second to happen cancels the wait.
//
// The timer may expire while another thread destroys the primitive, which is what the wait is
// cancelled in. So whoever ends the wait, and may be the destructor, waits for the timer's handler
// to have looked.

#include <weft/config.hpp>
#include <weft/impl/completion.hpp>
#include <weft/impl/request.hpp>
#include <weft/impl/wait_op_base.hpp>
#include <weft/platform/atomic.hpp>
#include <weft/platform/backoff.hpp>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/error.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

template <typename Handler, typename Request>
class timed_wait_op final
    : public wait_op_base,
      private completion<timed_wait_op<Handler, Request>, Handler, typename Request::executor_type>
{
    using base = completion<timed_wait_op, Handler, typename Request::executor_type>;
    using typename base::executor_type;
    using typename base::io_executor_type;
    friend base;

    using clock = std::chrono::steady_clock;
    using timer_type =
        boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, io_executor_type>;

public:
    template <typename H>
    timed_wait_op(H&& handler, Request request, clock::time_point until)
        : timed_wait_op(std::forward<H>(handler), std::move(request), until,
              boost::asio::get_associated_executor(handler, request.get_executor()))
    {
    }

    /// As wait_op::start().
    void start()
    {
        if (request_.try_now())
        {
            ended_.store(true, memory_order_relaxed);
            users_.store(0, memory_order_relaxed);
            this->submit_unwaited(handler_scheduler_, true, true);
            return;
        }
        try
        {
            this->assign_slot();
            timer_.async_wait(on_timer(this));
        }
        catch (...)
        {
            // A timer's handler that was refused is gone; so is its share of the operation.
            ec_ = boost::asio::error::operation_aborted;
            users_.store(1, memory_order_relaxed);
            given_up_.store(true, memory_order_relaxed);
            leave();
            throw;
        }
        switch (request_.acquire(*this))
        {
        case acquisition::waiting:
            if ((note(registered) & expired) != 0)
                time_out();
            break;
        case acquisition::acquired:
            end_wait({});
            break;
        case acquisition::closed:
            end_wait(Request::closed_error());
            break;
        }
        leave();
    }

private:
    // What has happened.
    enum : std::uint32_t
    {
        registered = 1,
        expired = 2,
        looking = 4, // into the primitive, to time out
        ended = 8
    };

    // The handler of the timer, and its share of the operation.
    class on_timer
    {
    public:
        using allocator_type = handler_allocator<Handler>;

        explicit on_timer(timed_wait_op* op)
            : op_(op), allocator_(get_handler_allocator(op->handler_))
        {
        }

        on_timer(on_timer&& other) noexcept
            : op_(std::exchange(other.op_, nullptr)), allocator_(other.allocator_)
        {
        }

        ~on_timer()
        {
            // The context goes away.
            if (op_)
            {
                op_->given_up_.store(true, memory_order_relaxed);
                op_->leave();
            }
        }

        void operator()(boost::system::error_code const& ec)
        {
            timed_wait_op* const op = std::exchange(op_, nullptr);
            if (!ec && (op->note(expired) & registered) != 0)
                op->time_out();
            op->leave();
        }

        allocator_type get_allocator() const noexcept
        {
            return allocator_;
        }

    private:
        timed_wait_op* op_;
        allocator_type allocator_;
    };

    template <typename H>
    timed_wait_op(H&& handler, Request&& request, clock::time_point until, executor_type const& ex)
        : timed_wait_op(std::forward<H>(handler), std::move(request), until, ex, scheduler_of(ex))
    {
    }

    template <typename H>
    timed_wait_op(H&& handler, Request&& request, clock::time_point until, executor_type const& ex,
        scheduler* s)
        : wait_op_base(&timed_wait_op::do_complete, &timed_wait_op::wait_ended, &base::take_out,
              nullptr, request.yielding()),
          base(std::forward<H>(handler), ex, s, request.get_executor(), request.get_scheduler()),
          request_(std::move(request)), handler_scheduler_(s),
          timer_(request_.get_executor(), until)
    {
    }

    ~timed_wait_op() = default;

    std::uint32_t note(std::uint32_t what) noexcept
    {
        return happened_.fetch_or(what, memory_order_acq_rel);
    }

    // Ends the wait if nobody else has.
    void time_out() noexcept
    {
        if ((note(looking) & ended) != 0)
            return;
        bool const mine = request_.take_out(*this);
        happened_.fetch_and(~std::uint32_t(looking), memory_order_acq_rel);
        if (mine)
            finish(boost::asio::error::timed_out, place::back);
    }

    // By whoever ends the wait, through finish().
    static void wait_ended(wait_op_base* op, place) noexcept
    {
        auto* const self = static_cast<timed_wait_op*>(op);
        if ((self->note(ended) & looking) != 0)
            while ((self->happened_.load(memory_order_acquire) & looking) != 0)
                yield_thread();
        self->timer_.cancel();
        self->leave();
    }

    // The wait ends before it has begun.
    void end_wait(boost::system::error_code const& ec)
    {
        finish(ec, place::back);
    }

    // One of the users of the operation is done with it.
    void leave() noexcept
    {
        // Release and acquire: the last one sees what the others did.
        if (users_.fetch_sub(1, memory_order_acq_rel) != 1)
            return;
        if (given_up_.load(memory_order_relaxed))
            run(false);
        else if (handler_scheduler_)
            handler_scheduler_->submit(this);
        else
            this->submit_to_executor(place::back);
    }

    static void do_complete(
        void* owner, operation* op, boost::system::error_code const&, std::size_t)
    {
        auto* const self = static_cast<timed_wait_op*>(op);
        if (owner || self->users_.load(memory_order_relaxed) == 0)
            self->run(owner != nullptr);
        else
        {
            // Taken out of the list of waiters by a context that goes away.
            self->ec_ = boost::asio::error::operation_aborted;
            self->given_up_.store(true, memory_order_relaxed);
            self->ended_.store(true, memory_order_relaxed);
            self->leave();
        }
    }

    void run(bool call)
    {
        this->template end<handler_memory>(call);
    }

    Request request_;
    scheduler* const handler_scheduler_;
    atomic<std::uint32_t> happened_{0};

    // The one that starts it, the one that ends the wait, the timer's handler.
    atomic<std::uint32_t> users_{3};

    // The handler is not to be called.
    atomic<bool> given_up_{false};
    timer_type timer_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_IMPL_TIMED_WAIT_OP_HPP
