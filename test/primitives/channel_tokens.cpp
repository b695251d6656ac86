// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Every completion token, for sends and receives that have to wait and for those that have not.

#include <weft/channel.hpp>

#include "parity/watchdog.hpp"
#include "primitives/places.hpp"
#include "support/asio.hpp"
#include "support/owned.hpp"

#include <boost/asio/experimental/promise.hpp>
#include <boost/asio/experimental/use_promise.hpp>

#if WEFT_HAS_IMMEDIATE_EXECUTOR
#include <boost/asio/bind_immediate_executor.hpp>
#include <boost/asio/system_executor.hpp>
#endif

namespace
{

namespace asio = boost::asio;
namespace experimental = boost::asio::experimental;
using namespace experimental::awaitable_operators;
using boost::system::error_code;
using test::owned;
using value = std::unique_ptr<owned>;
using channel = weft::channel<value>;

value make(int n)
{
    return std::make_unique<owned>(n);
}

// Counts what it hands out.
template <class T>
struct counting_allocator
{
    using value_type = T;

    explicit counting_allocator(int& allocations) : count(&allocations)
    {
    }

    template <class U>
    counting_allocator(counting_allocator<U> const& other) : count(other.count)
    {
    }

    T* allocate(std::size_t n)
    {
        ++*count;
        return std::allocator<T>().allocate(n);
    }

    void deallocate(T* p, std::size_t n)
    {
        std::allocator<T>().deallocate(p, n);
    }

    friend bool operator==(counting_allocator const& a, counting_allocator const& b)
    {
        return a.count == b.count;
    }

    int* count;
};

void rethrow(std::exception_ptr e)
{
    if (e)
        std::rethrow_exception(e);
}

// With one token after the other; the sum of what has come.
asio::awaitable<int> receive_by_each_token(channel& c)
{
    int sum = *co_await c.async_receive();
    sum += *co_await c.async_receive(asio::use_awaitable);
    sum += *co_await c.async_receive(asio::deferred);
    auto [ec, v] = co_await c.async_receive(asio::as_tuple(asio::use_awaitable));
    BOOST_TEST(!ec);
    sum += *v;
    sum += *co_await c.async_receive(asio::redirect_error(asio::use_awaitable, ec));
    BOOST_TEST(!ec);
    auto operation = c.async_receive();
    sum += *co_await std::move(operation)(asio::use_awaitable);
    std::array<value, 1> buffer;
    BOOST_TEST((co_await c.async_receive_some(buffer) == 1u));
    sum += *buffer[0];
    BOOST_TEST((co_await c.async_receive_some(buffer, asio::use_awaitable) == 1u));
    sum += *buffer[0];
    sum += *co_await c.async_receive_for(std::chrono::hours(1), asio::use_awaitable);
    co_return sum;
}

asio::awaitable<void> send_by_each_token(channel& c)
{
    co_await c.async_send(make(1));
    co_await c.async_send(make(10), asio::use_awaitable);
    co_await c.async_send(make(100), asio::deferred);
    auto [ec] = co_await c.async_send(make(1000), asio::as_tuple(asio::use_awaitable));
    BOOST_TEST(!ec);
    co_await c.async_send(make(10000), asio::redirect_error(asio::use_awaitable, ec));
    BOOST_TEST(!ec);
    auto operation = c.async_send(error_code(), make(100000));
    co_await std::move(operation)(asio::use_awaitable);
    value v = make(1000000);
    co_await c.async_send_from(v);
    v = make(10000000);
    co_await c.async_send_from(v, asio::use_awaitable);
    co_await c.async_send_for(std::chrono::hours(1), make(100000000), asio::use_awaitable);
}

constexpr int all_of_them = 111111111;

} // namespace

BOOST_FIXTURE_TEST_SUITE(channel_tokens, test::all_are_destroyed)

