// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_REACTOR_THREAD_SLOT_HPP
#define WEFT_REACTOR_THREAD_SLOT_HPP

#include <weft/config.hpp>
#include <weft/reactor/operation.hpp>

#include <boost/asio/detail/scheduler.hpp>
#include <boost/asio/detail/scheduler_thread_info.hpp>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// What Asio keeps for a thread that runs a scheduler: recycled memory, the operations it posted to
/// itself, and an exception to rethrow. One per worker, for the worker's whole life, so that the
/// recycled memory stays warm. Used by one thread at a time.
class thread_slot
{
public:
    thread_slot()
    {
        info_.private_outstanding_work = 0;
    }

    thread_slot(thread_slot const&) = delete;
    thread_slot& operator=(thread_slot const&) = delete;

    /// Whether Asio has posted something to this thread since the last drain().
    bool has_posted() const noexcept
    {
        return !info_.private_op_queue.empty();
    }

    /// Hands over what Asio posted to this thread, in order, through `out(operation*)`.
    template <typename Out>
    void drain(Out out)
    {
        while (operation* const op = info_.private_op_queue.front())
        {
            info_.private_op_queue.pop();
            out(op);
        }
        forget_work();
    }

    /// Drops Asio's count of work: weft counts for itself.
    void forget_work() noexcept
    {
        info_.private_outstanding_work = 0;
    }

    /// After an operation of a descriptor: whether no handler ran. Asio then has counted one piece
    /// of work, to make up for the one that a scheduler would take off, without posting anything.
    bool ran_nothing() const noexcept
    {
        return info_.private_outstanding_work == 1 && !has_posted();
    }

private:
    friend class thread_entry;

    boost::asio::detail::scheduler_thread_info info_;
};

/// Tells Asio, for the object's lifetime, that this thread runs the scheduler `inner` with `slot`.
/// Strictly nested with other entries of the thread.
class thread_entry
{
    struct access : boost::asio::detail::thread_context
    {
        using boost::asio::detail::thread_context::thread_call_stack;
    };

public:
    thread_entry(boost::asio::detail::scheduler& inner, thread_slot& slot)
        : context_(&inner, slot.info_)
    {
    }

    /// Whether Asio itself has put another slot on top of `slot`, which is this thread's for
    /// `inner`. If so, what was posted to that one goes to `slot`.
    static bool take_over(boost::asio::detail::scheduler& inner, thread_slot& slot) noexcept
    {
        auto* const found = static_cast<boost::asio::detail::scheduler_thread_info*>(
            access::thread_call_stack::contains(&inner));
        if (found == &slot.info_)
            return false;
        while (operation* const op = found->private_op_queue.front())
        {
            found->private_op_queue.pop();
            slot.info_.private_op_queue.push(op);
            // Not every one has been counted.
            if (found->private_outstanding_work > 0)
                --found->private_outstanding_work;
        }
        return true;
    }

    /// Whether `slot` belongs to the innermost entry of this thread.
    static bool is_innermost(thread_slot const& slot) noexcept
    {
        return access::thread_call_stack::top() == &slot.info_;
    }

private:
    access::thread_call_stack::context context_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_REACTOR_THREAD_SLOT_HPP
