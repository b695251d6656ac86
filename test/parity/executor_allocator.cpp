// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"
#include "support/booked_allocator.hpp"

namespace
{

namespace execution = boost::asio::execution;

struct fixture
{
    test::book book;
    test::booked_allocator<> allocator{book};
    int calls = 0;

    auto counting()
    {
        return [this]
        {
            ++calls;
        };
    }

    ~fixture()
    {
        BOOST_TEST(book.allocations == book.deallocations);
        BOOST_TEST(book.bytes == 0u);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(executor_allocator, fixture)

BOOST_AUTO_TEST_CASE(execute_uses_the_required_allocator)
{
    io_context context;
    const auto executor = asio::require(context.get_executor(), execution::allocator(allocator));
    executor.execute(counting());
    BOOST_TEST(book.allocations == 1);
    asio::require(executor, execution::blocking.never).execute(counting());
    BOOST_TEST(book.allocations == 2);
    asio::require(executor, execution::outstanding_work.tracked).execute(counting());
    BOOST_TEST(book.allocations == 3);
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(the_memory_is_given_back_before_the_function_is_called)
{
    io_context context;
    const auto executor = asio::require(context.get_executor(), execution::allocator(allocator));
    executor.execute([&] { BOOST_TEST(book.deallocations == 1); });
    BOOST_TEST(book.deallocations == 0);
    context.run();
}

BOOST_AUTO_TEST_CASE(an_inline_execute_allocates_nothing)
{
    io_context context;
    const auto executor = asio::require(context.get_executor(), execution::allocator(allocator));
    asio::post(context, [&] { executor.execute(counting()); });
    context.run();
    BOOST_TEST(calls == 1);
    BOOST_TEST(book.allocations == 0);
}

BOOST_AUTO_TEST_CASE(dropping_the_allocator_goes_back_to_the_default)
{
    io_context context;
    const auto executor = asio::require(context.get_executor(), execution::allocator(allocator));
    asio::require(executor, execution::allocator).execute(counting());
    context.run();
    BOOST_TEST(book.allocations == 0);
}

BOOST_AUTO_TEST_CASE(the_ts_members_use_the_allocator_they_are_given)
{
    io_context context;
    const auto executor = context.get_executor();
    executor.post(counting(), allocator);
    executor.defer(counting(), allocator);
    executor.dispatch(counting(), allocator);
    BOOST_TEST(book.allocations == 3);
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(the_allocator_associated_with_a_handler_is_used_for_submissions)
{
    io_context context;
    asio::post(context, asio::bind_allocator(allocator, counting()));
    asio::defer(context, asio::bind_allocator(allocator, counting()));
    asio::dispatch(context, asio::bind_allocator(allocator, counting()));
    BOOST_TEST(book.allocations >= 3);
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(the_allocator_associated_with_a_handler_is_used_for_operations)
{
    io_context context;
    asio::steady_timer timer(context, std::chrono::seconds(0));
    timer.async_wait(asio::bind_allocator(allocator, [&](error_code) { ++calls; }));
    BOOST_TEST(book.allocations >= 1);
    auto [near, far] = test::local_pair(context);
    std::array<char, 4> buffer{};
    const int before = book.allocations;
    near.async_read_some(asio::buffer(buffer),
        asio::bind_allocator(allocator, [&](error_code, std::size_t) { ++calls; }));
    BOOST_TEST(book.allocations > before);
    asio::write(far, asio::buffer("abcd", 4));
    context.run();
    BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(the_allocator_gets_its_memory_back_when_handlers_never_run)
{
    io_context context;
    const auto executor = asio::require(context.get_executor(), execution::allocator(allocator));
    for (int i = 0; i != 100; ++i)
        executor.execute(counting());
    asio::post(context, asio::bind_allocator(allocator, counting()));
    asio::steady_timer timer(context, std::chrono::hours(1));
    timer.async_wait(asio::bind_allocator(allocator, [](error_code) {}));
    BOOST_TEST(book.bytes > 0u);
}

BOOST_AUTO_TEST_CASE(an_allocator_that_throws_is_reported_and_leaves_no_work)
{
    io_context context;
    const auto executor = asio::require(context.get_executor(), execution::allocator(allocator));
    book.refuse = true;
    BOOST_CHECK_THROW(executor.execute(counting()), std::bad_alloc);
    BOOST_CHECK_THROW(context.get_executor().post(counting(), allocator), std::bad_alloc);
    BOOST_CHECK_THROW(
        asio::post(context, asio::bind_allocator(allocator, counting())), std::bad_alloc);
    BOOST_TEST(context.run() == 0u);
    BOOST_TEST(calls == 0);
}

BOOST_AUTO_TEST_SUITE_END()
