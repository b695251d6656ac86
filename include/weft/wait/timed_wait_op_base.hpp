// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_TIMED_WAIT_OP_BASE_HPP
#define WEFT_WAIT_TIMED_WAIT_OP_BASE_HPP

#include <weft/config.hpp>
#include <weft/sync/time_limit.hpp>
#include <weft/wait/wait_op_base.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/error_code.hpp>

#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// A wait with a time limit, as its timer knows it: what its handler is, is not known here.
class timed_wait_op_base : public wait_op_base
{
protected:
    using last_left_type = void (*)(timed_wait_op_base*) noexcept;

    /// `last_left` is called when none of the users has a part in the operation any more.
    timed_wait_op_base(func_type run, submit_type wait_ended, last_left_type last_left,
        take_out_type take_out, yielding_waiters& yielding) noexcept
        : wait_op_base(run, wait_ended, take_out, nullptr, yielding, &limit_), last_left_(last_left)
    {
    }

    ~timed_wait_op_base() = default;

    /// The handler of the timer, and its share of the operation.
    template <typename Allocator>
    class on_timer
    {
    public:
        using allocator_type = Allocator;

        on_timer(timed_wait_op_base* op, Allocator const& allocator)
            : op_(op), allocator_(allocator)
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
                op_->limit_.give_up();
                op_->leave();
            }
        }

        void operator()(boost::system::error_code const& ec)
        {
            timed_wait_op_base* const op = std::exchange(op_, nullptr);
            if (!ec && op->limit_.expired())
                op->time_out();
            op->leave();
        }

        allocator_type get_allocator() const noexcept
        {
            return allocator_;
        }

    private:
        timed_wait_op_base* op_;
        allocator_type allocator_;
    };

    /// Ends the wait if nobody else has.
    void time_out() noexcept
    {
        served_list served;
        if (!limit_.end_wait([&] { return look_and_take_out(served); }))
            return;
        settle(boost::asio::error::timed_out);
        resume_waiters const resume;
        resume_all(served, resume);
        submit(place::at_back);
    }

    /// One of the users of the operation is done with it.
    void leave() noexcept
    {
        if (limit_.leave())
            last_left_(this);
    }

    time_limit limit_;

private:
    last_left_type const last_left_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_TIMED_WAIT_OP_BASE_HPP
