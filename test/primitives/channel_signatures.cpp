// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The signatures that Asio's channels may have: an error code first, an exception first, or
// neither; and values of an alignment of their own.

#include <weft/channel.hpp>

#include "primitives/places.hpp"
#include "support/owned.hpp"

BOOST_FIXTURE_TEST_SUITE(channel_signatures, test::all_are_destroyed)

namespace
{

using test::owned;
using weft::channel;

static_assert(std::is_same<channel<void(int)>::value_type, int>::value, "");
static_assert(std::is_same<channel<void()>::optional_type, bool>::value, "");
static_assert(std::is_same<channel<void(std::exception_ptr, int, char)>::value_type,
                  std::tuple<int, char>>::value,
    "");

// What an exception says.
std::string text_of(std::exception_ptr e)
{
    try
    {
        if (e)
            std::rethrow_exception(e);
        return "nothing";
    }
    catch (boost::system::system_error const& error)
    {
        if (error.code() == weft::errc::closed)
            return "closed";
        return error.code() == asio::error::operation_aborted ? "aborted" : "another code";
    }
    catch (std::exception const& error)
    {
        return error.what();
    }
}

std::exception_ptr failure(char const* what)
{
    return std::make_exception_ptr(std::runtime_error(what));
}

// A handler for a channel whose signature has no error.
template <class Values, class Error>
struct either : Values, Error
{
    using Values::operator();
    using Error::operator();
};

template <class Values, class Error>
either(Values, Error) -> either<Values, Error>;

} // namespace

WEFT_TEST_CASE_IN_PLACES(exceptions_travel_like_values, test::single_places)
{
    channel<void(std::exception_ptr, owned)> c(place.executor, 3);
    BOOST_TEST(c.try_send(failure("one"), 1));
    BOOST_TEST(c.try_send(nullptr, 2));
    BOOST_TEST(c.try_send(3));
    std::vector<std::string> got;
    auto const handler = [&](std::exception_ptr e, int n)
    {
        got.push_back(text_of(e) + std::to_string(n));
    };
    c.async_receive(handler);
    BOOST_TEST(c.try_receive(handler));
    c.async_receive(handler);
    place.finish();
    BOOST_TEST((got == std::vector<std::string>{"nothing2", "one1", "nothing3"}));

    got.clear();
    c.async_receive(handler);
    c.async_receive_for(std::chrono::hours(1), handler);
    place.context.restart();
    place.context.poll();
    c.cancel();
    place.finish();
    c.async_receive(handler);
    c.close();
    place.finish();
    BOOST_TEST((got == std::vector<std::string>{"aborted0", "aborted0", "closed0"}));
}

WEFT_TEST_CASE_IN_PLACES(a_receive_throws_the_exception_itself, test::single_places)
{
    channel<void(std::exception_ptr, std::unique_ptr<owned>)> c(place.executor, 4);
    auto const put = [&](char const* what)
    {
        BOOST_TEST(c.try_send(failure(what), nullptr));
    };
    put("1");
    BOOST_CHECK_THROW(c.try_receive(), std::runtime_error);
    std::exception_ptr e;
    put("2");
    BOOST_TEST(c.try_receive(e).has_value());
    BOOST_TEST(text_of(e) == "2");
    BOOST_TEST(!c.try_receive(e));
    BOOST_TEST(text_of(e) == "another code");
    for (char const* what : {"3", "4"})
        put(what);
    BOOST_TEST(c.try_send(std::make_unique<owned>(6)));
    std::string thrown;
    int value = 0;
    asio::co_spawn(
        place.executor,
        [&]() -> asio::awaitable<void>
        {
            for (int i = 0; i != 2; ++i)
                try
                {
                    if (i == 0)
                        (void)co_await c.async_receive();
                    else
                        (void)co_await c.async_receive(asio::use_awaitable);
                }
                catch (std::runtime_error const& error)
                {
                    thrown += error.what();
                }
            value = *co_await c.async_receive();
        },
        asio::detached);
    place.finish();
    BOOST_TEST(thrown == "34");
    BOOST_TEST(value == 6);
    std::future<std::unique_ptr<owned>> future = c.async_receive(asio::use_future);
    put("7");
    place.finish();
    BOOST_CHECK_THROW(future.get(), std::runtime_error);
    await_futures();
}

WEFT_TEST_CASE_IN_PLACES(without_an_error_a_handler_takes_both, test::single_places)
{
    channel<void(std::string)> c(place.executor, 2);
    channel<void()> n(place.executor);
    std::string got;
    auto const handler = either{[&](std::string s) { got += s; },
        [&](error_code ec)
        {
            got += ec == weft::errc::closed ? "closed " : "aborted ";
        }};
    c.async_receive(handler);
    c.async_receive(asio::bind_executor(place.executor, handler));
    c.async_receive()([&](error_code ec, std::string s) { got += ec ? "?" : s; });
    c.async_receive_for(std::chrono::hours(1), handler);
    place.context.poll();
    for (char const* s : {"a ", "b ", "c ", "d "})
        BOOST_TEST(c.try_send(s));
    place.finish();
    BOOST_TEST(got == "a b c d ");
    BOOST_TEST(c.try_send("f"));
    BOOST_TEST(c.try_receive(handler));
    BOOST_TEST(!c.try_receive());
    BOOST_TEST(got == "a b c d f");
    got.clear();
    c.async_receive(handler);
    c.cancel();
    place.finish();
    c.close();
    c.async_receive(handler);
    place.finish();
    BOOST_TEST(got == "aborted closed ");

    int calls = 0;
    n.async_receive(either{[&] { ++calls; },
        [&](error_code)
        {
            calls += 100;
        }});
    n.async_send([&](error_code ec) { calls += ec ? 100 : 10; });
    BOOST_TEST(!n.try_send());
    place.finish();
    BOOST_TEST(calls == 11);
}

