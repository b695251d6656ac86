// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_EXAMPLE_SUPPORT_COROUTINE_END_HPP
#define WEFT_EXAMPLE_SUPPORT_COROUTINE_END_HPP

// What becomes of an exception that ends a server's coroutine: completion handlers for co_spawn.

#include <exception>
#include <iostream>

namespace example
{

/// An exception ends one session, not the server.
inline void end_session(std::exception_ptr failure)
try
{
    if (failure)
        std::rethrow_exception(failure);
}
catch (std::exception const& e)
{
    std::cerr << "session ended: " << e.what() << '\n';
}

/// A server that accepts no more is none: the exception leaves run(), and with it the program.
inline void end_server(std::exception_ptr failure)
{
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace example

#endif
