// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/inspection.hpp"

#include <weft/io_context.hpp>
#include <weft/steady_timer.hpp>
#include <weft/wait/scheduler_of.hpp>

#include "sched/context_view.hpp"
#include "support/context.hpp"

#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

namespace
{

namespace asio = boost::asio;
using weft::detail::context_access;
using weft::detail::context_scheduler;
using weft::detail::worker_activity;

context_scheduler& scheduler_of(weft::io_context& c)
{
    return static_cast<context_scheduler&>(context_access::get_scheduler(c));
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(inspection, test::with_context)

BOOST_AUTO_TEST_CASE(what_is_queued_from_outside_is_in_the_injection_queue)
{
    for (int i = 0; i != 3; ++i)
        asio::post(context, [] {});
    auto const before = scheduler_of(context).view();
    BOOST_TEST(before.injected == 3u);
    BOOST_TEST(before.inside == 0u);
    BOOST_TEST(!before.stopped);
    BOOST_TEST(scheduler_of(context).survey().queued == 3u);

    context.run();
    auto const after = scheduler_of(context).view();
    BOOST_TEST(after.injected == 0u);
    BOOST_TEST(after.stopped);
    BOOST_TEST(scheduler_of(context).survey().handlers == 3u);
}

BOOST_AUTO_TEST_CASE(a_handler_sees_its_own_worker)
{
    weft::detail::context_view seen;
    asio::post(context,
        [&]
        {
            asio::post(context, [] {});
            seen = scheduler_of(context).view();
        });
    context.run();
    BOOST_TEST(seen.inside == 1u);
    BOOST_TEST_REQUIRE(!seen.workers.empty());
    BOOST_TEST((seen.workers[0].activity == worker_activity::awake));
    BOOST_TEST(seen.workers[0].ring == 1u);
    BOOST_TEST(!seen.workers[0].slot);
}

BOOST_AUTO_TEST_CASE(the_next_timer_is_told)
{
    BOOST_TEST(!scheduler_of(context).view().next_timer);
    weft::steady_timer timer(context, std::chrono::hours(2));
    timer.async_wait([](boost::system::error_code) {});
    auto const view = scheduler_of(context).view();
    BOOST_TEST_REQUIRE(view.next_timer.has_value());
    BOOST_TEST((*view.next_timer <= std::chrono::hours(2)));
    BOOST_TEST(view.left.timers == 1u);
    timer.cancel();
    context.run();
}

BOOST_AUTO_TEST_SUITE_END()
