// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_INITIATE_WAIT_HPP
#define WEFT_WAIT_INITIATE_WAIT_HPP

// The asynchronous functions of primitives: they make a request, and start it as the completion
// token says.

#include <weft/config.hpp>
#include <weft/coroutine/eager_operation.hpp>
#include <weft/coroutine/eager_token.hpp>
#include <weft/platform/deadline.hpp>
#include <weft/wait/adapted_request.hpp>
#include <weft/wait/operation_memory.hpp>
#include <weft/wait/request_base.hpp>
#include <weft/wait/timed_wait_op.hpp>
#include <weft/wait/wait_op.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/core/empty_value.hpp>

#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// For a wait that has no limit.
struct no_time_limit
{
};

/// When a wait is to end that begins now.
inline deadline end_of_wait(deadline until) noexcept
{
    return until;
}

inline deadline end_of_wait(deadline::duration time) noexcept
{
    return deadline_after(time);
}

/// Starts a wait for a handler. `Limit` is no_time_limit, a deadline, or how long the wait may
/// take.
template <typename Request, typename Limit>
class initiate_wait : private boost::empty_value<Limit>
{
    static constexpr bool is_timed = !std::is_same<Limit, no_time_limit>::value;

public:
    using executor_type = typename Request::executor_type;

    /// Starts the request that `args` make, which is made where it stays until then.
    template <typename... Args>
    explicit initiate_wait(std::in_place_t, Args&&... args) : request_(std::forward<Args>(args)...)
    {
    }

    initiate_wait(Request r, Limit limit) noexcept
        : boost::empty_value<Limit>(boost::empty_init, limit), request_(std::move(r))
    {
    }

    executor_type get_executor() const noexcept
    {
        return request_.get_executor();
    }

    template <typename Handler>
    void operator()(Handler&& handler) const&
    {
        initiate_wait(*this).start(std::forward<Handler>(handler));
    }

    template <typename Handler>
    void operator()(Handler&& handler) &&
    {
        start(std::forward<Handler>(handler));
    }

private:
    template <typename Handler>
    void start(Handler&& handler)
    {
        using handler_type = std::decay_t<Handler>;
        if constexpr (is_timed)
            allocate_op<timed_wait_op<handler_type, Request>>(
                std::forward<Handler>(handler), std::move(request_))
                ->start(end_of_wait(this->get()));
        else
            allocate_op<wait_op<handler_type, Request, handler_memory>>(
                std::forward<Handler>(handler), std::move(request_))
                ->start();
    }

    Request request_;
};

/// The value of an asynchronous function: starts the request that `args` make as `token` says.
template <typename Request, typename Token, typename... Args>
auto start_wait_as(Token&& token, Args&&... args)
{
    using executor = typename Request::executor_type;
    using eager = eager_token_for<executor, Token>;
    if constexpr (eager::value && has_one_signature<Request>::value)
        return eager::template start<Request>(
            whole_token<executor>(token), std::forward<Args>(args)...);
    else
        return initiate_for<Request, Token>(
            initiate_wait<Request>(std::in_place, std::forward<Args>(args)...), token);
}

template <typename Request, typename Token>
auto start_wait(Request request, Token&& token)
{
    return start_wait_as<Request>(std::forward<Token>(token), std::move(request));
}

template <typename Token>
struct starts_later
    : std::integral_constant<bool,
          std::is_void<Token>::value || std::is_same<Token, boost::asio::deferred_t>::value>
{
};

/// The same without a token, for the request that `args` make: what the executor has for a default,
/// or an operation to be awaited.
template <typename Request, typename... Args>
auto start_wait_as_default(Args&&... args)
{
    using token =
        typename boost::asio::default_completion_token<typename Request::executor_type>::type;
    if constexpr (starts_later<token>::value)
        return eager_operation<Request>(std::in_place, std::forward<Args>(args)...);
    else
        return start_wait_as<Request>(token(), std::forward<Args>(args)...);
}

template <typename Request>
auto start_wait(Request request)
{
    return start_wait_as_default<Request>(std::move(request));
}

/// The same for a wait with a time limit, which always needs a token: until a deadline, or for a
/// duration, which begins when the token starts the wait.
template <typename Request, typename Limit, typename Token>
auto start_timed_wait(Request request, Limit limit, Token&& token)
{
    return initiate_for<Request, Token>(
        initiate_wait<Request, Limit>(std::move(request), limit), token);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_INITIATE_WAIT_HPP
