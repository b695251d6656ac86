// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_SUPPORT_INLINE_EXECUTOR_HPP
#define WEFT_TEST_SUPPORT_INLINE_EXECUTOR_HPP

#include <boost/asio/execution.hpp>
#include <boost/asio/execution_context.hpp>

namespace test
{

/// A stranger's executor that runs everything at once, inside whatever submits it, and says that it
/// never does.
struct inline_executor
{
    boost::asio::execution_context* context;

    boost::asio::execution_context& query(boost::asio::execution::context_t) const noexcept
    {
        return *context;
    }

    boost::asio::execution::blocking_t query(boost::asio::execution::blocking_t) const noexcept
    {
        return boost::asio::execution::blocking.never;
    }

    inline_executor require(boost::asio::execution::blocking_t::never_t) const noexcept
    {
        return *this;
    }

    template <class Function>
    void execute(Function function) const
    {
        function();
    }

    bool operator==(inline_executor const& other) const noexcept
    {
        return context == other.context;
    }

    bool operator!=(inline_executor const& other) const noexcept
    {
        return context != other.context;
    }
};

} // namespace test

#endif // WEFT_TEST_SUPPORT_INLINE_EXECUTOR_HPP
