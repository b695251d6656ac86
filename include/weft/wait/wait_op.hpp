// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_WAIT_OP_HPP
#define WEFT_WAIT_WAIT_OP_HPP

#include <weft/config.hpp>
#include <weft/error.hpp>
#include <weft/wait/completion.hpp>
#include <weft/wait/operation_memory.hpp>
#include <weft/wait/request_base.hpp>
#include <weft/wait/wait_op_base.hpp>

#include <boost/asio/associated_executor.hpp>

#include <cassert>
#include <cstddef>
#include <new>
#include <optional>
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
        auto const ex = this->keep_executor(scheduler_);
        if (request_.try_now())
            submit_at_once(ex);
        else
            start_waiting();
    }

    /// The same for a request that has just been tried in vain.
    void start_waiting()
    {
        cancellation_link* const link = prepare_to_wait();
        auto const ex = this->keep_executor(scheduler_);
        bool const waits = wait() == acquisition::waiting;
        if (!waits)
            this->sever();
        this->started(link, this);
        if (!waits)
            submit_at_once(ex);
    }

    /// The same when others have run.
    void start_after_others()
    {
        cancellation_link* const link = prepare_to_wait();
        auto const ex = this->keep_executor(scheduler_);
        yielding_->add(*this);
        this->started(link, this);
        submit_at_once(ex);
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

    cancellation_link* prepare_to_wait()
    {
        try
        {
            if (this->start_work(scheduler_))
                submits_itself_ = true;
            return this->assign_slot();
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
    template <typename... Resume>
    acquisition wait(Resume const&... resume) noexcept
    {
        request_.about_to_wait(*this);
        acquisition const a = request_.acquire(*this, resume...);
        if (a == acquisition::waiting)
            return a;
        did_not_wait(a == acquisition::acquired);
        if (a == acquisition::closed)
            ec_ = errc::closed;
        return a;
    }

    // Tries, and waits if that is in vain: whether it waits now. Those that are served thereby are
    // put into `served`, settled.
    bool try_or_wait(served_list& served) noexcept
    {
        if constexpr (Request::serves_others)
        {
            resume_later const later(served);
            return !request_.try_now(later) && wait(later) == acquisition::waiting;
        }
        else
        {
            (void)served;
            return !request_.try_now() && wait() == acquisition::waiting;
        }
    }

    // Completes without having waited, or asks later; not inside this call, unless the user wants
    // that.
    void submit_at_once(std::optional<io_executor_type> const& ex)
    {
        bool const asks_later = yields();
        if (!asks_later)
        {
            this->sever();
            this->leave_io_context(scheduler_);
        }
        this->submit_unwaited(scheduler_, ex, !asks_later, !asks_later && !ec_);
    }

    static void submit_elsewhere(wait_op_base* op, place where) noexcept
    {
        auto* const self = static_cast<wait_op*>(op);
        self->leave_io_context(self->scheduler_);
        // To others always as a continuation: Asio's own executors keep the order of those, and may
        // let other submissions pass; weft's below a strand are told that it is a grant. An
        // executor that throws here ends the program: nobody is there to hear of it.
        if (self->scheduler_)
            self->submit_to_scheduler(where);
        else
            self->submit_waited(place::as_continuation);
    }

    static void do_complete(
        void* owner, operation* op, boost::system::error_code const&, std::size_t)
    {
        static_cast<wait_op*>(op)->run(owner != nullptr);
    }

    // On the handler's executor, if `call`; otherwise the operation is given up.
    void run(bool call)
    {
        if (yields() && ask(call))
            return;
        this->template end<Memory>(call);
    }

    // The turn has come of one that has let others run. True if it waits now.
    bool ask(bool call)
    {
        cancellation_link* const link = this->link_;
        if (link)
            link->start_again();
        yielding_waiters& list = *yielding_;
        served_list served;
        bool waits = false;
        if (!list.leave(*this))
            ec_ = boost::asio::error::operation_aborted;
        else
        {
            if (!call)
                ec_ = boost::asio::error::operation_aborted;
            else
                waits = try_or_wait(served);
            list.returned();
        }
        // From here on the primitive stays for who finds this operation in it, and may be gone if
        // it is not.
        if (!waits)
            this->sever();
        this->started(link, this);
        // One of them may destroy the primitive, which waits for the visit above.
        if (!served.empty())
            served.for_each([](waiter& w, acquisition outcome) { resume_waiters()(w, outcome); });
        return waits;
    }

    Request request_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_WAIT_OP_HPP
