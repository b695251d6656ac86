// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_COROUTINE_EAGER_OPERATION_HPP
#define WEFT_COROUTINE_EAGER_OPERATION_HPP

// Operations that need not suspend the coroutine that awaits them.
//
// Asio suspends the coroutine, makes a handler of it, and starts the operation with that; an
// operation that is complete at once must then come back through a queue. Here the awaited object
// tries first, and if it has to wait, waits in the coroutine's own frame.
//
// Ways that do without Asio's insides, and why they are not taken: an operation that calls its
// handler inside the initiating function resumes the coroutine inside itself, 500 bytes of stack
// each time; a coroutine of its own that tries first costs twice as much as trying (that is what
// use_awaitable gets nevertheless, also inside as_tuple and redirect_error, for there the result
// must be an awaitable; deferred gets none).
//
// The specialisation at the end knows about Asio's coroutines, as nothing else in weft but
// awaitable_frames.hpp does, and is a pure optimisation: with WEFT_DISABLE_EARLY_COMPLETION defined
// it is not there, and everything works through the queue. The macro must be the same for a whole
// program.

#include <weft/config.hpp>
#include <weft/coroutine/eager_token.hpp>
#include <weft/reactor/insides.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#if WEFT_HAS_EARLY_COMPLETION
#include <boost/asio/awaitable.hpp>
#endif

#include <cstddef>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// What trying an operation has come to.
enum class ready_result
{
    complete,
    wait,          // is to be started
    let_others_run // is to be started when others have run
};

/// An operation that was described but not started: to be awaited, or called with a completion
/// token.
///
/// `Start` describes it: `signature`, the completion signature; `executor_type`; `try_at_once()`,
/// which completes it if it need not wait; `result()`, its result then, and `arguments()`, a tuple
/// of what a handler would get, errors and all. eager_start<Start> says how it is started.
template <typename Start>
class [[nodiscard]] eager_operation
{
    using executor_type = typename Start::executor_type;

    template <typename Token>
    using eager = eager_token_for<executor_type, Token>;

public:
    using signature = typename Start::signature;

    /// Describes the operation where it stays, if it is awaited in the same expression.
    template <typename... Args>
    explicit eager_operation(std::in_place_t, Args&&... args) : start_(std::forward<Args>(args)...)
    {
    }

    /// Starts the operation.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(typename Start::signature) CompletionToken,
        std::enable_if_t<!eager<CompletionToken>::value, int> = 0>
    auto operator()(
        CompletionToken&& token) && -> decltype(boost::asio::async_initiate<CompletionToken,
        typename Start::signature>(std::declval<typename eager_start<Start>::initiation>(), token))
    {
        return boost::asio::async_initiate<CompletionToken, typename Start::signature>(
            typename eager_start<Start>::initiation(std::in_place, std::move(start_)), token);
    }

    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(typename Start::signature) CompletionToken,
        std::enable_if_t<!eager<CompletionToken>::value, int> = 0>
    auto operator()(CompletionToken&& token)
        const& -> decltype(boost::asio::async_initiate<CompletionToken, typename Start::signature>(
            std::declval<typename eager_start<Start>::initiation>(), token))
    {
        return boost::asio::async_initiate<CompletionToken, typename Start::signature>(
            typename eager_start<Start>::initiation(std::in_place, start_), token);
    }

    /// Says how the operation is awaited, and starts nothing.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(typename Start::signature) CompletionToken,
        std::enable_if_t<eager<CompletionToken>::value, int> = 0>
    auto operator()(CompletionToken&& token) &&
    {
        return eager<CompletionToken>::template start<Start>(
            whole_token<executor_type>(token), std::move(start_));
    }

    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(typename Start::signature) CompletionToken,
        std::enable_if_t<eager<CompletionToken>::value, int> = 0>
    auto operator()(CompletionToken&& token) const&
    {
        return eager<CompletionToken>::template start<Start>(
            whole_token<executor_type>(token), start_);
    }

    Start& start() noexcept
    {
        return start_;
    }

    Start const& start() const noexcept
    {
        return start_;
    }

private:
    Start start_;
};

/// What a coroutine gets from the handler that has resumed it.
template <typename Signature, typename Handler>
struct resumption
{
    static auto result(typename Handler::result_type& r) -> decltype(Handler::resume(r))
    {
        return Handler::resume(r);
    }
};

template <typename Frame>
using suspending_of = decltype(std::declval<Frame&>().after_suspend(
    static_cast<void (*)(void*)>(nullptr), static_cast<void*>(nullptr)));

template <typename Frame>
using thread_of = decltype(std::declval<Frame&>().detach_thread());

