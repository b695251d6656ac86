// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/thread_view.hpp"
#include "sched/thread_holder.hpp"

#include <weft/io_context.hpp>
#include <weft/run_blocking.hpp>
#include <weft/wait/scheduler_of.hpp>

#include "support/asio.hpp"

namespace
{

using weft::detail::thread_view;

std::vector<thread_view> threads_of(weft::io_context& context)
{
    std::vector<thread_view> found;
    look_at_threads(
        static_cast<weft::detail::context_scheduler&>(*weft::detail::scheduler_of_context(context)),
        found);
    return found;
}

bool reached(weft::io_context& context, thread_view const& seen)
{
    bool self = false;
    bool const there = reach_thread(
        static_cast<weft::detail::context_scheduler&>(*weft::detail::scheduler_of_context(context)),
        seen, [&](pthread_t t) { self = pthread_equal(t, pthread_self()) != 0; });
    return there && self;
}

} // namespace

BOOST_AUTO_TEST_SUITE(thread_view_)

BOOST_AUTO_TEST_CASE(a_thread_has_its_worker_from_its_coming_to_its_going)
{
    weft::detail::thread_holder holder;
    BOOST_TEST(!holder.present);
    holder.begin();
    BOOST_TEST(holder.present);
    BOOST_TEST(pthread_equal(holder.thread, pthread_self()) != 0);
    holder.end();
    BOOST_TEST(!holder.present);
    holder.begin();
    BOOST_TEST(holder.entries == 2u);
}

BOOST_AUTO_TEST_CASE(what_the_threads_of_a_context_do)
{
    weft::io_context context;
    BOOST_TEST(threads_of(context).empty());
    std::vector<thread_view> first;
    std::vector<thread_view> blocked;
    std::vector<thread_view> back;
    std::vector<thread_view> next;
    asio::post(context,
        [&]
        {
            first = threads_of(context);
            BOOST_TEST(reached(context, first[0]));
            weft::run_blocking([&] { blocked = threads_of(context); });
            back = threads_of(context);
            BOOST_TEST(!reached(context, first[0]));
        });
    asio::post(context, [&] { next = threads_of(context); });
    context.run();

    BOOST_TEST_REQUIRE(first.size() == 1u);
    BOOST_TEST(first[0].present);
    BOOST_TEST(first[0].awake);
    BOOST_TEST(first[0].cpu.count() > 0);
    BOOST_TEST(first[0].same_handler_as(first[0]));
    BOOST_TEST(!blocked[0].present);
    BOOST_TEST(!blocked[0].awake);
    BOOST_TEST(back[0].awake);
    // Who has blocked begins anew.
    BOOST_TEST(!back[0].same_handler_as(first[0]));
    BOOST_TEST(next[0].awake);
    BOOST_TEST(!next[0].same_handler_as(back[0]));
    BOOST_TEST(!threads_of(context)[0].present);
    BOOST_TEST(!threads_of(context)[0].same_handler_as(next[0]));
    BOOST_TEST(!reached(context, next[0]));
}

BOOST_AUTO_TEST_SUITE_END()
