// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/trace_control.hpp"

#include <weft/executor.hpp>
#include <weft/io_context.hpp>

#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>

using weft::detail::context_access;
using weft::detail::context_scheduler;
using weft::detail::event;
using weft::detail::event_kind;
using weft::detail::trace_control;

BOOST_AUTO_TEST_SUITE(trace_control_of_a_context)

BOOST_AUTO_TEST_CASE(records_between_start_and_stop)
{
    weft::io_context context;
    trace_control control(static_cast<context_scheduler&>(context_access::get_scheduler(context)));
    auto const run = [&]
    {
        boost::asio::post(context, [] {});
        context.run();
        context.restart();
    };
    run();
    control.start(64);
    run();
    run();
    control.stop();
    run();
    std::size_t handlers = 0;
    auto const recorded = control.copy("kind");
    BOOST_TEST(recorded.context.find("kind 0x") == 0u);
    for (auto const& w : recorded.workers)
        for (event const& e : w.events)
            handlers += e.kind == event_kind::handler;
    BOOST_TEST(handlers == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
