// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0
#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "parity/watchdog.hpp"

#include <boost/asio/detail/concurrency_hint.hpp>
#include <boost/asio/detail/scheduler.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>
#include <stdexcept>
#include <string>

namespace
{

namespace asio = boost::asio;

// What libraries look at to decide whether they may do without locks.
int reported_hint(asio::execution_context& context)
{
    BOOST_TEST(asio::has_service<asio::detail::scheduler>(context));
    return asio::use_service<asio::detail::scheduler>(context).concurrency_hint();
}

} // namespace

BOOST_AUTO_TEST_SUITE(hints)

BOOST_AUTO_TEST_CASE(absurd_hints_are_refused_with_their_range)
{
    for (int hint : {-7, -2, -65535, 65536, 70000, std::numeric_limits<int>::min(),
             std::numeric_limits<int>::max()})
    {
        BOOST_TEST_CONTEXT("hint " << hint)
        {
            BOOST_CHECK_EXCEPTION(weft::io_context context(hint), std::invalid_argument,
                [&](const std::invalid_argument& error)
                {
                    const std::string text = error.what();
                    return text.find("concurrency_hint") != std::string::npos &&
                           text.find(std::to_string(hint)) != std::string::npos &&
                           text.find("65535") != std::string::npos;
                });
        }
    }
}

BOOST_AUTO_TEST_CASE(usual_hints_are_accepted)
{
    for (int hint : {0, 1, 2, 64, 65535, -1, BOOST_ASIO_CONCURRENCY_HINT_SAFE,
             BOOST_ASIO_CONCURRENCY_HINT_UNSAFE, BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO})
    {
        weft::io_context context(hint);
        int calls = 0;
        asio::post(context, [&] { ++calls; });
        BOOST_TEST(context.run() == 1u);
        BOOST_TEST(calls == 1);
    }
}

// sam, for one, drops its own locks when it reads a hint of 1.
BOOST_AUTO_TEST_CASE(a_context_for_several_threads_does_not_report_a_hint_of_one)
{
    weft::io_context by_default;
    BOOST_TEST(reported_hint(by_default) != 1);
    weft::io_context by_options{weft::options()};
    BOOST_TEST(reported_hint(by_options) != 1);
    for (int hint : {0, 2, 64, -1, BOOST_ASIO_CONCURRENCY_HINT_SAFE})
    {
        weft::io_context context(hint);
        BOOST_TEST(reported_hint(context) != 1);
    }
    weft::thread_pool pool(2);
    BOOST_TEST(reported_hint(pool) != 1);
    pool.join();
}

BOOST_AUTO_TEST_CASE(the_hint_of_one_is_reported_to_those_who_ask)
{
    weft::io_context context(1);
    BOOST_TEST(reported_hint(context) == 1);
}

// A hint that tells Asio's reactor to drop its locks would be a data race under several threads.
BOOST_AUTO_TEST_CASE(no_context_reports_an_unsafe_hint)
{
    for (int hint : {BOOST_ASIO_CONCURRENCY_HINT_UNSAFE, BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO})
    {
        weft::io_context context(hint);
        const int reported = reported_hint(context);
        BOOST_TEST(BOOST_ASIO_CONCURRENCY_HINT_IS_LOCKING(SCHEDULER, reported));
        BOOST_TEST(BOOST_ASIO_CONCURRENCY_HINT_IS_LOCKING(REACTOR_REGISTRATION, reported));
        BOOST_TEST(BOOST_ASIO_CONCURRENCY_HINT_IS_LOCKING(REACTOR_IO, reported));
    }
}

BOOST_AUTO_TEST_SUITE_END()
