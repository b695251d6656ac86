// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The one alias: every program here says example::io_context and example::thread_pool and nothing
// else depends on whose they are. With EXAMPLE_ON_ASIO defined they are Asio's own.

#ifndef WEFT_EXAMPLE_CONTEXT_HPP
#define WEFT_EXAMPLE_CONTEXT_HPP

#include <boost/asio.hpp>
#include <ostream>

namespace example
{

namespace asio = boost::asio;

} // namespace example

#ifdef EXAMPLE_ON_ASIO

#include <utility>

namespace example
{

using io_context = boost::asio::io_context;
using thread_pool = boost::asio::thread_pool;
inline constexpr char const* context_name = "boost::asio::io_context";

/// Calls f on this thread: Asio has nobody to hand this thread's queue to while f blocks.
template <class Function>
decltype(auto) run_blocking(Function&& function)
{
    return std::forward<Function>(function)();
}

/// Asio's contexts count nothing.
template <class Context>
void print_stats(std::ostream&, Context const&)
{
}

} // namespace example

#else

#include <iomanip>
#include <weft.hpp>

namespace example
{

using io_context = weft::io_context;
using thread_pool = weft::thread_pool;
inline constexpr char const* context_name = "weft::io_context";

using weft::run_blocking;

inline void print_row(std::ostream& out, weft::worker_stats const& row)
{
    for (auto const value : {row.handlers, row.lifo_hits, row.steal_operations, row.stolen_handlers,
             row.overflows, row.injection_fetches, row.parks, row.reactor_events})
    {
        out << std::setw(12) << value;
    }
    out << '\n';
}

/// Prints what each worker has done; a steal is a worker that took half of another one's queue.
template <class Context>
void print_stats(std::ostream& out, Context const& context)
{
    auto const stats = context.stats();
    out << "worker    handlers   lifo hits      steals      stolen   overflows    injected"
           "       parks   io events\n";
    for (std::size_t i = 0; i < stats.workers.size(); ++i)
    {
        out << std::setw(6) << i;
        print_row(out, stats.workers[i]);
    }
    out << " total";
    print_row(out, stats.total);
}

} // namespace example

#endif

#endif
