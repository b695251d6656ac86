// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What the functions of a channel do, on every kind of executor.

#include <weft/channel.hpp>

#include "primitives/places.hpp"
#include "support/owned.hpp"

#include <boost/asio/experimental/channel_error.hpp>

#include <iterator>

BOOST_FIXTURE_TEST_SUITE(primitives_channel, test::all_are_destroyed)

namespace
{

using asio::as_tuple;
using asio::awaitable;
using asio::use_awaitable;
using test::owned;
using weft::channel;

static_assert(std::is_same<channel<int>, channel<void(error_code, int)>>::value, "");
static_assert(std::is_same<channel<void>, channel<void(error_code)>>::value, "");
static_assert(std::is_same<channel<int>::optional_type, std::optional<int>>::value, "");
static_assert(std::is_same<channel<void>::optional_type, bool>::value, "");
static_assert(
    std::is_same<channel<void(error_code, int, char)>::value_type, std::tuple<int, char>>::value,
    "");

} // namespace

BOOST_AUTO_TEST_CASE(what_does_not_wait_never_blocks)
{
    weft::io_context context;
    channel<std::string> c(context, 2);
    BOOST_TEST(c.capacity() == 2u);
    BOOST_TEST(c.is_open());
    BOOST_TEST(!c.ready());
    BOOST_TEST(!c.try_receive());
    BOOST_TEST(c.try_send("one"));
    std::string two = "two";
    BOOST_TEST(c.try_send(error_code(), two));
    BOOST_TEST(two == "two");
    std::string three = "three";
    BOOST_TEST(!c.try_send(std::move(three)));
    BOOST_TEST(three == "three");
    BOOST_TEST(c.size() == 2u);
    BOOST_TEST(c.ready());
    BOOST_TEST(c.try_receive().value() == "one");
    std::string got;
    BOOST_TEST(c.try_receive([&](error_code, std::string s) { got = s; }));
    BOOST_TEST(got == "two");
    BOOST_TEST(!c.try_receive([&](error_code, std::string) { got = "called"; }));
    BOOST_TEST(got == "two");
    error_code ec;
    BOOST_TEST(!c.try_receive(ec));
    BOOST_TEST(ec == asio::error::would_block);
    c.close();
    BOOST_TEST(!c.try_receive(ec));
    BOOST_TEST(ec == error_code(weft::errc::closed));
    BOOST_TEST(ec == asio::experimental::error::channel_closed);
    BOOST_TEST(!c.try_send("four"));
    BOOST_TEST(!c.is_open());
}

BOOST_AUTO_TEST_CASE(errors_travel_like_values)
{
    weft::io_context context;
    channel<owned> c(context, 2);
    BOOST_TEST(c.try_send(asio::error::eof, 5));
    error_code ec;
    BOOST_TEST(c.try_receive(ec).value() == 5);
    BOOST_TEST(ec == asio::error::eof);
    BOOST_TEST(c.try_send(asio::error::eof, 6));
    BOOST_CHECK_THROW(c.try_receive(), boost::system::system_error);
    BOOST_TEST(c.try_send(asio::error::eof, 7));
    BOOST_TEST(c.try_send(8));
    std::vector<std::pair<error_code, int>> got;
    for (int i = 0; i != 2; ++i)
        c.async_receive([&](error_code e, int n) { got.emplace_back(e, n); });
    context.run();
    BOOST_REQUIRE(got.size() == 2u);
    BOOST_TEST((got[0] == std::pair<error_code, int>(asio::error::eof, 7)));
    BOOST_TEST((got[1] == std::pair<error_code, int>(error_code(), 8)));
}

