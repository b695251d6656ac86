// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#define BOOST_ASIO_NO_DEPRECATED
#define BOOST_ASIO_NO_TS_EXECUTORS

#include <weft.hpp>

#include <boost/asio.hpp>

void no_deprecated(weft::io_context& context);

void no_deprecated(weft::io_context& context)
{
    boost::asio::post(context, [] {});
    context.run();
}
