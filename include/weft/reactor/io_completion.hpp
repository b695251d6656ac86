// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_REACTOR_IO_COMPLETION_HPP
#define WEFT_REACTOR_IO_COMPLETION_HPP

// How an operation of a socket, a timer or any other of Asio's objects calls its handler, if the
// object's executor is one of weft's.
//
// Asio's operations keep a handler_work, whose bases, handler_work_base, count the work that they
// are for their executors, and call the handler through them. That class template is specialised
// here for weft's executors, as Asio does for its own io_context's: an operation of an object
// completes in a run() of the object's context, so that a handler that is to run there may be
// called where it is, without a copy of the executor that counts for another piece of work, and
// without moving the function. As work it counts all the same: Asio's scheduler, which counts
// operations by itself, does not run them. No program can have used the template for these
// executors before: executor.hpp, which alone makes them complete, includes this.

#include <weft/config.hpp>
#include <weft/fwd.hpp>

#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/detail/handler_work.hpp>
#include <boost/asio/execution/allocator.hpp>
#include <boost/asio/prefer.hpp>

#include <memory>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// What an operation is for one of its two executors.
template <typename Executor>
class io_completion
{
public:
    /// For the executor of the object.
    io_completion(int, int, Executor const& ex) noexcept : io_completion(ex, true, true)
    {
    }

    /// For the executor that is associated with the handler, and may be that of another context.
    io_completion(bool /*io_owns_work*/, Executor const& ex, Executor const& io_executor) noexcept
        : io_completion(ex, ex != io_executor, ex == io_executor)
    {
    }

    io_completion(io_completion const& other) noexcept
        : io_completion(other.executor_, other.is_work_, other.is_of_object_)
    {
    }

    io_completion(io_completion&& other) noexcept
        : executor_(other.executor_), is_work_(std::exchange(other.is_work_, false)),
          is_of_object_(other.is_of_object_)
    {
    }

    io_completion& operator=(io_completion const&) = delete;

    ~io_completion()
    {
        if (is_work_)
            executor_.remove_work();
    }

    /// Asio leaves the call to dispatch() then.
    bool owns_work() const noexcept
    {
        return true;
    }

    /// Calls the function where it is, if the executor is that of the object and allows it;
    /// otherwise has it called by the executor. (What the handler throws leaves the run() in which
    /// the operation has completed, which is one of the object's context.)
    template <typename Function, typename Handler>
    void dispatch(Function& function, Handler& handler)
    {
        if (!is_of_object_ || !executor_.call_in_place(function))
            boost::asio::prefer(executor_,
                boost::asio::execution::allocator(boost::asio::get_associated_allocator(handler)))
                .execute(std::move(function));
    }

private:
    io_completion(Executor const& ex, bool is_work, bool is_of_object) noexcept
        : executor_(ex), is_work_(is_work), is_of_object_(is_of_object)
    {
        if (is_work)
            ex.add_work();
    }

    Executor executor_;
    bool is_work_;
    bool is_of_object_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

template <typename Context, typename IoContext, typename Polymorphic>
class boost::asio::detail::handler_work_base<weft::basic_executor<Context, std::allocator<void>, 0>,
    void, IoContext, Polymorphic, void>
    : public weft::detail::io_completion<weft::basic_executor<Context, std::allocator<void>, 0>>
{
public:
    using weft::detail::io_completion<
        weft::basic_executor<Context, std::allocator<void>, 0>>::io_completion;
};

template <typename Context, typename IoContext, typename Polymorphic>
class boost::asio::detail::handler_work_base<weft::basic_executor<Context, std::allocator<void>, 0>,
    weft::basic_executor<Context, std::allocator<void>, 0>, IoContext, Polymorphic, void>
    : public weft::detail::io_completion<weft::basic_executor<Context, std::allocator<void>, 0>>
{
public:
    using weft::detail::io_completion<
        weft::basic_executor<Context, std::allocator<void>, 0>>::io_completion;
};

#endif // WEFT_REACTOR_IO_COMPLETION_HPP