WEFT_TEST_CASE_IN_PLACES(coroutines_get_an_exception_instead, test::single_places)
{
    channel<void(owned, std::string)> c(place.executor, 1);
    channel<void()> n(place.executor);
    std::string got;
    asio::co_spawn(
        place.executor,
        [&]() -> asio::awaitable<void>
        {
            co_await n.async_send();
            for (int i = 0; i != 4; ++i)
                co_await c.async_send(i, "x");
            c.close();
        },
        asio::detached);
    asio::co_spawn(
        place.executor,
        [&]() -> asio::awaitable<void>
        {
            co_await n.async_receive(asio::use_awaitable);
            for (;;)
                try
                {
                    auto [a, s] = co_await c.async_receive();
                    auto [b, t] = co_await c.async_receive(asio::use_awaitable);
                    got += s + std::to_string(a) + t + std::to_string(b);
                }
                catch (boost::system::system_error const& e)
                {
                    got += e.code() == weft::errc::closed ? "closed" : "?";
                    co_return;
                }
        },
        asio::detached);
    place.finish();
    BOOST_TEST(got == "x0x1x2x3closed");
}

WEFT_TEST_CASE_IN_PLACES(references_stand_for_values, test::single_places)
{
    channel<void(error_code, std::string const&)> c(place.executor, 1);
    channel<void(std::string const&, int&&)> n(place.executor, 1);
    std::string got;
    auto const take = [&](error_code, std::string const& s)
    {
        got += s;
    };
    for (char const* s : {"a", "b", "c"})
    {
        c.async_receive(take);
        c.async_send(error_code(), s, asio::detached);
    }
    asio::co_spawn(
        place.executor,
        [&]() -> asio::awaitable<void>
        {
            co_await c.async_send("d");
            got += co_await c.async_receive();
            co_await c.async_send("e", asio::use_awaitable);
            got += co_await c.async_receive(asio::use_awaitable);
            co_await c.async_send("f", asio::use_awaitable);
            auto [ec, s] = co_await c.async_receive(asio::as_tuple(asio::use_awaitable));
            BOOST_TEST(!ec);
            got += s;
            co_await n.async_send("g", 1);
            auto const [t, number] = co_await n.async_receive(asio::use_awaitable);
            got += t + std::to_string(number);
        },
        test::rethrow);
    place.finish();
    std::future<std::string> future = c.async_receive(asio::use_future);
    BOOST_TEST(c.try_send("h"));
    n.async_receive(either{[&](std::string const& s, int i) { got += s + std::to_string(i); },
        [&](error_code)
        {
            got += '?';
        }});
    BOOST_TEST(n.try_send("i", 2));
    place.finish();
    BOOST_TEST(got == "abcdefg1i2");
    BOOST_TEST(future.get() == "h");
}

BOOST_AUTO_TEST_CASE(several_at_once_come_without_an_error_as_well)
{
    weft::io_context context;
    channel<void(owned)> c(context, 3);
    BOOST_TEST(c.try_send_n(2, 7) == 2u);
    owned buffer[3];
    std::size_t count = 0;
    c.async_receive_some(buffer, [&](error_code ec, std::size_t n) { count = ec ? 0 : n; });
    context.run();
    BOOST_TEST(count == 2u);
    BOOST_TEST(buffer[1] == 7);
}

namespace
{

// Looks wherever it is made, or comes to, whether it may be there.
struct alignas(256) wide : test::counted
{
    static inline int misplaced = 0;

    explicit wide(int n = 0) noexcept : number(n)
    {
        look();
    }

    wide(wide&& other) noexcept : number(std::exchange(other.number, 0))
    {
        look();
    }

    wide& operator=(wide&& other) noexcept
    {
        number = std::exchange(other.number, 0);
        return *this;
    }

    void look() const noexcept
    {
        auto volatile const here = reinterpret_cast<std::uintptr_t>(this);
        misplaced += here % 256 != 0;
    }

    int number;
};

} // namespace

BOOST_AUTO_TEST_CASE(values_lie_as_they_want_to)
{
    for (std::size_t const capacity : {0u, 1u, 3u})
    {
        weft::io_context context;
        auto const work = asio::make_work_guard(context);
        channel<wide> c(context, capacity);
        int sum = 0;
        auto const add = [&](error_code, wide w)
        {
            sum += w.number;
        };
        wide buffer[2];
        wide kept(1000);
        c.async_receive(add);
        c.async_receive_for(std::chrono::hours(1), add);
        c.async_receive_some(buffer, [&](error_code, std::size_t) { sum += buffer[0].number; });
        context.poll();
        for (int n : {1, 10, 100})
            BOOST_TEST(c.try_send(wide(n)));
        context.poll();
        c.async_send_from(kept, asio::detached);
        c.async_send(wide(10000), asio::detached);
        c.async_send_for(std::chrono::hours(1), wide(100000), asio::detached);
        context.poll();
        BOOST_TEST(c.try_receive(add));
        sum += c.try_receive().value().number;
        c.async_receive(add);
        context.poll();
        BOOST_TEST(sum == 111111);
    }
    BOOST_TEST(wide::misplaced == 0);
}

BOOST_AUTO_TEST_SUITE_END()
