// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// as_tuple, redirect_error and deferred complete as early as what they adapt, with the results that
// Asio's own would have: what is beyond the matrix of tokens.cpp and channel_tokens.cpp.

#include <weft/channel.hpp>
#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>

#include "primitives/places.hpp"
#include "support/owned.hpp"

BOOST_FIXTURE_TEST_SUITE(early_tokens, test::all_are_destroyed)

namespace
{

using asio::as_tuple;
using asio::awaitable;
using asio::deferred;
using asio::redirect_error;
using asio::use_awaitable;
using test::owned;
using value = std::unique_ptr<owned>;

value make(int n)
{
    return std::make_unique<owned>(n);
}

// One of each primitive, with room for everything, in a coroutine that must not be suspended.
struct everything
{
    explicit everything(test::where w) : place(w)
    {
    }

    void run(std::function<awaitable<void>()> body)
    {
        asio::co_spawn(
            place.executor,
            [this, body]() -> awaitable<void>
            {
                asio::post(place.executor, [&] { others = true; });
                co_await body();
                BOOST_TEST(!others);
                done = true;
            },
            test::rethrow);
        place.finish();
        BOOST_TEST(done);
    }

    test::place place;
    weft::mutex m{place.executor};
    weft::channel<value> c{place.executor, 4};
    error_code ec = asio::error::eof;
    bool others = false;
    bool done = false;
};

} // namespace

// What the sender says is an error is one here, and the value comes with it.
WEFT_TEST_CASE_FOR_PLACES(errors_that_were_sent_are_no_exceptions, test::single_places)
{
    everything e(where);
    for (int i = 0; i != 2; ++i)
        BOOST_TEST(e.c.try_send(asio::error::no_data, make(i)));
    for (int i = 0; i != 2; ++i)
        BOOST_TEST(e.c.try_send(asio::error::no_data, make(i)));
    e.run(
        [&]() -> awaitable<void>
        {
            auto const [ec, zero] = co_await e.c.async_receive(as_tuple(deferred));
            BOOST_TEST(ec == asio::error::no_data);
            BOOST_TEST(*zero == 0);
            auto const one = co_await e.c.async_receive(redirect_error(use_awaitable, e.ec));
            BOOST_TEST(e.ec == asio::error::no_data);
            BOOST_TEST(*one == 1);
            value buffer[2];
            auto const [failed, count] =
                co_await e.c.async_receive_some(buffer, as_tuple(deferred));
            BOOST_TEST(failed == asio::error::no_data);
            BOOST_TEST(count == 0u);
            auto const n =
                co_await e.c.async_receive_some(buffer, redirect_error(use_awaitable, e.ec));
            BOOST_TEST(e.ec == asio::error::no_data);
            BOOST_TEST(n == 0u);
        });
}

WEFT_TEST_CASE_FOR_PLACES(other_signatures_are_early_too, test::single_places)
{
    everything e(where);
    weft::channel<void(std::exception_ptr, owned)> thrown(e.place.executor, 4);
    weft::channel<void(owned)> plain(e.place.executor, 4);
    weft::channel<void(error_code, owned, char)> pairs(e.place.executor, 4);
    weft::channel<void> nothing(e.place.executor, 4);
    e.run(
        [&]() -> awaitable<void>
        {
            auto const lost = std::make_exception_ptr(std::runtime_error("lost"));
            co_await thrown.async_send(lost, 1);
            auto const [p, one] = co_await thrown.async_receive(as_tuple(deferred));
            BOOST_TEST((p == lost));
            BOOST_TEST(one == 1);
            // It is no error code: there is nothing to redirect.
            co_await thrown.async_send(nullptr, 2);
            owned const two = co_await thrown.async_receive(redirect_error(use_awaitable, e.ec));
            BOOST_TEST(two == 2);
            BOOST_TEST(e.ec == asio::error::eof);
            co_await plain.async_send(3);
            auto const [ec, three] = co_await plain.async_receive(as_tuple(use_awaitable));
            BOOST_TEST(!ec);
            BOOST_TEST(three == 3);
            for (int i = 0; i != 2; ++i)
                co_await pairs.async_send(error_code(), 4, 'x');
            auto const [failed, four, x] = co_await pairs.async_receive(as_tuple(deferred));
            auto const [n, y] = co_await pairs.async_receive(redirect_error(use_awaitable, e.ec));
            BOOST_TEST((!failed && !e.ec));
            BOOST_TEST(four + n == 8);
            BOOST_TEST((x == 'x' && y == 'x'));
            co_await nothing.async_send();
            auto const [end] = co_await nothing.async_receive(as_tuple(deferred));
            BOOST_TEST(!end);
        });
}