WEFT_TEST_CASE_IN_PLACES(coroutines_await_in_every_way, test::single_places, where)
{
    // Whoever comes first waits; with room for all, only receivers may have to.
    for (std::size_t const capacity : {0u, 1u, 9u})
        for (bool const receiver_first : {false, true})
        {
            test::place place(where);
            channel c(place.executor, capacity);
            int sum = 0;
            auto const receive = [&]
            {
                asio::co_spawn(place.executor, receive_by_each_token(c),
                    [&](std::exception_ptr e, int s)
                    {
                        rethrow(e);
                        sum = s;
                    });
            };
            if (receiver_first)
                receive();
            asio::co_spawn(place.executor, send_by_each_token(c), rethrow);
            if (!receiver_first)
            {
                place.context.poll();
                place.context.restart();
                receive();
            }
            place.finish();
            BOOST_TEST(sum == all_of_them);
        }
}

WEFT_TEST_CASE_IN_PLACES(errors_are_exceptions_or_values, test::single_places, where)
{
    test::place place(where);
    channel c(place.executor);
    c.close();
    int failed = 0;
    asio::co_spawn(
        place.executor,
        [&]() -> asio::awaitable<void>
        {
            for (int i = 0; i != 4; ++i)
                try
                {
                    if (i == 0)
                        co_await c.async_send(make(1));
                    else if (i == 1)
                        co_await c.async_send(make(1), asio::use_awaitable);
                    else if (i == 2)
                        (void)co_await c.async_receive();
                    else
                        (void)co_await c.async_receive(asio::use_awaitable);
                }
                catch (boost::system::system_error const& e)
                {
                    failed += e.code() == weft::errc::closed;
                }
            auto [sent] = co_await c.async_send(make(1), asio::as_tuple(asio::deferred));
            auto [ec, v] = co_await c.async_receive(asio::as_tuple(asio::use_awaitable));
            failed += sent == weft::errc::closed;
            failed += ec == weft::errc::closed && !v;
        },
        rethrow);
    place.finish();
    BOOST_TEST(failed == 6);
}

WEFT_TEST_CASE_IN_PLACES(futures, test::single_places, where)
{
    test::place place(where);
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
}

WEFT_TEST_CASE_IN_PLACES(operations_that_start_later, test::single_places, where)
{
    test::place place(where);
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

WEFT_TEST_CASE_IN_PLACES(promises, test::single_places, where)
{
    test::place place(where);
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

WEFT_TEST_CASE_IN_PLACES(what_is_bound_to_a_handler_is_used, test::single_places, where)
{
    test::place place(where);
    weft::io_context other;
    channel c(place.executor);
    asio::cancellation_signal signal;
    int allocations = 0;
    int sum = 0;
    c.async_receive(asio::bind_executor(
        other.get_executor(), asio::bind_allocator(counting_allocator<char>(allocations),
                                  [&](error_code, value v) { sum += *v; })));
    c.async_receive(asio::bind_cancellation_slot(
        signal.slot(), [&](error_code ec, value) { sum += ec ? 100 : 1000; }));
    BOOST_TEST(allocations == 1);
    signal.emit(asio::cancellation_type::total);
    c.async_send(make(7), asio::bind_executor(other.get_executor(),
                              asio::bind_allocator(counting_allocator<char>(allocations),
                                  [&](error_code ec) { sum += ec ? 10000 : 10; })));
    place.context.poll();
    BOOST_TEST(sum == 100);
    other.run();
    BOOST_TEST(sum == 117);
    BOOST_TEST(allocations == 2);
    place.finish();
}

WEFT_TEST_CASE_IN_PLACES(groups_cancel_what_has_not_won, test::single_places, where)
{
    test::place place(where);
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

WEFT_TEST_CASE_IN_PLACES(operators_wait_for_one_or_for_all, test::single_places, where)
{
    test::place place(where);
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
        rethrow);
    place.finish();
    BOOST_TEST(sum == 1210);
}

#if WEFT_HAS_IMMEDIATE_EXECUTOR
WEFT_TEST_CASE_IN_PLACES(
    an_immediate_executor_is_where_what_completes_at_once_runs, test::single_places, where)
{
    test::place place(where);
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
