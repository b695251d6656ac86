// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "support/booked_allocator.hpp"
#include "support/cases.hpp"
#include "support/reported_hint.hpp"

#include <limits>

using test::reported_hint;

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

// Who promises to use one thread gets an Asio without locks, here as there.
BOOST_AUTO_TEST_CASE(unsafe_hints_mean_what_they_mean_to_asio)
{
    for (int hint : {BOOST_ASIO_CONCURRENCY_HINT_UNSAFE, BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO})
    {
        weft::io_context context(hint);
        asio::io_context model(hint);
        BOOST_TEST(reported_hint(context) == reported_hint(model));

        asio::steady_timer timer(context, std::chrono::milliseconds(1));
        int calls = 0;
        timer.async_wait([&](boost::system::error_code) { ++calls; });
        asio::post(context, [&] { ++calls; });
        BOOST_TEST(test::ran(context.run(), 2));
        BOOST_TEST(calls == 2);
    }
}

#if WEFT_HAS_SERVICE_MAKER
BOOST_AUTO_TEST_CASE(a_configuration_can_be_read_by_everybody_and_holds)
{
    weft::io_context context(asio::config_from_string("scheduler.concurrency_hint=4\n"
                                                      "reactor.use_timerfd=0\n"));
    BOOST_TEST(reported_hint(context) == 4);
    BOOST_TEST(asio::config(context).get("reactor", "use_timerfd", true) == false);
    int calls = 0;
    asio::steady_timer timer(context, std::chrono::milliseconds(1));
    timer.async_wait([&](boost::system::error_code) { ++calls; });
    BOOST_TEST(test::ran(context.run(), 1));
    BOOST_TEST(calls == 1);

    weft::thread_pool pool(2, asio::config_from_string("scheduler.concurrency_hint=2\n"));
    BOOST_TEST(reported_hint(pool) == 2);
    asio::post(pool, [&] { ++calls; });
    pool.join();
    BOOST_TEST(calls == 2);
}
#endif

#if WEFT_HAS_CONTEXT_ALLOCATOR
BOOST_AUTO_TEST_CASE(services_come_from_the_contexts_allocator)
{
    test::book book;
    const test::booked_allocator<void*> a(book);
    int calls = 0;
    const auto use = [&](auto& context)
    {
        BOOST_TEST(book.alive() > 0);
        asio::post(context, [&] { ++calls; });
    };
    {
        weft::io_context plain(std::allocator_arg, a);
        use(plain);
        BOOST_TEST(plain.run() == 1u);
        weft::io_context hinted(std::allocator_arg, a, 1);
        use(hinted);
        BOOST_TEST(reported_hint(hinted) == 1);
        BOOST_TEST(hinted.run() == 1u);
        weft::io_context configured(
            std::allocator_arg, a, asio::config_from_string("scheduler.concurrency_hint=3"));
        use(configured);
        BOOST_TEST(reported_hint(configured) == 3);
        BOOST_TEST(configured.run() == 1u);
    }
    BOOST_TEST(book.alive() == 0);
    BOOST_CHECK_THROW(weft::io_context(std::allocator_arg, a, -5), std::invalid_argument);
    BOOST_TEST(book.alive() == 0);
    {
        weft::thread_pool plain(std::allocator_arg, a);
        use(plain);
        plain.join();
        weft::thread_pool sized(std::allocator_arg, a, 1);
        use(sized);
        sized.join();
        weft::thread_pool configured(
            std::allocator_arg, a, 1, asio::config_from_string("scheduler.concurrency_hint=3"));
        use(configured);
        configured.join();
    }
    BOOST_TEST(calls == 6);
    BOOST_TEST(book.alive() == 0);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
