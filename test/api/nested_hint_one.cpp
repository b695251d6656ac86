// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0
// What Asio's io_context gets wrong with a hint of 1, and a replacement should not: it loses count
// of the work that a nested poll() runs, and a nested run_one() waits for what lies in front of it.

#include <weft/io_context.hpp>

#include "support/cases.hpp"

BOOST_AUTO_TEST_SUITE(nested_hint_one)

BOOST_AUTO_TEST_CASE(a_nested_poll_runs_everything_the_handler_posted)
{
    weft::io_context context(1);
    int calls = 0;
    asio::post(context,
        [&]
        {
            for (int i = 0; i != 10; ++i)
                asio::post(context, [&] { ++calls; });
            asio::defer(context, [&] { ++calls; });
            BOOST_TEST(context.poll() == 11u);
            BOOST_TEST(calls == 11);
            BOOST_TEST(!context.stopped());
        });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(a_nested_poll_one_and_run_one_run_one_each)
{
    weft::io_context context(1);
    int calls = 0;
    asio::post(context,
        [&]
        {
            for (int i = 0; i != 3; ++i)
                asio::post(context, [&] { ++calls; });
            BOOST_TEST(context.poll_one() == 1u);
            BOOST_TEST(calls == 1);
            BOOST_TEST(context.run_one() == 1u);
            BOOST_TEST(calls == 2);
            BOOST_TEST(!context.stopped());
        });
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST(calls == 3);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_SUITE_END()
