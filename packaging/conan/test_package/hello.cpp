// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// That weft is found, links, and runs a handler.
#include <weft.hpp>

#include <boost/asio/post.hpp>

#include <iostream>

int main()
{
    weft::io_context context;
    boost::asio::post(context, [] { std::cout << "weft works\n"; });
    return context.run() == 1 ? 0 : 1;
}
