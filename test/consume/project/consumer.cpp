// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What a user of the installed library writes.
#include <weft.hpp>

#include <boost/asio/post.hpp>

int main()
{
    weft::io_context context;
    int ran = 0;
    boost::asio::post(context, [&] { ++ran; });
    context.run();
    return ran == 1 ? 0 : 1;
}
