// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// options::on_exception of an io_context.

#include <weft/io_context.hpp>
#include <weft/run_blocking.hpp>

#include "support/cases.hpp"

namespace
{

[[noreturn]] void fail()
{
    throw std::runtime_error("failed");
}

struct collector
{
    weft::options options()
    {
        weft::options result;
        result.on_exception = [this](std::exception_ptr error)
        {
            try
            {
                std::rethrow_exception(error);
            }
            catch (const std::runtime_error&)
            {
                ++exceptions;
            }
        };
        return result;
    }

    std::atomic<int> exceptions = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(context_exceptions, collector)

BOOST_AUTO_TEST_CASE(without_it_an_exception_leaves_run)
{
    weft::io_context context;
    asio::post(context, &fail);
    asio::post(context, [] {});
    BOOST_CHECK_THROW(context.run(), std::runtime_error);
    BOOST_TEST(context.run() == 1u);
}

BOOST_AUTO_TEST_CASE(with_it_run_goes_on_and_counts_the_handlers)
{
    weft::io_context context(options());
    int calls = 0;
    for (int i = 0; i != 300; ++i)
        asio::post(context,
            [&, i]
            {
                ++calls;
                if (i % 3 == 0)
                    fail();
            });
    BOOST_TEST(context.run() == 300u);
    BOOST_TEST(calls == 300);
    BOOST_TEST(exceptions == 100);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(with_it_all_calls_like_run_go_on)
{
    weft::io_context context(options());
    const auto post = [&]
    {
        context.restart();
        asio::post(context, &fail);
        asio::post(context, [] {});
    };
    post();
    BOOST_TEST(context.run_one() == 1u);
    BOOST_TEST(context.poll_one() == 1u);
    post();
    BOOST_TEST(context.poll() == 2u);
    post();
    BOOST_TEST(context.run_for(std::chrono::hours(1)) == 2u);
    BOOST_TEST(exceptions == 3);
}

BOOST_AUTO_TEST_CASE(with_it_exceptions_of_timers_dispatches_coroutines_and_strands_are_handed_over)
{
    weft::io_context context(options());
    asio::steady_timer timer(context, std::chrono::seconds(0));
    timer.async_wait([](error_code) { fail(); });
    asio::post(context, [&] { asio::dispatch(context, &fail); });
    asio::co_spawn(
        context,
        []() -> asio::awaitable<void>
        {
            fail();
            co_return;
        },
        [](std::exception_ptr error) { std::rethrow_exception(error); });
    asio::post(asio::make_strand(context), &fail);
    context.run();
    BOOST_TEST(exceptions == 4);
}

BOOST_AUTO_TEST_CASE(with_it_exceptions_of_an_inner_call_are_handed_over_there)
{
    weft::io_context context(options());
    bool after = false;
    asio::post(context,
        [&]
        {
            asio::post(context, &fail);
            BOOST_TEST(context.poll() == 1u);
            BOOST_TEST(exceptions == 1);
            after = true;
            weft::run_blocking([] {});
            fail();
        });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(after);
    BOOST_TEST(exceptions == 2);
}

BOOST_AUTO_TEST_CASE(it_may_post_and_stop)
{
    weft::io_context* target = nullptr;
    int retried = 0;
    weft::options opts;
    opts.on_exception = [&](std::exception_ptr)
    {
        asio::post(*target,
            [&]
            {
                if (++retried == 3)
                    target->stop();
                else
                    fail();
            });
    };
    weft::io_context context(opts);
    target = &context;
    const auto guard = asio::make_work_guard(context);
    asio::post(context, &fail);
    context.run();
    BOOST_TEST(retried == 3);
}

BOOST_AUTO_TEST_CASE(many_threads_hand_over_every_exception)
{
    weft::io_context context(options());
    for (int i = 0; i != 3000; ++i)
        asio::post(context, &fail);
    test::thread_group runners(3, [&] { context.run(); });
    runners.join();
    BOOST_TEST(exceptions == 3000);
}

BOOST_AUTO_TEST_SUITE_END()
