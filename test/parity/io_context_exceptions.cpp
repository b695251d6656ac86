// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

namespace
{

using stream = asio::local::stream_protocol;

struct failure : std::runtime_error
{
    failure() : std::runtime_error("failure")
    {
    }
};

[[noreturn]] void fail()
{
    throw failure();
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(io_context_exceptions, test::with_context)

BOOST_FIXTURE_TEST_CASE(
    an_exception_leaves_every_run_function_with_its_type, test::context_of_its_own)
{
    const std::function<void(io_context&)> runs[] = {
        [](io_context& c) { c.run(); },
        [](io_context& c) { c.run_one(); },
        [](io_context& c) { c.poll(); },
        [](io_context& c) { c.poll_one(); },
        [](io_context& c) { c.run_for(std::chrono::hours(1)); },
        [](io_context& c) { c.run_one_for(std::chrono::hours(1)); },
    };
    for (const auto& run : runs)
    {
        for (int hint : {1, 2})
        {
            io_context context(hint);
            int calls = 0;
            asio::post(context, &fail);
            asio::post(context, [&] { ++calls; });
            BOOST_CHECK_THROW(run(context), failure);
            BOOST_TEST(!context.stopped());
            BOOST_TEST(calls == 0);
            BOOST_TEST(context.run() == 1u);
            BOOST_TEST(calls == 1);
        }
    }
}

BOOST_AUTO_TEST_CASE(exceptions_that_are_no_std_exception_pass_too)
{
    asio::post(context, [] { throw 42; });
    BOOST_CHECK_EXCEPTION(context.run(), int, [](int value) { return value == 42; });
}

BOOST_AUTO_TEST_CASE(a_handler_that_throws_has_finished_its_work)
{
    asio::post(context, &fail);
    BOOST_CHECK_THROW(context.run(), failure);
    BOOST_TEST(context.stopped());
    BOOST_TEST(context.run() == 0u);
}

WEFT_TEST_CASE_WITH_HINTS(run_continues_without_restart_after_an_exception)
{
    std::vector<int> order;
    for (int i = 0; i != 100; ++i)
        asio::post(context,
            [&, i]
            {
                order.push_back(i);
                fail();
            });
    int caught = 0;
    while (!context.stopped())
    {
        try
        {
            BOOST_TEST(context.run() == 0u);
        }
        catch (const failure&)
        {
            ++caught;
        }
    }
    BOOST_TEST(caught == 100);
    BOOST_TEST(order.size() == 100u);
    BOOST_TEST(std::is_sorted(order.begin(), order.end()));
}

WEFT_TEST_CASE_WITH_HINTS(what_a_handler_posted_before_it_threw_is_run)
{
    std::vector<int> order;
    asio::post(context,
        [&]
        {
            asio::post(context, [&] { order.push_back(1); });
            asio::post(context, [&] { order.push_back(2); });
            fail();
        });
    asio::post(context, [&] { order.push_back(0); });
    BOOST_CHECK_THROW(context.run(), failure);
    BOOST_TEST(order.empty());
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST(order == (std::vector<int>{0, 1, 2}), boost::test_tools::per_element());
}

WEFT_TEST_CASE_WITH_HINTS(what_a_handler_deferred_before_it_threw_is_run)
{
    int calls = 0;
    asio::post(context,
        [&]
        {
            for (int i = 0; i != 10; ++i)
                asio::defer(context, [&] { ++calls; });
            fail();
        });
    BOOST_CHECK_THROW(context.run(), failure);
    BOOST_TEST(calls == 0);
    BOOST_TEST(context.run() == 10u);
    BOOST_TEST(calls == 10);
}

// execute() promises not to throw what the function throws: it is kept until the handler is done.
WEFT_TEST_CASE_WITH_HINTS(an_exception_of_an_inline_dispatch_leaves_run_after_the_outer_handler)
{
    bool outer_finished = false;
    int calls = 0;
    asio::post(context,
        [&]
        {
            BOOST_CHECK_NO_THROW(asio::dispatch(context, &fail));
            outer_finished = true;
        });
    asio::post(context, [&] { ++calls; });
    BOOST_CHECK_THROW(context.run(), failure);
    BOOST_TEST(outer_finished);
    BOOST_TEST(calls == 0);
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(calls == 1);
}

BOOST_FIXTURE_TEST_CASE(several_inline_exceptions_become_multiple_exceptions_holding_the_first,
    test::context_of_its_own)
{
    for (int thrown : {2, 3, 4})
    {
        io_context context;
        asio::post(context,
            [&]
            {
                asio::dispatch(context, &fail);
                for (int i = 1; i != thrown; ++i)
                    asio::dispatch(context, [] { throw 42; });
            });
        try
        {
            context.run();
            BOOST_ERROR("run() did not throw");
        }
        catch (const asio::multiple_exceptions& exceptions)
        {
            BOOST_CHECK_THROW(std::rethrow_exception(exceptions.first_exception()), failure);
        }
        BOOST_TEST(context.run() == 0u);
    }
}

BOOST_AUTO_TEST_CASE(an_inline_dispatch_of_the_ts_executor_throws_into_the_outer_handler)
{
    bool caught = false;
    asio::post(context,
        [&]
        {
            try
            {
                context.get_executor().dispatch(&fail, std::allocator<void>());
            }
            catch (const failure&)
            {
                caught = true;
            }
        });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(caught);
}

BOOST_AUTO_TEST_CASE(an_exception_of_a_timer_handler_leaves_run)
{
    asio::steady_timer first(context, std::chrono::seconds(0));
    asio::steady_timer second(context, std::chrono::milliseconds(1));
    bool fired = false;
    first.async_wait([](error_code) { fail(); });
    second.async_wait([&](error_code) { fired = true; });
    BOOST_CHECK_THROW(context.run(), failure);
    BOOST_TEST(!context.stopped());
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(fired);
}

BOOST_AUTO_TEST_CASE(an_exception_of_a_socket_handler_leaves_run_and_the_socket_stays_usable)
{
    auto [near, far] = test::local_pair(context);
    std::array<char, 4> buffer{};
    for (int round = 0; round != 10; ++round)
    {
        near.async_read_some(asio::buffer(buffer), [](error_code, std::size_t) { fail(); });
        asio::write(far, asio::buffer("abcd", 4));
        BOOST_CHECK_THROW(context.run(), failure);
        BOOST_TEST(context.stopped());
        context.restart();
    }
}

BOOST_AUTO_TEST_CASE(one_of_two_events_of_a_socket_survives_the_exception_of_the_other)
{
    auto [near, far] = test::local_pair(context);
    std::array<char, 4> buffer{};
    int calls = 0;
    near.async_wait(stream::socket::wait_read,
        [&](error_code)
        {
            ++calls;
            fail();
        });
    near.async_read_some(asio::buffer(buffer),
        [&](error_code, std::size_t)
        {
            ++calls;
            fail();
        });
    near.async_wait(stream::socket::wait_write,
        [&](error_code)
        {
            ++calls;
            fail();
        });
    asio::write(far, asio::buffer("abcd", 4));
    int caught = 0;
    while (!context.stopped())
    {
        try
        {
            context.run();
        }
        catch (const failure&)
        {
            ++caught;
        }
    }
    BOOST_TEST(calls == 3);
    BOOST_TEST(caught == 3);
}

BOOST_AUTO_TEST_CASE(a_strand_goes_on_after_an_exception_of_one_of_its_handlers)
{
    auto strand = asio::make_strand(context);
    int calls = 0;
    asio::post(strand, [&] { ++calls; });
    asio::post(strand, &fail);
    asio::post(strand, [&] { ++calls; });
    asio::post(strand, [&] { ++calls; });
    BOOST_CHECK_THROW(context.run(), failure);
    BOOST_TEST(calls == 1);
    context.run();
    BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(an_exception_a_coroutine_handler_rethrows_leaves_run)
{
    asio::co_spawn(
        context,
        []() -> asio::awaitable<void>
        {
            fail();
            co_return;
        },
        [](std::exception_ptr error) { std::rethrow_exception(error); });
    BOOST_CHECK_THROW(context.run(), failure);
    BOOST_TEST(context.run() == 0u);
}

BOOST_FIXTURE_TEST_CASE(exceptions_on_several_threads_lose_no_handler, test::context_of_its_own)
{
    for (std::size_t threads : {2u, 4u})
    {
        constexpr int count = 2000;
        io_context context;
        std::vector<std::atomic<int>> calls(count);
        std::atomic<int> caught = 0;
        std::atomic<std::size_t> returned = 0;
        for (int i = 0; i != count; ++i)
            asio::post(context,
                [&, i]
                {
                    ++calls[static_cast<std::size_t>(i)];
                    if (i % 3 == 0)
                        asio::post(context, &fail);
                    if (i % 2 == 0)
                        fail();
                });
        {
            test::thread_group runners(threads,
                [&]
                {
                    while (!context.stopped())
                    {
                        try
                        {
                            returned += context.run();
                        }
                        catch (const failure&)
                        {
                            ++caught;
                        }
                    }
                });
        }
        BOOST_TEST(std::all_of(calls.begin(), calls.end(), [](const auto& n) { return n == 1; }));
        BOOST_TEST(caught == count / 2 + (count + 2) / 3);
        BOOST_TEST(returned <= static_cast<std::size_t>(count / 2));
    }
}

BOOST_AUTO_TEST_CASE(an_exception_on_one_thread_leaves_the_others_running)
{
    auto guard = asio::make_work_guard(context);
    std::atomic<int> calls = 0;
    std::atomic<int> caught = 0;
    asio::post(context, &fail);
    test::thread_group runners(2,
        [&]
        {
            try
            {
                context.run();
            }
            catch (const failure&)
            {
                // This thread is gone; the other one does the rest.
                ++caught;
                for (int i = 0; i != 100; ++i)
                    asio::post(context, [&] { ++calls; });
                asio::post(context, [&] { guard.reset(); });
            }
        });
    runners.join();
    BOOST_TEST(caught == 1);
    BOOST_TEST(calls == 100);
}

BOOST_FIXTURE_TEST_CASE(
    a_handler_whose_copy_throws_is_reported_to_the_poster, test::context_of_its_own)
{
    struct throws_when_moved
    {
        bool armed = false;
        throws_when_moved() = default;
        throws_when_moved(throws_when_moved&& other) : armed(other.armed)
        {
            if (armed)
                fail();
        }
        void operator()()
        {
        }
    };
    io_context context;
    throws_when_moved handler;
    handler.armed = true;
    BOOST_CHECK_THROW(asio::post(context, std::move(handler)), failure);
    int calls = 0;
    asio::post(context, [&] { ++calls; });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(calls == 1);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_SUITE_END()
