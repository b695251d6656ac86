// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_IMPL_WAIT_OP_BASE_HPP
#define WEFT_IMPL_WAIT_OP_BASE_HPP

#include <weft/config.hpp>
#include <weft/platform/atomic.hpp>
#include <weft/reactor/operation.hpp>
#include <weft/sched/scheduler.hpp>
#include <weft/sync/semaphore_state.hpp>
#include <weft/sync/yielders.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/error_code.hpp>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Where an operation that is complete goes in the queues of its executor.
enum class place
{
    next, // continues the running handler
    back
};

/// An operation that waits for permits: what its handler is, is not known here.
///
/// It is its own entry in the list of waiters and in the queues of weft's schedulers: to wait and
/// to be resumed need no memory beyond it.
class wait_op_base : public operation, public yielder
{
public:
    /// Ends the wait. By whoever took the operation out of the state, who has no right to it
    /// afterwards; any thread.
    void finish(boost::system::error_code const& ec, place where) noexcept
    {
        ec_ = ec;
        // Release pairs with the acquire in cancel().
        ended_.store(true, memory_order_release);
        submit(where);
    }

    /// Ends the wait of an operation that is to be destroyed without being run; by the same.
    void abandon() noexcept
    {
        // Without an error its end would give back permits that it has not got.
        ec_ = boost::asio::error::operation_aborted;
        ended_.store(true, memory_order_release);
    }

    void submit(place where) noexcept
    {
        if (!scheduler_)
            submit_elsewhere_(this, where);
        else if (where == place::next)
            scheduler_->submit_continuation(this);
        else
            scheduler_->submit(this);
    }

    /// Ends the wait with operation_aborted, unless somebody else has ended it. On the handler's
    /// executor, or synchronised with it.
    void cancel() noexcept;

protected:
    using submit_type = void (*)(wait_op_base*, place) noexcept;
    using take_out_type = bool (*)(wait_op_base*) noexcept;

    wait_op_base(func_type run, submit_type submit_elsewhere, take_out_type take_out, scheduler* s,
        yielders& yielding) noexcept
        : operation(run), yielders_(yielding), scheduler_(s), submit_elsewhere_(submit_elsewhere),
          take_out_(take_out)
    {
    }

    ~wait_op_base() = default;

    // The primitive's, and gone with it. It ends all waits before.
    yielders& yielders_;

    // The scheduler of the handler's executor, if that is weft's.
    scheduler* const scheduler_;
    submit_type const submit_elsewhere_;

    // Takes the operation out of those that wait; false if it is not there any more.
    take_out_type const take_out_;
    atomic<bool> ended_{false};

    // Written by whoever ends the wait; read by the operation when it is run.
    boost::system::error_code ec_;
};

/// Resumes waiters that have got what they waited for, in the order of the calls: the first
/// continues the running handler, the others go to the back, so that they keep their order.
class resume_granted
{
public:
    void operator()(waiter& w) noexcept
    {
        static_cast<wait_op_base&>(w).finish({}, where_);
        where_ = place::back;
    }

private:
    place where_ = place::next;
};

/// Resumes waiters that will not get it.
class resume_with_error
{
public:
    explicit resume_with_error(boost::system::error_code const& ec) noexcept : ec_(ec)
    {
    }

    void operator()(waiter& w) noexcept
    {
        static_cast<wait_op_base&>(w).finish(ec_, place::back);
    }

private:
    boost::system::error_code ec_;
};

inline void wait_op_base::cancel() noexcept
{
    // The primitive may be gone once the wait has ended.
    if (ended_.load(memory_order_acquire))
        return;
    if (yields())
        yielders_.take(*this);
    else if (take_out_(this))
        finish(boost::asio::error::operation_aborted, place::back);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_IMPL_WAIT_OP_BASE_HPP