// Adapters of adapters, tokens that an operation without one is given, and compositions.
WEFT_TEST_CASE_FOR_PLACES(tokens_can_be_nested_and_given_later, test::single_places)
{
    everything e(where);
    e.run(
        [&]() -> awaitable<void>
        {
            std::tuple<> const none =
                co_await e.m.async_lock(redirect_error(as_tuple(use_awaitable), e.ec));
            (void)none;
            BOOST_TEST(!std::exchange(e.ec, asio::error::eof));
            e.m.unlock();
            std::tuple<error_code> const all =
                co_await e.m.async_lock(as_tuple(redirect_error(use_awaitable, e.ec)));
            BOOST_TEST(!std::get<0>(all));
            BOOST_TEST(e.ec == asio::error::eof);
            e.m.unlock();
            std::tuple<std::tuple<error_code>> const twice =
                co_await e.m.async_lock(as_tuple(as_tuple(deferred)));
            BOOST_TEST(!std::get<0>(std::get<0>(twice)));
            e.m.unlock();
            co_await e.m.async_lock(deferred);
            e.m.unlock();
            auto const [later] = co_await e.m.async_lock()(as_tuple(use_awaitable));
            BOOST_TEST(!later);
            e.m.unlock();
            auto const named = e.m.async_lock(as_tuple(deferred));
            for (int i = 0; i != 2; ++i)
            {
                auto const [ec] = co_await named;
                BOOST_TEST(!ec);
                e.m.unlock();
            }
            auto const lock = co_await (e.m.async_scoped_lock(deferred) | use_awaitable);
            BOOST_TEST(lock.owns_lock());
        });
}

// What starts with any other token delivers the same.
WEFT_TEST_CASE_FOR_PLACES(a_deferred_tuple_can_be_given_to_a_handler, test::single_places)
{
    everything e(where);
    int sum = 0;
    e.c.async_receive(as_tuple(deferred))(
        [&](std::tuple<error_code, value> t) { sum += *std::get<1>(t); });
    e.c.async_send(make(1), as_tuple(deferred))(
        [&](std::tuple<error_code> t) { sum += std::get<0>(t) ? 100 : 10; });
    std::future<std::tuple<error_code>> future =
        e.m.async_lock(as_tuple(deferred))(asio::use_future);
    auto both = e.m.async_scoped_lock(deferred) |
                deferred([&](error_code, std::unique_lock<weft::mutex>)
                    { return e.c.async_send(make(2), as_tuple(deferred)); });
    e.place.finish();
    BOOST_TEST(sum == 11);
    BOOST_TEST(!std::get<0>(future.get()));
    e.m.unlock();
    std::move(both)([&](std::tuple<error_code> t) { sum += std::get<0>(t) ? 100 : 1000; });
    e.place.finish();
    BOOST_TEST(sum == 1011);
    BOOST_TEST(**e.c.try_receive() == 2);
    BOOST_TEST(e.m.try_lock());
}

// As they do when they need not wait.
WEFT_TEST_CASE_IN_PLACES(what_has_to_wait_has_the_same_results, test::places)
{
    weft::mutex m(place.executor);
    weft::channel<value> c(place.executor, 0);
    BOOST_TEST(m.try_lock());
    int done = 0;
    asio::co_spawn(
        place.executor,
        [&]() -> awaitable<void>
        {
            error_code ec = asio::error::eof;
            auto const [a, lock] = co_await m.async_scoped_lock(as_tuple(deferred));
            BOOST_TEST(!a);
            BOOST_TEST(lock.owns_lock());
            auto const [b, one] = co_await c.async_receive(as_tuple(use_awaitable));
            BOOST_TEST(!b);
            BOOST_TEST(*one == 1);
            auto const two = co_await c.async_receive(redirect_error(use_awaitable, ec));
            BOOST_TEST(!ec);
            BOOST_TEST(*two == 2);
            auto const [failed, nothing] = co_await c.async_receive(as_tuple(deferred));
            BOOST_TEST(failed == error_code(weft::errc::closed));
            BOOST_TEST(!nothing);
            co_await c.async_send(make(3), redirect_error(use_awaitable, ec));
            BOOST_TEST(ec == error_code(weft::errc::closed));
            ++done;
        },
        test::rethrow);
    asio::co_spawn(
        place.executor,
        [&]() -> awaitable<void>
        {
            m.unlock();
            for (int i = 1; i != 3; ++i)
            {
                auto const [ec] = co_await c.async_send(make(i), as_tuple(deferred));
                BOOST_TEST(!ec);
            }
            c.close();
            ++done;
        },
        test::rethrow);
    place.finish();
    BOOST_TEST(done == 2);
    BOOST_TEST(m.try_lock());
}

