// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A send whose value can only be moved is used up by whoever awaits or starts it.

#include <weft/channel.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/detached.hpp>

#include <memory>
#include <utility>

namespace asio = boost::asio;

asio::awaitable<void> send(weft::channel<std::unique_ptr<int>>& c);

asio::awaitable<void> send(weft::channel<std::unique_ptr<int>>& c)
{
    auto operation = c.async_send(std::make_unique<int>(1));
#if defined(WEFT_TEST_AWAITED)
    co_await operation;
#elif defined(WEFT_TEST_STARTED)
    operation(asio::detached);
    co_return;
#else
    co_await std::move(operation);
#endif
}
