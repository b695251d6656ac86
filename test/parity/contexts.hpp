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

using stream = boost::asio::local::stream_protocol;

/// Two connected sockets, of a context or an executor.
template <class Where>
std::pair<stream::socket, stream::socket> local_pair(Where&& where)
{
    std::pair<stream::socket, stream::socket> pair{where, where};
    boost::asio::local::connect_pair(pair.first, pair.second);
    return pair;
}

} // namespace test

/// A test case whose context is said to be for one thread, and then for two.
#define WEFT_TEST_CASE_WITH_HINTS(name)                                                            \
    struct name##_with_hint                                                                        \
    {                                                                                              \
        int hint;                                                                                  \
        io_context context{hint};                                                                  \
        void run();                                                                                \
    };                                                                                             \
    BOOST_AUTO_TEST_CASE(name)                                                                     \
    {                                                                                              \
        for (int const hint : {1, 2})                                                              \
            BOOST_TEST_CONTEXT("hint " << hint)                                                    \
        name##_with_hint{hint}.run();                                                              \
    }                                                                                              \
    void name##_with_hint::run()

#endif
