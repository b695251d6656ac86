// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_REACTOR_THREAD_SLOT_HPP
#define WEFT_REACTOR_THREAD_SLOT_HPP

#include <weft/config.hpp>
#include <weft/reactor/insides.hpp>
#include <weft/reactor/operation.hpp>

#include <boost/asio/detail/scheduler.hpp>
#include <boost/asio/detail/scheduler_thread_info.hpp>

#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

template <typename Info>
using private_queue_of = decltype(Info::private_op_queue);

static_assert(finds<boost::asio::detail::op_queue<operation>, private_queue_of,
                  boost::asio::detail::scheduler_thread_info>,
    WEFT_ASIO_CHANGED("op_queue<scheduler_operation> scheduler_thread_info::private_op_queue"));

template <typename Info>
using private_work_of = decltype(Info::private_outstanding_work);

static_assert(finds<long, private_work_of, boost::asio::detail::scheduler_thread_info>,
    WEFT_ASIO_CHANGED("long scheduler_thread_info::private_outstanding_work"));

template <typename Context>
struct thread_context_opened : Context
{
    template <typename Opened>
    static auto stack(Opened*) -> typename Opened::thread_call_stack*;
};

template <typename Context>
using thread_stack_of = std::remove_pointer_t<decltype(thread_context_opened<Context>::stack(
    static_cast<thread_context_opened<Context>*>(nullptr)))>;

template <typename Context>
using thread_found_in = decltype(thread_stack_of<Context>::contains(
    static_cast<boost::asio::detail::scheduler*>(nullptr)));

template <typename Context>
using innermost_thread_of = decltype(thread_stack_of<Context>::top());

static_assert(finds<boost::asio::detail::thread_info_base*, thread_found_in,
                  boost::asio::detail::thread_context> &&
                  finds<boost::asio::detail::thread_info_base*, innermost_thread_of,
                      boost::asio::detail::thread_context>,
    WEFT_ASIO_CHANGED("thread_context::thread_call_stack, protected, with contains() and top()"));

template <typename Context>
using thread_entry_of = decltype(typename thread_stack_of<Context>::context(
    static_cast<boost::asio::detail::scheduler*>(nullptr),
    std::declval<boost::asio::detail::scheduler_thread_info&>()));

static_assert(finds_any<thread_entry_of, boost::asio::detail::thread_context>,
    WEFT_ASIO_CHANGED("thread_call_stack::context(scheduler*, scheduler_thread_info&)"));

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

    /// If that is one operation, which this thread has started, and which has completed at once:
    /// that; otherwise null. What the thread has cancelled Asio does not count for it.
    operation* completed_one() noexcept
    {
        operation* const first = info_.private_op_queue.front();
        bool const is_one =
            first && !operation_link::next(first) && info_.private_outstanding_work == 1;
        return is_one ? first : nullptr;
    }

    /// Hands that over.
    operation* take_completed_one() noexcept
    {
        operation* const one = completed_one();
        if (one)
        {
            info_.private_op_queue.pop();
            // Counted for this thread, and done with.
            info_.private_outstanding_work = 0;
        }
        return one;
    }

    /// Hands over what Asio posted to this thread, in order, through `out(operation*)`.
    template <typename Out>
    void drain(Out out)
    {
        long count = 0;
        while (operation* const op = info_.private_op_queue.front())
        {
            info_.private_op_queue.pop();
            ++count;
            out(op);
        }
        finished_work_ += count;
        settle_work();
    }

    /// Drops what Asio has counted for this thread: weft counts for itself.
    void settle_work() noexcept
    {
        finished_work_ -= info_.private_outstanding_work;
        info_.private_outstanding_work = 0;
    }

    /// How many of the operations handed over since the last call Asio has on its common count of
    /// work (driver::work_finished()): those that it has not counted for this thread.
    long take_finished_work() noexcept
    {
        return std::exchange(finished_work_, 0);
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
    long finished_work_ = 0;
};

/// Tells Asio, for the object's lifetime, that this thread runs the scheduler `inner` with `slot`.
/// Strictly nested with other entries of the thread, of weft's and of Asio's own contexts.
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

    /// Takes the entry back for a while, wherever in the stack it is: Asio takes the thread for one
    /// that does not run the scheduler, and does not use the slot.
    void hide() noexcept;

    /// Ends hide(), with the same slot or another one.
    void show(boost::asio::detail::scheduler& inner, thread_slot& slot) noexcept;

private:
    access::thread_call_stack::context context_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_REACTOR_THREAD_SLOT_HPP
