// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A coroutine that forks others and joins them: the counted join that a program writes itself, the
// same for all columns. It lies in the frame of the coroutine that forks.

#ifndef WEFT_BENCH_SUPPORT_FORK_JOIN_HPP
#define WEFT_BENCH_SUPPORT_FORK_JOIN_HPP

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

namespace bench
{

template <class Executor>
class fork_join
{
    using token = boost::asio::use_awaitable_t<Executor>;

public:
    using child = boost::asio::awaitable<std::uint64_t, Executor>;

    /// The child's result will be part of the sum.
    void fork(const Executor& where, child what)
    {
        left_.fetch_add(1, std::memory_order_relaxed);
        boost::asio::co_spawn(where, std::move(what),
            [this](const std::exception_ptr&, std::uint64_t result)
            {
                sum_.fetch_add(result, std::memory_order_relaxed);
                if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1)
                    boost::asio::dispatch(std::move(*joiner_));
            });
    }

    bool joined() const
    {
        return left_.load(std::memory_order_acquire) == 1;
    }

    /// To be awaited once, by the coroutine that forked. The last child resumes it.
    auto join()
    {
        return boost::asio::async_initiate<const token, void()>(
            [this](auto handler)
            {
                joiner_.emplace(std::move(handler));
                if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1)
                    boost::asio::post(std::move(*joiner_));
            },
            token_);
    }

    /// Of the children, once they are joined.
    std::uint64_t sum() const
    {
        return sum_.load(std::memory_order_relaxed);
    }

private:
    // All children, and the coroutine that forks until it awaits them.
    std::atomic<std::uint64_t> left_{1};
    std::atomic<std::uint64_t> sum_{0};
    std::optional<typename boost::asio::async_result<token, void()>::handler_type> joiner_;
    [[no_unique_address]] token token_;
};

} // namespace bench

#endif