BOOST_AUTO_TEST_CASE(a_channel_carries_nothing_or_several_values)
{
    weft::io_context context;
    channel<void> none(context, 1);
    BOOST_TEST(none.try_send());
    BOOST_TEST(!none.try_send());
    BOOST_TEST(none.try_receive());
    BOOST_TEST(!none.try_receive());
    channel<void(error_code, owned, std::unique_ptr<owned>)> several(context, 1);
    BOOST_TEST(several.try_send(1, std::make_unique<owned>(2)));
    auto [first, second] = std::move(several.try_receive().value());
    BOOST_TEST(first == 1);
    BOOST_TEST(*second == 2);
    int sum = 0;
    none.async_receive([&](error_code ec) { sum += ec ? 0 : 1; });
    none.async_send([&](error_code ec) { sum += ec ? 0 : 10; });
    several.async_receive(
        [&](error_code, int n, std::unique_ptr<owned> p) { sum += 100 * n + 1000 * *p; });
    several.async_send(3, std::make_unique<owned>(4), asio::detached);
    context.run();
    BOOST_TEST(sum == 4311);
}

BOOST_AUTO_TEST_CASE(batches_send_what_there_is_room_for)
{
    weft::io_context context;
    channel<std::unique_ptr<owned>> c(context, 3);
    std::vector<std::unique_ptr<owned>> values;
    for (int i = 0; i != 5; ++i)
        values.push_back(std::make_unique<owned>(i));
    auto const end = c.try_send_some(
        std::make_move_iterator(values.begin()), std::make_move_iterator(values.end()));
    BOOST_TEST((end.base() - values.begin()) == 3);
    BOOST_TEST(!values[2]);
    BOOST_TEST(*values[3] == 3);
    std::array<std::unique_ptr<owned>, 2> buffer;
    std::size_t got = 0;
    c.async_receive_some(buffer, [&](error_code, std::size_t n) { got = n; });
    context.run();
    BOOST_TEST(got == 2u);
    BOOST_TEST(*buffer[1] == 1);
    BOOST_TEST(c.size() == 1u);
    std::vector<std::unique_ptr<owned>> nothing;
    BOOST_CHECK_THROW(c.async_receive_some(nothing, asio::detached), std::invalid_argument);

    channel<owned> alike(context, 3);
    BOOST_TEST(alike.try_send_n(5, 7) == 3u);
    BOOST_TEST(alike.try_receive().value() == 7);
    BOOST_TEST(alike.try_send_n_via_dispatch(5, error_code(), 8) == 1u);
    BOOST_TEST(!alike.try_send_via_dispatch(9));
    alike.reset();
    BOOST_TEST(alike.try_send_via_dispatch(9));
    BOOST_TEST(alike.try_receive().value() == 9);
    channel<owned> const& constant = alike;
    BOOST_TEST(!constant.ready());
}

BOOST_AUTO_TEST_CASE(an_error_ends_a_batch_that_is_received)
{
    weft::io_context context;
    channel<owned> c(context, 5);
    for (int i = 0; i != 2; ++i)
        BOOST_TEST(c.try_send(i));
    BOOST_TEST(c.try_send(asio::error::eof, 0));
    BOOST_TEST(c.try_send(3));
    owned buffer[5];
    std::size_t count = 0;
    error_code result;
    auto const handler = [&](error_code ec, std::size_t n)
    {
        result = ec;
        count = n;
    };
    c.async_receive_some(buffer, handler);
    context.run();
    BOOST_TEST(result == asio::error::eof);
    BOOST_TEST(count == 2u);
    BOOST_TEST(c.size() == 1u);
    context.restart();
    c.async_receive_some(buffer, handler);
    context.run();
    BOOST_TEST(!result);
    BOOST_TEST(count == 1u);
    BOOST_TEST(buffer[0] == 3);
}