template <typename Handler, typename Frame>
using handler_of = decltype(Handler(
    std::declval<thread_of<Frame>>(), std::declval<typename Handler::result_type&>()));

template <typename Handler>
using resuming_of = decltype(Handler::resume(std::declval<typename Handler::result_type&>()));

#if !WEFT_HAS_EXCEPTION_OR_VALUE
template <typename T, typename Handler>
struct resumption<void(std::exception_ptr, T), Handler>
{
    static T result(typename Handler::result_type& r)
    {
        if (*r.ex_)
            std::rethrow_exception(std::exchange(*r.ex_, nullptr));
        return std::move(*r.value_);
    }
};
#endif

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

/// So that it can be composed with other deferred operations, as Asio's can.
template <typename Start>
struct boost::asio::is_deferred<weft::detail::eager_operation<Start>> : std::true_type
{
};

#if WEFT_HAS_EARLY_COMPLETION

template <typename Signature, typename Start, typename Executor>
class boost::asio::detail::awaitable_async_op<Signature, weft::detail::eager_operation<Start>,
    Executor>
{
public:
    static_assert(alignof(Start) <= alignof(std::max_align_t),
        "over-aligned values are not for coroutines, whose frames are aligned for max_align_t");

    using handler_type = awaitable_async_op_handler<Signature, Executor>;

    static_assert(
        weft::detail::finds_any<weft::detail::suspending_of, awaitable_frame_base<Executor>>,
        WEFT_ASIO_CHANGED("awaitable_frame_base::after_suspend(void (*)(void*), void*)"));
    static_assert(weft::detail::finds_any<weft::detail::thread_of, awaitable_frame_base<Executor>>,
        WEFT_ASIO_CHANGED("awaitable_frame_base::detach_thread()"));
    static_assert(weft::detail::finds<handler_type, weft::detail::handler_of, handler_type,
                      awaitable_frame_base<Executor>>,
        WEFT_ASIO_CHANGED("awaitable_async_op_handler(awaitable_thread*, result_type&)"));
    static_assert(weft::detail::finds_any<weft::detail::resuming_of, handler_type>,
        WEFT_ASIO_CHANGED("awaitable_async_op_handler::resume(result_type&)"));

    using resumption = weft::detail::resumption<Signature, handler_type>;

    // Asio passes the place of the call as well when it tracks handlers.

    // What is awaited stays where it is until the coroutine goes on or is suspended, and is moved
    // only if it has to wait: a copy of what has just been stored waits for the stores.
    template <typename... Location>
    awaitable_async_op(weft::detail::eager_operation<Start>&& op,
        awaitable_frame_base<Executor>* frame, Location const&...)
        : start_(&op.start()), frame_(frame)
    {
    }

    // What has a name can be awaited again.
    template <typename... Location>
    awaitable_async_op(weft::detail::eager_operation<Start> const& op,
        awaitable_frame_base<Executor>* frame, Location const&...)
        : copy_(op.start()), start_(&*copy_), frame_(frame)
    {
    }

    awaitable_async_op(awaitable_async_op const&) = delete;
    awaitable_async_op& operator=(awaitable_async_op const&) = delete;

    bool await_ready()
    {
        auto const found = start_->try_at_once();
        if (found == weft::detail::ready_result::complete)
            return true;
        found_ = found;
        return false;
    }

    void await_suspend(coroutine_handle<void>)
    {
        // Not before the coroutine is suspended: it may be resumed at once by another thread.
        frame_->after_suspend(
            [](void* arg)
            {
                auto* const self = static_cast<awaitable_async_op*>(arg);
                auto* const frame = std::exchange(self->frame_, nullptr);
                weft::detail::eager_start<Start>::start_in(self->memory_,
                    handler_type(frame->detach_thread(), self->result_), *self->start_,
                    self->found_);
            },
            this);
    }

    auto await_resume()
        -> decltype(resumption::result(std::declval<typename handler_type::result_type&>()))
    {
        if (frame_)
            return start_->result();
        return resumption::result(result_);
    }

private:
    std::optional<Start> copy_;
    Start* start_;

    // Null once the coroutine has been suspended.
    awaitable_frame_base<Executor>* frame_;

    // Not set before that: an operation that completes at once is to store little.
    weft::detail::ready_result found_;
    typename handler_type::result_type result_;
    alignas(std::max_align_t) unsigned char memory_
        [weft::detail::eager_start<Start>::template frame_bytes<handler_type>];
};

#endif // WEFT_HAS_EARLY_COMPLETION

#endif // WEFT_COROUTINE_EAGER_OPERATION_HPP
