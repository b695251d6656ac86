// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include "parity/echo.hpp"

namespace
{

using asio::use_future;
using asio::ip::tcp;

struct running
{
    io_context context;
    asio::executor_work_guard<io_context::executor_type> guard = asio::make_work_guard(context);
    test::thread_group runners{2, [this]
        {
            context.run();
        }};

    ~running()
    {
        guard.reset();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(futures, running)

BOOST_AUTO_TEST_CASE(a_post_can_be_waited_for)
{
    asio::post(context, use_future).get();
    BOOST_TEST(asio::post(context, use_future([] { return 42; })).get() == 42);
    BOOST_TEST(asio::dispatch(context, use_future([] { return 43; })).get() == 43);
}

BOOST_AUTO_TEST_CASE(an_exception_is_carried_by_the_future)
{
    auto future =
        asio::post(context, use_future([]() -> int { throw std::runtime_error("failed"); }));
    BOOST_CHECK_THROW(future.get(), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(io_can_be_waited_for_from_outside)
{
    auto [client, server] = test::tcp_pair(context);
    const std::string sent = test::pattern(100000, 4);
    std::string received(sent.size(), '\0');
    auto reading = asio::async_read(server, asio::buffer(received), use_future);
    auto writing = asio::async_write(client, asio::buffer(sent), use_future);
    BOOST_TEST(writing.get() == sent.size());
    BOOST_TEST(reading.get() == sent.size());
    BOOST_TEST((received == sent));
    asio::steady_timer timer(context, std::chrono::milliseconds(1));
    timer.async_wait(use_future).get();
}

BOOST_AUTO_TEST_CASE(an_error_is_thrown_by_the_future)
{
    auto [client, server] = test::tcp_pair(context);
    std::array<char, 4> buffer{};
    auto reading = asio::async_read(server, asio::buffer(buffer), use_future);
    client.shutdown(tcp::socket::shutdown_send);
    BOOST_CHECK_EXCEPTION(reading.get(), boost::system::system_error,
        [](const auto& error) { return error.code() == asio::error::eof; });
}

BOOST_AUTO_TEST_CASE(a_coroutine_can_be_waited_for)
{
    auto future = asio::co_spawn(
        context,
        [&]() -> asio::awaitable<int>
        {
            co_await asio::post(asio::use_awaitable);
            co_return 42;
        },
        use_future);
    BOOST_TEST(future.get() == 42);
    auto failing = asio::co_spawn(
        context,
        []() -> asio::awaitable<void>
        {
            throw std::runtime_error("failed");
            co_return;
        },
        use_future);
    BOOST_CHECK_THROW(failing.get(), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_packaged_task_can_be_posted)
{
    BOOST_TEST(asio::post(context, std::packaged_task<int()>([] { return 43; })).get() == 43);
}

BOOST_AUTO_TEST_CASE(many_foreign_threads_wait_at_the_same_time)
{
    std::atomic<int> total = 0;
    {
        test::thread_group callers(4,
            [&]
            {
                for (int i = 0; i != 500; ++i)
                    total += asio::post(context, use_future([] { return 1; })).get();
            });
    }
    BOOST_TEST(total == 2000);
}

BOOST_AUTO_TEST_CASE(a_future_of_a_strand_is_fulfilled_in_order)
{
    auto strand = asio::make_strand(context);
    int counter = 0;
    std::vector<std::future<int>> values;
    for (int i = 0; i != 1000; ++i)
        values.push_back(asio::post(strand, use_future([&] { return counter++; })));
    for (int i = 0; i != 1000; ++i)
        BOOST_TEST_REQUIRE(values[static_cast<std::size_t>(i)].get() == i);
}

BOOST_AUTO_TEST_CASE(a_handler_that_is_never_run_breaks_its_promise)
{
    auto forgotten = std::make_unique<io_context>();
    auto future = asio::post(*forgotten, use_future([] { return 42; }));
    forgotten.reset();
    BOOST_CHECK_THROW(future.get(), std::future_error);
}

BOOST_AUTO_TEST_CASE(a_pool_handler_can_wait_for_another_context)
{
    thread_pool pool(2);
    auto future = asio::post(
        pool, use_future([&] { return asio::post(context, use_future([] { return 42; })).get(); }));
    BOOST_TEST(future.get() == 42);
    pool.join();
}

BOOST_AUTO_TEST_SUITE_END()
