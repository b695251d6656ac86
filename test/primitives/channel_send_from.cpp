// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Sending the value of a variable, with and without a time limit: the variable has the value unless
// the channel has it.

#include <weft/channel.hpp>
#include <weft/io_context.hpp>

#include "primitives/places.hpp"
#include "support/owned.hpp"

BOOST_FIXTURE_TEST_SUITE(channel_send_from, test::all_are_destroyed)

namespace
{

using std::chrono::hours;
using std::chrono::steady_clock;
using test::owned;
using value = std::unique_ptr<owned>;
using channel = weft::channel<value>;

// One whose move is allowed to throw travels in a box.
struct boxed_value
{
    boxed_value() = default;

    explicit boxed_value(int n) : number(std::make_unique<owned>(n))
    {
    }

    boxed_value(boxed_value&& other) noexcept(false) : number(std::move(other.number))
    {
    }

    boxed_value& operator=(boxed_value&& other) noexcept(false)
    {
        number = std::move(other.number);
        return *this;
    }

    explicit operator bool() const
    {
        return number != nullptr;
    }

    int operator*() const
    {
        return *number;
    }

    std::unique_ptr<owned> number;
};

value make(value const&, int n)
{
    return std::make_unique<owned>(n);
}

boxed_value make(boxed_value const&, int n)
{
    return boxed_value(n);
}

// The forms, with all the time in the world.
struct plain
{
    template <class Channel, class T, class Token>
    static auto send(Channel& c, T& v, Token&& token)
    {
        return c.async_send_from(v, std::forward<Token>(token));
    }
};

struct with_duration
{
    template <class Channel, class T, class Token>
    static auto send(Channel& c, T& v, Token&& token)
    {
        return c.async_send_from_for(hours(1), v, std::forward<Token>(token));
    }
};

struct with_deadline
{
    template <class Channel, class T, class Token>
    static auto send(Channel& c, T& v, Token&& token)
    {
        return c.async_send_from_until(
            (steady_clock::time_point::max)(), v, std::forward<Token>(token));
    }
};

template <class Form, class Value>
struct with_value : Form
{
    using value_type = Value;
};

using forms = std::tuple<with_value<plain, value>, with_value<with_duration, value>,
    with_value<with_deadline, value>, with_value<plain, boxed_value>,
    with_value<with_duration, boxed_value>, with_value<with_deadline, boxed_value>>;

// A channel that a send has to wait for: something is in it, if there is room for that.
template <class T>
struct fixture
{
    weft::io_context context;
    weft::channel<T> c;
    T v = make(v, 2);
    error_code result;
    int calls = 0;

    explicit fixture(std::size_t capacity) : c(context, capacity)
    {
        if (capacity == 1)
            BOOST_TEST(c.try_send(make(v, 1)));
    }

    auto handler()
    {
        return [this](error_code ec)
        {
            result = ec;
            ++calls;
        };
    }

    void run()
    {
        context.restart();
        context.run();
        BOOST_TEST(calls == 1);
        calls = 0;
    }

