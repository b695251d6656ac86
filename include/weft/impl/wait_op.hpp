// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_IMPL_WAIT_OP_HPP
#define WEFT_IMPL_WAIT_OP_HPP

#include <weft/config.hpp>
#include <weft/impl/completion.hpp>
#include <weft/impl/request.hpp>
#include <weft/impl/wait_op_base.hpp>

#include <boost/asio/associated_executor.hpp>

#include <cassert>
#include <cstddef>
#include <new>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// A request for permits with the handler that waits for them.
template <typename Handler, typename Request, template <typename> class Memory>
class wait_op final : public wait_op_base,
                      private completion<wait_op<Handler, Request, Memory>, Handler,
                          typename Request::executor_type>
{
    using base = completion<wait_op, Handler, typename Request::executor_type>;
    using typename base::executor_type;
    using typename base::io_executor_type;
    friend base;

public:
    template <typename H>
    wait_op(H&& handler, Request&& request)
        : wait_op(std::forward<H>(handler), std::move(request),
              scheduler_of(boost::asio::get_associated_executor(handler, request.get_executor())))
    {
    }

    /// Starts the operation, which owns itself from then on. It ends at the earliest when this
    /// thread, or another, comes to it in a queue. Throws what the executor throws, and
    /// std::bad_alloc for the cancellation slot; nothing has happened then.
    void start()
    {
        if (request_.try_now())
            submit_at_once();
        else
            start_waiting();
    }

    /// The same for a request that has just been tried in vain.
    void start_waiting()
    {
        prepare_to_wait();
        if (wait() != acquisition::waiting)
            submit_at_once();
    }

    /// The same when others have run.
    void start_after_others()
    {
        prepare_to_wait();
        yielders_.add(*this);
        submit_at_once();
    }

private:
    template <typename H>
    wait_op(H&& handler, Request&& request, scheduler* s)
        : wait_op_base(&wait_op::do_complete, &wait_op::submit_elsewhere, &base::take_out, s,
              request.yielding()),
          base(std::forward<H>(handler)), request_(std::move(request))
    {
    }

    ~wait_op() = default;

    void prepare_to_wait()
    {
        try
        {
            this->hold_executors(scheduler_);
            this->assign_slot();
        }
        catch (...)
        {
            ec_ = boost::asio::error::operation_aborted;
            run(false);
            throw;
        }
    }

    // Registers the operation, which may be gone then, unless it has the permits or cannot have
    // them.
    acquisition wait() noexcept
    {
        acquisition const a = request_.acquire(*this);
        if (a == acquisition::closed)
            ec_ = Request::closed_error();
        return a;
    }

    // Completes without having waited, or asks later; not inside this call, unless the user wants
    // that.
    void submit_at_once()
    {
        bool const asks_later = yields();
        if (!asks_later)
            ended_.store(true, memory_order_relaxed);
        this->submit_unwaited(scheduler_, !asks_later, !asks_later && !ec_);
    }

    static void submit_elsewhere(wait_op_base* op, place) noexcept
    {
        // Always a continuation: Asio's own executors keep the order of those, and may let other
        // submissions pass. An executor that throws here ends the program: nobody is there to hear
        // of it.
        static_cast<wait_op*>(op)->submit_waited(place::next);
    }

    static void do_complete(
        void* owner, operation* op, boost::system::error_code const&, std::size_t)
    {
        static_cast<wait_op*>(op)->run(owner != nullptr);
    }

    // On the handler's executor, if `call`; otherwise the operation is given up.
    void run(bool call)
    {
        if (yields())
        {
            yielders& list = yielders_;
            if (!list.leave(*this))
                ec_ = boost::asio::error::operation_aborted;
            else
            {
                if (!call)
                    ec_ = boost::asio::error::operation_aborted;
                else if (!request_.try_now() && wait() == acquisition::waiting)
                {
                    list.returned();
                    return;
                }
                list.returned();
            }
        }
        this->template end<Memory>(call);
    }

    Request request_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_IMPL_WAIT_OP_HPP
