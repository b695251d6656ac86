// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// yield.hpp makes macros of `yield`, `reenter` and `fork`.
#include <boost/asio.hpp>
#include <boost/asio/yield.hpp>

#include <weft.hpp>

boost::asio::execution::relationship_t after_yield(weft::io_context& context);

boost::asio::execution::relationship_t after_yield(weft::io_context& context)
{
    return boost::asio::query(context.get_executor(), boost::asio::execution::relationship);
}
