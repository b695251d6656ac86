// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_INITIATE_TIMED_WAIT_HPP
#define WEFT_WAIT_INITIATE_TIMED_WAIT_HPP

#include <weft/config.hpp>
#include <weft/wait/timed_wait_op.hpp>

#include <chrono>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Starts a wait with a time limit for a handler.
template <typename Request>
class initiate_timed_wait
{
public:
    using executor_type = typename Request::executor_type;

    initiate_timed_wait(Request r, std::chrono::steady_clock::time_point until) noexcept
        : request_(std::move(r)), until_(until)
    {
    }

    executor_type get_executor() const noexcept
    {
        return request_.get_executor();
    }

    template <typename Handler>
    void operator()(Handler&& handler) const&
    {
        initiate_timed_wait(*this).start(std::forward<Handler>(handler));
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
        using op = timed_wait_op<std::decay_t<Handler>, Request>;
        allocate_op<op>(std::forward<Handler>(handler), std::move(request_), until_)->start();
    }

    Request request_;
    std::chrono::steady_clock::time_point until_;
};

template <typename Request, typename Token>
auto start_timed_wait(Request request, std::chrono::steady_clock::time_point until, Token&& token)
{
    return initiate_for<Request, Token>(
        initiate_timed_wait<Request>(std::move(request), until), token);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_INITIATE_TIMED_WAIT_HPP