// Each form spends the budget.
WEFT_TEST_CASE_FOR_PLACES(loops_let_others_run, test::single_places)
{
    for (int const form : {0, 1, 2, 3, 4, 5})
    {
        test::place place(where);
        weft::mutex m(place.executor);
        bool others = false;
        int count = 0;
        asio::co_spawn(
            place.executor,
            [&]() -> awaitable<void>
            {
                error_code ec;
                asio::post(place.executor, [&] { others = true; });
                for (; !others && count != 100000; ++count)
                {
                    if (form == 0)
                        (void)co_await m.async_lock(as_tuple(deferred));
                    else if (form == 1)
                        (void)co_await m.async_lock(as_tuple(use_awaitable));
                    else if (form == 2)
                        co_await m.async_lock(redirect_error(use_awaitable, ec));
                    else if (form == 3)
                        co_await m.async_lock(deferred);
                    else if (form == 4)
                        co_await m.async_lock(use_awaitable);
                    else
                        co_await m.async_lock();
                    m.unlock();
                }
            },
            test::rethrow);
        place.finish();
        BOOST_TEST(others);
        BOOST_TEST(count > 1);
        BOOST_TEST(count <= 129);
    }
}

// The executor's default decides what a form without a token does: errors need not be exceptions.
WEFT_TEST_CASE_FOR_PLACES(forms_without_a_token_need_not_throw, test::single_places)
{
    using tuples = asio::as_tuple_t<asio::use_awaitable_t<>>;
    using deferred_tuples = asio::as_tuple_t<asio::deferred_t>;
    everything e(where);
    tuples::as_default_on_t<weft::mutex> m(e.place.executor);
    deferred_tuples::as_default_on_t<weft::channel<value>> c(e.place.executor, 1);
    deferred_tuples::as_default_on_t<weft::semaphore> s(e.place.executor, 1);
    e.run(
        [&]() -> awaitable<void>
        {
            auto const [a] = co_await m.async_lock();
            auto const [b] = co_await c.async_send(make(1));
            auto const [d, one] = co_await c.async_receive();
            auto const [f, permit] = co_await s.async_scoped_acquire();
            BOOST_TEST((!a && !b && !d && !f));
            BOOST_TEST(*one == 1);
            BOOST_TEST(permit.count() == 1u);
            c.close();
        });
    BOOST_TEST(!m.try_lock());
    int closed = 0;
    asio::co_spawn(
        e.place.executor,
        [&]() -> awaitable<void>
        {
            auto const [ec, nothing] = co_await c.async_receive();
            closed += ec == weft::errc::closed && !nothing;
        },
        test::rethrow);
    e.place.finish();
    BOOST_TEST(closed == 1);
}

#if BOOST_ASIO_VERSION >= 103100 // Boost 1.86
WEFT_TEST_CASE_FOR_PLACES(partial_tokens_adapt_the_default, test::single_places)
{
    everything e(where);
    asio::use_awaitable_t<>::as_default_on_t<weft::mutex> other(e.place.executor);
    e.run(
        [&]() -> awaitable<void>
        {
            auto const [a] = co_await e.m.async_lock(as_tuple);
            BOOST_TEST(!a);
            e.m.unlock();
            co_await e.m.async_lock(redirect_error(e.ec));
            BOOST_TEST(!std::exchange(e.ec, asio::error::eof));
            e.m.unlock();
            auto const [b] = co_await e.m.async_lock()(as_tuple);
            BOOST_TEST(!b);
            e.m.unlock();
            auto const [c] = co_await other.async_lock(as_tuple);
            BOOST_TEST(!c);
            co_await e.m.async_lock(redirect_error(deferred, e.ec));
            BOOST_TEST(!e.ec);
        });
}
#endif

BOOST_AUTO_TEST_SUITE_END()
