// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_SUPPORT_REPORTED_HINT_HPP
#define WEFT_TEST_SUPPORT_REPORTED_HINT_HPP

#include <weft/config.hpp>

#include <boost/asio/detail/scheduler.hpp>
#include <boost/asio/execution_context.hpp>

#if WEFT_HAS_SERVICE_MAKER
#include <boost/asio/config.hpp>
#endif

namespace test
{

// What libraries look at to decide whether they may do without locks.
inline int reported_hint(boost::asio::execution_context& context)
{
    const auto ask = [&](auto& scheduler)
    {
        if constexpr (requires { scheduler.concurrency_hint(); })
            return scheduler.concurrency_hint();
#if WEFT_HAS_SERVICE_MAKER
        else
            return boost::asio::config(context).get("scheduler", "concurrency_hint", 0);
#endif
    };
    return ask(boost::asio::use_service<boost::asio::detail::scheduler>(context));
}

} // namespace test

#endif // WEFT_TEST_SUPPORT_REPORTED_HINT_HPP
