// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What a handler costs more when it is timed, or recorded: a chain of handlers, each of which posts
// the next, on one thread. CPU time of the process.

#include "gates.hpp"

#include "../support/machine.hpp"

#include <weft/io_context.hpp>

#include <boost/asio/post.hpp>

#include <cstdint>

namespace inside
{

namespace
{

struct step
{
    weft::io_context* context;
    std::uint64_t left;

    void operator()() const
    {
        if (left != 0)
            boost::asio::post(*context, step{context, left - 1});
    }
};

void run_chain(weft::io_context& context, std::uint64_t length)
{
    context.restart();
    boost::asio::post(context, step{&context, length});
    context.run();
}

} // namespace

gates handlers(bool quick)
{
    const std::uint64_t length = quick ? 200'000 : 4'000'000;
    weft::io_context context;
    const costs c = measure_rounds(quick ? 5 : 41,
        [&](mode m)
        {
            turn_to(context, m);
            // The worker follows, and the ring is in the cache.
            run_chain(context, length / 20);
            const auto before = bench::process_usage::precise_cpu();
            run_chain(context, length);
            const auto took = bench::process_usage::precise_cpu() - before;
            return static_cast<double>(took.count()) / static_cast<double>(length);
        });
    const std::string how = "a chain of handlers, of " + text_of(median_of(c, off)) + " ns each";
    return {{"metrics, sampled: a handler", extra_of(c, sampled), 2.5, "ns", how},
        {"metrics, all: a handler", extra_of(c, all), 20, "ns", how},
        {"flight recorder: a handler, which is an event and a little more", extra_of(c, recording),
            18, "ns", how}};
}

} // namespace inside
