// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Compiled with other hints than the library: the program's hold.
#include <support/reported_hint.hpp>

#include <weft.hpp>

int main()
{
    weft::io_context plain;
    weft::io_context with_options{weft::options()};
    weft::io_context named(BOOST_ASIO_CONCURRENCY_HINT_DEFAULT);
    weft::io_context one(1);
    for (weft::io_context* c : {&plain, &with_options, &named})
        if (test::reported_hint(*c) != BOOST_ASIO_CONCURRENCY_HINT_DEFAULT)
            return 1;
    return test::reported_hint(one) == BOOST_ASIO_CONCURRENCY_HINT_1 ? 0 : 1;
}
