// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Every completion token, for sends and receives that have to wait and for those that have not.

#include <weft/channel.hpp>

#include "primitives/channel_operations.hpp"
#include "primitives/places.hpp"
#include "primitives/token_matrix.hpp"
#include "support/booked_allocator.hpp"
#include "support/owned.hpp"

#include <boost/asio/experimental/promise.hpp>
#include <boost/asio/experimental/use_promise.hpp>

template <>
constexpr bool test::completes_early<test::channel_operations::send_for<1>> = false;
template <>
constexpr bool test::completes_early<test::channel_operations::receive_for<1>> = false;

BOOST_FIXTURE_TEST_SUITE(channel_tokens, test::all_are_destroyed)

namespace
{

namespace experimental = boost::asio::experimental;
using namespace experimental::awaitable_operators;
using test::owned;
using value = std::unique_ptr<owned>;
using channel = weft::channel<value>;

value make(int n)
{
    return std::make_unique<owned>(n);
}

// Counts what it hands out.
using awaited_operations =
    std::tuple<test::channel_operations::send<0>, test::channel_operations::send<1>,
        test::channel_operations::send_from<1>, test::channel_operations::send_for<1>,
        test::channel_operations::receive<0>, test::channel_operations::receive<1>,
        test::channel_operations::receive_for<1>, test::channel_operations::receive_some<1>,
        test::channel_operations::wait_receive, test::channel_operations::wait_send>;

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(coroutines_await_in_every_way, Operation, awaited_operations)
{
    for (test::where const w : test::single_places)
        BOOST_TEST_CONTEXT(w)
    test::await_in_every_way<Operation>(w);
}

WEFT_TEST_CASE_IN_PLACES(futures, test::single_places)
{
    channel c(place.executor, 1);
    std::future<value> received = c.async_receive(asio::use_future);
    std::future<void> sent = c.async_send(make(7), asio::use_future);
    std::future<void> more = c.async_send(make(8), asio::use_future);
    std::future<void> waits = c.async_send(make(9), asio::use_future);
    place.context.poll();
    BOOST_TEST(*received.get() == 7);
    sent.get();
    more.get();
    BOOST_TEST((waits.wait_for(std::chrono::seconds(0)) == std::future_status::timeout));
    c.cancel();
    place.finish();
    BOOST_CHECK_THROW(waits.get(), boost::system::system_error);
    BOOST_TEST(**c.try_receive() == 8);
    await_futures();
}

WEFT_TEST_CASE_IN_PLACES(operations_that_start_later, test::single_places)
{
    channel c(place.executor, 2);
    int sum = 0;
    {
        auto send = c.async_send(make(1));
        auto deferred_send = c.async_send(make(10), asio::deferred);
        auto receive = c.async_receive();
        auto const deferred_receive = c.async_receive(asio::deferred);
        place.finish();
        BOOST_TEST(c.size() == 0u);
        std::move(send)([&](error_code ec) { sum += ec ? 10000 : 100; });
        std::move(deferred_send)([&](error_code ec) { sum += ec ? 10000 : 100; });
        auto const add = [&](error_code, value v)
        {
            sum += *v;
        };
        // These have nothing that is used up.
        receive(add);
        deferred_receive(add);
    }
    place.finish();
    BOOST_TEST(sum == 211);
}

WEFT_TEST_CASE_IN_PLACES(promises, test::single_places)
{
    channel c(place.executor);
    auto received = c.async_receive(experimental::use_promise);
    auto sent = c.async_send(make(7), experimental::use_promise);
    place.finish();
    int sum = 0;
    std::move(received)([&](error_code ec, value v) { sum += ec ? 100 : int(*v); });
    std::move(sent)([&](error_code ec) { sum += ec ? 100 : 10; });
    place.finish();
    BOOST_TEST(sum == 17);
}

WEFT_TEST_CASE_IN_PLACES(what_is_bound_to_a_handler_is_used, test::single_places)
{
    weft::io_context other;
    channel c(place.executor);
    asio::cancellation_signal signal;
    test::book book;
    int sum = 0;
    c.async_receive(asio::bind_executor(
        other.get_executor(), asio::bind_allocator(test::booked_allocator<char>(book),
                                  [&](error_code, value v) { sum += *v; })));
    c.async_receive(asio::bind_cancellation_slot(
        signal.slot(), [&](error_code ec, value) { sum += ec ? 100 : 1000; }));
    BOOST_TEST(book.allocations == 1);
    signal.emit(asio::cancellation_type::total);
    c.async_send(make(7), asio::bind_executor(other.get_executor(),
                              asio::bind_allocator(test::booked_allocator<char>(book),
                                  [&](error_code ec) { sum += ec ? 10000 : 10; })));
    place.context.poll();
    BOOST_TEST(sum == 100);
    other.run();
    BOOST_TEST(sum == 117);
    BOOST_TEST(book.allocations == 2);
    place.finish();
}

WEFT_TEST_CASE_IN_PLACES(groups_cancel_what_has_not_won, test::single_places)
{
    channel full(place.executor, 1);
    channel empty(place.executor, 1);
    BOOST_TEST(full.try_send(make(1)));
    int done = 0;
    for (bool const receive_wins : {false, true})
    {
        experimental::make_parallel_group(
            full.async_send(make(2), asio::deferred), empty.async_receive(asio::deferred))
            .async_wait(experimental::wait_for_one(),
                [&](std::array<std::size_t, 2> order, error_code sent, error_code ec, value v)
                {
                    BOOST_TEST(order[0] == (receive_wins ? 1u : 0u));
                    BOOST_TEST((receive_wins ? sent : ec) == asio::error::operation_aborted);
                    BOOST_TEST(!(receive_wins ? ec : sent));
                    BOOST_TEST(!v != receive_wins);
                    ++done;
                });
        place.context.restart();
        place.context.poll();
        if (receive_wins)
            BOOST_TEST(empty.try_send(make(3)));
        else
            BOOST_TEST(**full.try_receive() == 1);
        place.finish();
    }
    BOOST_TEST(done == 2);
    BOOST_TEST(**full.try_receive() == 2);
    BOOST_TEST(!full.ready());
    BOOST_TEST(!empty.ready());
}

WEFT_TEST_CASE_IN_PLACES(operators_wait_for_one_or_for_all, test::single_places)
{
    channel c(place.executor, 1);
    channel d(place.executor, 1);
    int sum = 0;
    asio::co_spawn(
        place.executor,
        [&]() -> asio::awaitable<void>
        {
            // What takes nothing can lose a race without losing a value.
            for (int i = 0; i != 10; ++i)
            {
                BOOST_TEST(c.try_send(make(1)));
                BOOST_TEST(d.try_send(make(10)));
                co_await (c.async_wait_receive(asio::use_awaitable) ||
                          d.async_wait_receive(asio::use_awaitable));
                for (channel* const each : {&c, &d})
                    while (auto v = each->try_receive())
                        sum += **v;
            }
            co_await (c.async_send(make(100), asio::use_awaitable) &&
                      d.async_send(make(1000), asio::use_awaitable));
            auto [a, b] = co_await (
                c.async_receive(asio::use_awaitable) && d.async_receive(asio::use_awaitable));
            sum += *a + *b;
            asio::steady_timer timer(place.executor, std::chrono::seconds(0));
            auto const winner = co_await (
                c.async_receive(asio::use_awaitable) || timer.async_wait(asio::use_awaitable));
            BOOST_TEST(winner.index() == 1u);
        },
        test::rethrow);
    place.finish();
    BOOST_TEST(sum == 1210);
}

#if WEFT_HAS_IMMEDIATE_EXECUTOR
WEFT_TEST_CASE_IN_PLACES(
    an_immediate_executor_is_where_what_completes_at_once_runs, test::single_places)
{
    channel c(place.executor, 1);
    int sum = 0;
    auto const here = [](auto handler)
    {
        return asio::bind_immediate_executor(asio::system_executor(), std::move(handler));
    };
    c.async_send(make(1), here([&](error_code ec) { sum += ec ? 1000 : 10; }));
    BOOST_TEST(sum == 10);
    c.async_receive(here([&](error_code, value v) { sum += *v; }));
    BOOST_TEST(sum == 11);
    // One that has to wait is none that completes at once.
    c.async_receive(here([&](error_code, value v) { sum += *v; }));
    c.async_send(make(100), here([&](error_code ec) { sum += ec ? 1000 : 10; }));
    BOOST_TEST(sum == 21);
    place.finish();
    BOOST_TEST(sum == 121);
    c.close();
    c.async_receive(here([&](error_code ec, value) { sum += ec ? 1000 : 0; }));
    BOOST_TEST(sum == 1121);
    place.finish();
}
#endif

BOOST_AUTO_TEST_CASE(executors_with_a_default_token_use_it)
{
    weft::io_context context;
    using token = asio::use_awaitable_t<weft::io_context::executor_type>;
    using executor = token::executor_with_default<weft::io_context::executor_type>;
    weft::basic_channel<executor, void(error_code, owned)> c(executor(context.get_executor()), 1);
    int got = 0;
    asio::co_spawn(
        context.get_executor(),
        [&]() -> asio::awaitable<void, weft::io_context::executor_type>
        {
            asio::awaitable<void, weft::io_context::executor_type> send = c.async_send(7);
            co_await std::move(send);
            asio::awaitable<owned, weft::io_context::executor_type> receive = c.async_receive();
            got = co_await std::move(receive);
        },
        asio::detached);
    context.run();
    BOOST_TEST(got == 7);
}

BOOST_AUTO_TEST_SUITE_END()
