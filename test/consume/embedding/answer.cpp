// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "answer.hpp"

#include <weft/io_context.hpp>

#include <boost/asio/post.hpp>

void ask(weft::io_context& context, int& result)
{
    boost::asio::post(context, [&result] { result = 42; });
}
