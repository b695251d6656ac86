// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The contexts the parity suite talks about. Every source here is built twice: once on Asio's own
// contexts, which proves that the expectations are Asio's, and once on weft's.

#ifndef WEFT_TEST_PARITY_CONTEXTS_HPP
#define WEFT_TEST_PARITY_CONTEXTS_HPP

#if defined(WEFT_PARITY_ON_ASIO)
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#else
#include <weft/io_context.hpp>
#include <weft/run_blocking.hpp>
#include <weft/thread_pool.hpp>
#endif

#include "support/cases.hpp"

namespace subject
{

#if defined(WEFT_PARITY_ON_ASIO)
using boost::asio::io_context;
using boost::asio::thread_pool;
#else
using weft::io_context;
using weft::thread_pool;
#endif

// Calls a function that waits for an operation which completed inside the calling handler: the one
// thing for which weft asks a handler to say that it blocks.
template <class Function>
decltype(auto) blocking(Function&& function)
{
#if defined(WEFT_PARITY_ON_ASIO)
    return std::forward<Function>(function)();
#else
    return weft::run_blocking(std::forward<Function>(function));
#endif
}

} // namespace subject

using subject::io_context;
using subject::thread_pool;

namespace test
{

/// For a suite whose cases have a context each.
struct with_context
{
    io_context context;
};

/// For a case of such a suite that makes its own: with other options, or several.
struct context_of_its_own
{
};

} // namespace test

#endif