    void expect_back(error_code const& why)
    {
        BOOST_TEST(result == why);
        BOOST_REQUIRE(bool(v));
        BOOST_TEST(*v == 2);
    }
};

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(what_is_sent_is_moved_from, Form, forms)
{
    for (std::size_t const capacity : {0u, 1u})
    {
        fixture<typename Form::value_type> f(capacity);
        Form::send(f.c, f.v, f.handler());
        f.context.poll();
        BOOST_TEST(f.calls == 0);
        // To the one that takes what is in the way, or this.
        BOOST_TEST(*f.c.try_receive().value() == (capacity == 1 ? 1 : 2));
        f.run();
        BOOST_TEST(!f.result);
        BOOST_TEST(!f.v);
        while (f.c.try_receive())
        {
        }

        // To a receiver that waits, or into the channel.
        int got = 0;
        if (capacity == 0)
            f.c.async_receive([&](error_code, auto r) { got = *r; });
        f.v = make(f.v, 3);
        Form::send(f.c, f.v, f.handler());
        f.run();
        BOOST_TEST(!f.result);
        BOOST_TEST(!f.v);
        if (capacity == 1)
            got = *f.c.try_receive().value();
        BOOST_TEST(got == 3);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_send_that_fails_gives_the_value_back, Form, forms)
{
    for (std::size_t const capacity : {0u, 1u})
    {
        fixture<typename Form::value_type> f(capacity);
        Form::send(f.c, f.v, f.handler());
        f.context.poll();
        f.c.cancel();
        f.run();
        f.expect_back(asio::error::operation_aborted);

        asio::cancellation_signal signal;
        Form::send(f.c, f.v, asio::bind_cancellation_slot(signal.slot(), f.handler()));
        f.context.poll();
        signal.emit(asio::cancellation_type::total);
        f.run();
        f.expect_back(asio::error::operation_aborted);

        Form::send(f.c, f.v, f.handler());
        f.context.poll();
        f.c.close();
        f.run();
        f.expect_back(weft::errc::closed);

        Form::send(f.c, f.v, f.handler());
        f.run();
        f.expect_back(weft::errc::closed);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_send_that_is_late_gives_the_value_back, Form, forms)
{
    for (std::size_t const capacity : {0u, 1u})
    {
        fixture<typename Form::value_type> f(capacity);
        f.c.async_send_from_for(std::chrono::milliseconds(-1), f.v, f.handler());
        f.run();
        f.expect_back(asio::error::timed_out);
        f.c.async_send_from_until(steady_clock::time_point(), f.v, f.handler());
        f.run();
        f.expect_back(asio::error::timed_out);

        // What can be done at once is done.
        int got = 0;
        (void)f.c.try_receive();
        if (capacity == 0)
            f.c.async_receive([&](error_code, auto r) { got = *r; });
        f.c.async_send_from_until(steady_clock::time_point(), f.v, f.handler());
        f.run();
        BOOST_TEST(!f.result);
        BOOST_TEST(!f.v);
        if (capacity == 1)
            got = *f.c.try_receive().value();
        BOOST_TEST(got == 2);
    }
}

WEFT_TEST_CASE_IN_PLACES(coroutines_have_the_value_again, test::single_places)
{
    channel c(place.executor);
    int got = 0;
    bool done = false;
    auto const body = [&]() -> asio::awaitable<void>
    {
        auto const token = asio::as_tuple(asio::use_awaitable);
        value v = std::make_unique<owned>(1);
        auto [late] = co_await c.async_send_from_until(steady_clock::time_point(), v, token);
        BOOST_TEST(late == asio::error::timed_out);
        BOOST_TEST(*v == 1);
        c.async_receive([&](error_code, value r) { got += *r; });
        co_await c.async_send_from_for(hours(1), v, asio::use_awaitable);
        BOOST_TEST(!v);
        v = std::make_unique<owned>(2);
        c.async_receive([&](error_code, value r) { got += 10 * *r; });
        auto [sent] = co_await c.async_send_from_for(hours(1), v, asio::as_tuple(asio::deferred));
        BOOST_TEST(!sent);
        BOOST_TEST(!v);
        c.close();
        v = std::make_unique<owned>(3);
        auto [closed] = co_await c.async_send_from_for(hours(1), v, token);
        BOOST_TEST(closed == error_code(weft::errc::closed));
        BOOST_TEST(*v == 3);
        done = true;
    };
    asio::co_spawn(place.executor, body(), asio::detached);
    place.finish();
    BOOST_TEST(done);
    BOOST_TEST(got == 21);
}

// As often as it is started; one whose value has to be in a box has it from the beginning.
BOOST_AUTO_TEST_CASE_TEMPLATE(what_is_not_started_leaves_the_value, Form, forms)
{
    using value_type = typename Form::value_type;
    weft::io_context context;
    weft::channel<value_type> c(context, 2);
    value_type v = make(v, 1);
    int calls = 0;
    auto const count = [&](error_code ec)
    {
        calls += ec ? 100 : 1;
    };
    auto operation = Form::send(c, v, asio::deferred);
    if constexpr (std::is_same<value_type, value>::value)
    {
        // Has nothing that is used up.
        BOOST_TEST(*v == 1);
        operation(count);
        BOOST_TEST(!v);
        v = make(v, 2);
        operation(count);
        context.run();
        BOOST_TEST(calls == 2);
        BOOST_TEST(*c.try_receive().value() == 1);
        BOOST_TEST(*c.try_receive().value() == 2);
    }
    else
    {
        BOOST_TEST(!v);
        BOOST_TEST(c.size() == 0u);
        std::move(operation)(count);
        context.run();
        BOOST_TEST(calls == 1);
        BOOST_TEST(*c.try_receive().value() == 1);
    }
}

// The value is lost, and the handler is called nevertheless.
BOOST_AUTO_TEST_CASE(a_value_that_cannot_be_put_back_does_not_keep_the_handler_from_its_call)
{
    struct stubborn
    {
        stubborn() = default;
        stubborn(stubborn&&) noexcept(false)
        {
        }

        stubborn& operator=(stubborn&&)
        {
            throw std::runtime_error("assigned");
        }
    };

    weft::io_context context;
    weft::channel<stubborn> c(context, 0u);
    stubborn v;
    error_code result;
    c.async_send_from(v, [&](error_code ec) { result = ec; });
    c.cancel();
    BOOST_CHECK_THROW(context.run(), std::runtime_error);
    BOOST_TEST(result == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_SUITE_END()
