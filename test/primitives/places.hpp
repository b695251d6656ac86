// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_PRIMITIVES_PLACES_HPP
#define WEFT_TEST_PRIMITIVES_PLACES_HPP

#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "parity/threads.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>

#include <cstddef>
#include <tuple>

namespace test
{

// Where a primitive lives: an executor, and finish(), which runs everything to its end.
template <class Context, std::size_t Threads>
struct on_io_context
{
    Context context;
    boost::asio::any_io_executor executor{context.get_executor()};

    void finish()
    {
        context.restart();
        run_on(context, Threads);
    }
};

template <class Context>
struct on_pool
{
    Context context{2};
    boost::asio::any_io_executor executor{context.get_executor()};

    void finish()
    {
        context.join();
    }
};

template <class Context>
struct on_strand
{
    Context context;
    boost::asio::any_io_executor executor{boost::asio::make_strand(context)};

    void finish()
    {
        context.restart();
        run_on(context, 2);
    }
};

using weft_io = on_io_context<weft::io_context, 1>;
using weft_io_2 = on_io_context<weft::io_context, 2>;
using weft_pool = on_pool<weft::thread_pool>;
using asio_io = on_io_context<boost::asio::io_context, 1>;
using asio_io_2 = on_io_context<boost::asio::io_context, 2>;
using asio_pool = on_pool<boost::asio::thread_pool>;
using weft_strand = on_strand<weft::io_context>;
using asio_strand = on_strand<boost::asio::io_context>;

using places = std::tuple<weft_io, weft_io_2, weft_pool, asio_io, asio_io_2, asio_pool, weft_strand,
    asio_strand>;

// Asio's strands do not survive that an executor below them finds no memory.
using places_but_strands = std::tuple<weft_io, weft_io_2, weft_pool, asio_io, asio_io_2, asio_pool>;

// One thread: what happens is the same in each execution.
using single_places = std::tuple<weft_io, asio_io>;

} // namespace test

#endif
