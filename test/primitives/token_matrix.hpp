// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_PRIMITIVES_TOKEN_MATRIX_HPP
#define WEFT_TEST_PRIMITIVES_TOKEN_MATRIX_HPP

// An operation (see cancellation_matrix.hpp), awaited in every way a coroutine has, when it need
// not wait, when it has to, and when it fails. What need not wait does not suspend the coroutine.

#include <weft/awaitable.hpp>
#include <weft/error.hpp>

#include "primitives/places.hpp"
#include "support/asio.hpp"

namespace test
{

// How a coroutine awaits.
enum class awaited
{
    without_token,
    use_awaitable,
    deferred,
    named, // an operation that was made before
    tuple_of_awaitable,
    tuple_of_deferred,
    redirected
};

inline constexpr awaited all_ways[] = {awaited::without_token, awaited::use_awaitable,
    awaited::deferred, awaited::named, awaited::tuple_of_awaitable, awaited::tuple_of_deferred,
    awaited::redirected};

inline bool throws(awaited how)
{
    return how <= awaited::named;
}

enum class course
{
    free,    // need not wait
    waits,   // until others let go
    aborted, // by cancel(), while it waits
    closed   // before it starts
};

// Whether the operation need not wait after let_go().
template <class Operation>
constexpr bool can_be_free()
{
    if constexpr (requires { Operation::can_be_free; })
        return Operation::can_be_free;
    return true;
}

// Whether it does not suspend the coroutine then. Specialised for those that can have to wait for a
// time.
template <class Operation>
inline constexpr bool completes_early = true;

template <class Operation>
using value_of =
    typename decltype(std::declval<Operation&>().begin(boost::asio::use_awaitable))::value_type;

// What an operation delivers that has failed.
template <class Value>
bool is_nothing(Value const& value)
{
    if constexpr (requires { value.owns_lock(); })
        return !value.owns_lock();
    else if constexpr (requires { value.count(); })
        return value.count() == 0;
    else
        return value == Value();
}

// Passes on what has been delivered, without its error.
template <class Operation, class... Values>
boost::system::error_code pass_on(
    Operation& operation, boost::system::error_code ec, Values&... values)
{
    BOOST_TEST(((is_nothing(values) == bool(ec)) && ...));
    if (!ec)
        operation.result(std::move(values)...);
    return ec;
}

// Awaits `expression`, which throws its error.
#define WEFT_TEST_AWAIT(expression)                                                                \
    {                                                                                              \
        if constexpr (std::is_void_v<value_of<Operation>>)                                         \
        {                                                                                          \
            co_await expression;                                                                   \
            pass_on(operation, error);                                                             \
        }                                                                                          \
        else                                                                                       \
        {                                                                                          \
            auto value = co_await expression;                                                      \
            pass_on(operation, error, value);                                                      \
        }                                                                                          \
    }

template <class Operation>
boost::asio::awaitable<boost::system::error_code> await(Operation& operation, awaited how)
{
    namespace asio = boost::asio;
    boost::system::error_code error;
    auto const tuple = [&](auto result)
    {
        error = std::apply([&](auto&... values) { return pass_on(operation, values...); }, result);
    };
    try
    {
        switch (how)
        {
        case awaited::without_token:
            if constexpr (requires { operation.await_in_frame(); })
            {
                co_await operation.await_in_frame();
                break;
            }
            [[fallthrough]];
        case awaited::use_awaitable:
            WEFT_TEST_AWAIT(operation.begin(asio::use_awaitable))
            break;
        case awaited::deferred:
            WEFT_TEST_AWAIT(operation.begin(asio::deferred))
            break;
        case awaited::named:
        {
            auto named = operation.begin(asio::deferred);
            // What holds nothing of its own can be started again and again.
            if constexpr (requires { Operation::is_started_once; })
                WEFT_TEST_AWAIT(std::move(named)(asio::use_awaitable))
            else
                WEFT_TEST_AWAIT(std::as_const(named)(asio::use_awaitable))
            break;
        }
        case awaited::tuple_of_awaitable:
            tuple(co_await operation.begin(asio::as_tuple(asio::use_awaitable)));
            break;
        case awaited::tuple_of_deferred:
            tuple(co_await operation.begin(asio::as_tuple(asio::deferred)));
            break;
        case awaited::redirected:
            error = asio::error::eof;
            if constexpr (std::is_void_v<value_of<Operation>>)
            {
                co_await operation.begin(asio::redirect_error(asio::use_awaitable, error));
                pass_on(operation, error);
            }
            else
            {
                auto value =
                    co_await operation.begin(asio::redirect_error(asio::use_awaitable, error));
                pass_on(operation, error, value);
            }
            break;
        }
    }
    catch (boost::system::system_error const& e)
    {
        BOOST_TEST(throws(how));
        error = e.code();
    }
    co_return error;
}

#undef WEFT_TEST_AWAIT

template <class Operation>
concept closable = requires(Operation& operation)
{
    operation.object.close();
};

template <class Operation>
void await_once(where w, awaited how, course c)
{
    namespace asio = boost::asio;
    place p(w);
    Operation operation(p.executor);
    if (c == course::free)
        operation.let_go();
    if constexpr (closable<Operation>)
        if (c == course::closed)
            operation.object.close();
    bool const waits = c == course::waits || c == course::aborted;
    bool others = false;
    std::optional<boost::system::error_code> result;
    auto const body = [&]() -> asio::awaitable<void>
    {
        asio::post(p.executor,
            [&]
            {
                others = true;
                if (c == course::waits)
                    operation.let_go();
                if (c == course::aborted)
                    operation.object.cancel();
            });
        result = co_await await(operation, how);
        if (waits || (WEFT_HAS_EARLY_COMPLETION && completes_early<Operation> && c == course::free))
            BOOST_TEST(others == waits);
    };
    asio::co_spawn(p.executor, body(), test::rethrow);
    p.finish();
    BOOST_TEST(others);
    BOOST_TEST(result.has_value());
    if (!result)
        return;
    switch (c)
    {
    case course::free:
    case course::waits:
        BOOST_TEST(!*result);
        operation.check(false);
        break;
    case course::aborted:
        BOOST_TEST(*result == asio::error::operation_aborted);
        operation.let_go();
        operation.check(true);
        break;
    case course::closed:
        BOOST_TEST((*result == weft::errc::closed));
        break;
    }
}

template <class Operation>
void await_in_every_way(where w)
{
    for (awaited how : all_ways)
        for (course c : {course::free, course::waits, course::aborted, course::closed})
        {
            if (c == course::free && !can_be_free<Operation>())
                continue;
            if (c == course::closed && !closable<Operation>)
                continue;
            BOOST_TEST_CONTEXT("awaited " << int(how) << ", course " << int(c))
            {
                // On a thread of its own, whose budget is whole.
                std::thread([&] { await_once<Operation>(w, how, c); }).join();
            }
        }
}

} // namespace test

#endif
