// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_TIMED_WAIT_OP_HPP
#define WEFT_WAIT_TIMED_WAIT_OP_HPP

// A wait with a time limit: one operation that is in the list of waiters and has a timer. How they
// get along: sync/time_limit.hpp.

#include <weft/config.hpp>
#include <weft/error.hpp>
#include <weft/platform/atomic.hpp>
#include <weft/sync/time_limit.hpp>
#include <weft/wait/completion.hpp>
#include <weft/wait/operation_memory.hpp>
#include <weft/wait/scheduler_of.hpp>
#include <weft/wait/timed_wait_op_base.hpp>
#include <weft/wait/wait_op_base.hpp>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/error.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

template <typename Handler, typename Request>
class timed_wait_op final
    : public timed_wait_op_base,
      private completion<timed_wait_op<Handler, Request>, Handler, typename Request::executor_type>
{
    using base = completion<timed_wait_op, Handler, typename Request::executor_type>;
    using typename base::executor_type;
    using typename base::io_executor_type;
    friend base;

    using timer_handler = timed_wait_op_base::on_timer<handler_allocator<Handler>>;
    using clock = std::chrono::steady_clock;
    using timer_type =
        boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, io_executor_type>;

public:
    template <typename H>
    timed_wait_op(H&& handler, Request request)
        : timed_wait_op(std::forward<H>(handler), std::move(request),
              scheduler_of(boost::asio::get_associated_executor(handler, request.get_executor())))
    {
    }

    /// As wait_op::start(), for a wait that ends at `until`.
    void start(clock::time_point until)
    {
        auto const ex = this->keep_executor(handler_scheduler_);
        if (request_.try_now())
        {
            limit_.used_by_nobody();
            this->submit_unwaited(handler_scheduler_, ex, true, true);
            return;
        }
        cancellation_link* link = nullptr;
        try
        {
            this->start_work(handler_scheduler_);
            link = this->assign_slot();
            timer_.emplace(request_.get_executor(), until);
            timer_->async_wait(timer_handler(this, get_handler_allocator(this->handler_)));
        }
        catch (...)
        {
            give_up(link);
            throw;
        }
        request_.about_to_wait(*this);
        acquisition const a = request_.acquire(*this);
        if (a != acquisition::waiting)
            this->sever();
        this->started(link, this);
        switch (a)
        {
        case acquisition::waiting:
            if (limit_.registered())
                time_out();
            break;
        // The wait ends before it has begun, and the primitive may be gone.
        case acquisition::acquired:
            did_not_wait(true);
            finish({}, place::at_back);
            break;
        case acquisition::closed:
        case acquisition::cancelled:
            did_not_wait(false);
            finish(errc::closed, place::at_back);
            break;
        }
        leave();
    }

private:
    template <typename H>
    timed_wait_op(H&& handler, Request&& request, scheduler* s)
        : timed_wait_op_base(&timed_wait_op::do_complete, &timed_wait_op::wait_ended,
              &timed_wait_op::last_left, &base::take_out, request.yielding()),
          base(std::forward<H>(handler)), request_(std::move(request)), handler_scheduler_(s)
    {
    }

    ~timed_wait_op() = default;

    // Before it waits. A timer's handler that was refused is gone; so is its share of the
    // operation.
    void give_up(cancellation_link* link) noexcept
    {
        since.set(0);
        settle(boost::asio::error::operation_aborted);
        this->started(link, this);
        limit_.used_by_nobody_else();
        limit_.give_up();
        leave();
    }

    // By whoever ends the wait, through finish().
    static void wait_ended(wait_op_base* op, place) noexcept
    {
        auto* const self = static_cast<timed_wait_op*>(op);
        self->timer_->cancel();
        self->leave();
    }

    static void last_left(timed_wait_op_base* op) noexcept
    {
        auto* const self = static_cast<timed_wait_op*>(op);
        if (self->limit_.given_up())
        {
            self->run(false);
            return;
        }
        // What belongs to the context of the I/O executor.
        self->timer_.reset();
        self->leave_io_context(self->handler_scheduler_);
        if (self->handler_scheduler_)
            self->handler_scheduler_->submit(self);
        else
            self->submit_waited(place::at_back);
    }

    static void do_complete(
        void* owner, operation* op, boost::system::error_code const&, std::size_t)
    {
        auto* const self = static_cast<timed_wait_op*>(op);
        if (owner || self->limit_.is_over())
            self->run(owner != nullptr);
        else
        {
            // Taken out of the list of waiters by a context that goes away.
            self->limit_.give_up();
            self->leave();
        }
    }

    void run(bool call)
    {
        this->template end<handler_memory>(call);
    }

    Request request_;
    scheduler* const handler_scheduler_;

    // While it waits.
    std::optional<timer_type> timer_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_TIMED_WAIT_OP_HPP