BOOST_AUTO_TEST_CASE(a_wait_takes_nothing)
{
    for (std::size_t const capacity : {0u, 1u})
    {
        weft::io_context context;
        auto const work = asio::make_work_guard(context);
        channel<owned> c(context, capacity);
        int waits = 0;
        int sends = 0;
        c.async_wait_receive([&](error_code ec) { waits += ec ? 100 : 1; });
        c.async_wait_receive([&](error_code ec) { waits += ec ? 100 : 1; });
        context.poll();
        BOOST_TEST(waits == 0);
        c.async_send(5, [&](error_code ec) { sends += ec ? 100 : 1; });
        context.poll();
        BOOST_TEST(waits == 2);
        BOOST_TEST(c.ready());
        if (capacity == 1)
        {
            c.async_wait_send([&](error_code ec) { waits += ec ? 100 : 1; });
            context.poll();
            BOOST_TEST(waits == 2);
        }
        else
            ++waits;
        BOOST_TEST(c.try_receive().value() == 5);
        context.poll();
        BOOST_TEST(waits == 3);
        BOOST_TEST(sends == 1);
        error_code ended;
        c.async_wait_receive([&](error_code ec) { ended = ec; });
        c.close();
        context.poll();
        BOOST_TEST(ended == error_code(weft::errc::closed));
    }
}

BOOST_AUTO_TEST_CASE(reset_empties_and_opens)
{
    weft::io_context context;
    channel<owned> c(context, 1);
    BOOST_TEST(c.try_send(1));
    error_code result;
    c.async_send(2, [&](error_code ec) { result = ec; });
    context.poll();
    c.reset();
    context.run();
    BOOST_TEST(result == asio::error::operation_aborted);
    BOOST_TEST(c.size() == 0u);
    c.close();
    c.reset();
    BOOST_TEST(c.is_open());
    BOOST_TEST(c.try_send(3));
    BOOST_TEST(c.try_receive().value() == 3);
}

BOOST_AUTO_TEST_CASE(reset_destroys_all_values)
{
    weft::io_context context;
    channel<owned> c(context, 4);
    for (int const size : {4, 0, 2})
    {
        for (int i = 0; i != size; ++i)
            BOOST_TEST(c.try_send(i));
        long const others = test::counted::alive() - size;
        c.reset();
        BOOST_TEST(c.size() == 0u);
        BOOST_TEST(test::counted::alive() == others);
    }
}

BOOST_AUTO_TEST_CASE(the_end_destroys_all_values)
{
    weft::io_context context;
    for (std::size_t const size : {1u, 3u, 4u})
    {
        channel<owned> c(context, 4);
        // From somewhere in the middle of the ring.
        BOOST_TEST(c.try_send_n(3, 0) == 3u);
        while (c.try_receive())
        {
        }
        BOOST_TEST(c.try_send_n(size, 1) == size);
        c.async_send(2, [](error_code) {});
        context.poll();
    }
    context.restart();
    context.run();
}

BOOST_AUTO_TEST_CASE(time_limits_lose_nothing)
{
    weft::io_context context;
    channel<owned> c(context, 1);
    std::vector<error_code> results;
    c.async_receive_for(
        std::chrono::milliseconds(1), [&](error_code ec, int) { results.push_back(ec); });
    context.run();
    BOOST_REQUIRE(results.size() == 1u);
    BOOST_TEST(results[0] == asio::error::timed_out);
    context.restart();
    c.async_send_for(
        std::chrono::milliseconds(0), 1, [&](error_code ec) { results.push_back(ec); });
    c.async_send_for(
        std::chrono::milliseconds(1), 2, [&](error_code ec) { results.push_back(ec); });
    context.run();
    BOOST_REQUIRE(results.size() == 3u);
    BOOST_TEST(!results[1]);
    BOOST_TEST(results[2] == asio::error::timed_out);
    context.restart();
    int got = 0;
    c.async_receive_for(std::chrono::hours(1), [&](error_code, int n) { got += n; });
    c.async_receive_for(std::chrono::hours(1), [&](error_code, int n) { got += 10 * n; });
    context.poll();
    BOOST_TEST(c.try_send(3));
    context.run();
    BOOST_TEST(got == 31);
}

namespace
{

awaitable<void> send_numbers(channel<owned>& c, int count)
{
    for (int i = 0; i != count; ++i)
        co_await c.async_send(i);
}

awaitable<void> receive_numbers(channel<owned>& c, std::vector<int>& got)
{
    for (;;)
    {
        auto const [ec, n] = co_await c.async_receive(as_tuple(use_awaitable));
        if (ec)
            co_return;
        got.push_back(n);
    }
}

} // namespace

WEFT_TEST_CASE_FOR_PLACES(values_arrive_in_order_everywhere, test::places)
{
    for (std::size_t const capacity : {0u, 1u, 2u, 5u, 100u})
    {
        test::place place(where);
        channel<owned> c(place.executor, capacity);
        std::vector<int> got;
        asio::co_spawn(place.executor, receive_numbers(c, got), asio::detached);
        asio::co_spawn(place.executor, send_numbers(c, 300),
            [&](std::exception_ptr e)
            {
                BOOST_TEST(!e);
                c.close();
            });
        place.finish();
        BOOST_TEST(got.size() == 300u);
        for (int i = 0; i != static_cast<int>(got.size()); ++i)
            BOOST_TEST(got[static_cast<std::size_t>(i)] == i);
    }
}

WEFT_TEST_CASE_FOR_PLACES(many_to_many_lose_nothing, test::places)
{
    constexpr int each = 500;
    for (std::size_t const capacity : {0u, 1u, 3u, 64u})
    {
        test::place place(where);
        channel<std::unique_ptr<owned>> c(place.executor, capacity);
        std::atomic<int> senders{4};
        std::atomic<long> sum{0};
        for (int s = 0; s != 4; ++s)
            asio::co_spawn(
                place.executor,
                [&]() -> awaitable<void>
                {
                    for (int i = 1; i <= each; ++i)
                        co_await c.async_send(std::make_unique<owned>(i), use_awaitable);
                    if (--senders == 0)
                        c.close();
                },
                asio::detached);
        for (int r = 0; r != 4; ++r)
            asio::co_spawn(
                place.executor,
                [&]() -> awaitable<void>
                {
                    for (;;)
                    {
                        auto [ec, p] = co_await c.async_receive(as_tuple(asio::deferred));
                        if (ec)
                            co_return;
                        sum += *p;
                    }
                },
                asio::detached);
        place.finish();
        BOOST_TEST(sum == 4l * each * (each + 1) / 2);
    }
}

BOOST_AUTO_TEST_CASE(futures_and_no_token_work)
{
    weft::thread_pool pool(2);
    channel<owned> c(pool, 0);
    std::future<owned> received = c.async_receive(asio::use_future);
    std::future<void> sent = c.async_send(7, asio::use_future);
    sent.get();
    BOOST_TEST(received.get() == 7);
    std::promise<int> result;
    c.async_receive()([&](error_code, int n) { result.set_value(n); });
    c.async_send(8)(asio::detached);
    BOOST_TEST(result.get_future().get() == 8);
    await_futures();
}

BOOST_AUTO_TEST_CASE(pending_operations_are_destroyed_with_the_context)
{
    auto const token = std::make_shared<owned>(0);
    {
        weft::io_context context;
        channel<std::shared_ptr<owned>> empty(context);
        channel<std::shared_ptr<owned>> full(context, 1);
        full.async_send(token, [](error_code) {});
        full.async_send(token, [token](error_code) {});
        empty.async_receive([token](error_code, std::shared_ptr<owned>) {});
        empty.async_wait_receive([token](error_code) {});
    }
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(pending_operations_are_aborted_with_the_channel)
{
    weft::io_context context;
    int aborted = 0;
    {
        channel<owned> c(context);
        c.async_receive(
            [&](error_code ec, int) { aborted += ec == asio::error::operation_aborted; });
        context.poll();
    }
    context.run();
    BOOST_TEST(aborted == 1);
}

BOOST_AUTO_TEST_SUITE_END()
