// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Every operation of a channel, cancelled at every point of its life, by every type of
// cancellation, with different tokens, from the same and from another thread. Whatever the outcome,
// each value is in one place afterwards.

#include <weft/channel.hpp>

#include "parity/watchdog.hpp"
#include "primitives/places.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <thread>
#include <tuple>
#include <utility>

namespace
{

namespace asio = boost::asio;
using asio::cancellation_type;
using boost::system::error_code;
using value = std::unique_ptr<int>;

constexpr auto for_long = std::chrono::hours(1);

// A channel on which an operation has to wait. All values are counted.
template <std::size_t Capacity>
struct subject
{
    weft::channel<value> object;
    value variable = std::make_unique<int>(1);
    value buffer[2];
    int received = 0;

    explicit subject(asio::any_io_executor const& ex) : object(ex, Capacity)
    {
    }

    void drain()
    {
        while (object.try_receive([this](error_code, value v) { received += *v; }))
        {
        }
    }
};

// A send waits. What it has is 1, what is in its way is 10.
template <std::size_t Capacity>
struct full : subject<Capacity>
{
    explicit full(asio::any_io_executor const& ex) : subject<Capacity>(ex)
    {
        if (Capacity != 0)
            this->object.try_send(std::make_unique<int>(10));
    }

    void let_go()
    {
        this->drain();
    }

    // What has been received beside what was in the way.
    int expected(bool aborted) const
    {
        return (Capacity != 0 ? 10 : 0) + (aborted ? 0 : 1);
    }

    void result()
    {
    }
};

template <std::size_t Capacity>
struct send : full<Capacity>
{
    using full<Capacity>::full;

    template <class Token>
    auto begin(Token&& token)
    {
        return this->object.async_send(std::move(this->variable), std::forward<Token>(token));
    }
};

template <std::size_t Capacity>
struct send_from : full<Capacity>
{
    using full<Capacity>::full;

    template <class Token>
    auto begin(Token&& token)
    {
        return this->object.async_send_from(this->variable, std::forward<Token>(token));
    }

    int expected(bool aborted)
    {
        BOOST_TEST(!this->variable != aborted);
        return full<Capacity>::expected(aborted);
    }
};

template <std::size_t Capacity>
struct send_from_for : send_from<Capacity>
{
    using send_from<Capacity>::send_from;

    template <class Token>
    auto begin(Token&& token)
    {
        return this->object.async_send_from_for(
            for_long, this->variable, std::forward<Token>(token));
    }
};

template <std::size_t Capacity>
struct send_for : full<Capacity>
{
    using full<Capacity>::full;

    template <class Token>
    auto begin(Token&& token)
    {
        return this->object.async_send_for(
            for_long, std::move(this->variable), std::forward<Token>(token));
    }
};

// A receive waits; what is sent is 1.
template <std::size_t Capacity>
struct empty : subject<Capacity>
{
    using subject<Capacity>::subject;

    void let_go()
    {
        sent = this->object.try_send(std::move(this->variable));
    }

    // With capacity 0 there is nobody to send to once the receive is gone.
    int expected(bool)
    {
        this->drain();
        BOOST_TEST(!this->variable == sent);
        return sent ? 1 : 0;
    }

    void result(value v)
    {
        this->received += v ? *v : 0;
    }

    bool sent = false;
};

template <std::size_t Capacity>
struct receive : empty<Capacity>
{
    using empty<Capacity>::empty;

    template <class Token>
    auto begin(Token&& token)
    {
        return this->object.async_receive(std::forward<Token>(token));
    }
};

template <std::size_t Capacity>
struct receive_for : empty<Capacity>
{
    using empty<Capacity>::empty;

    template <class Token>
    auto begin(Token&& token)
    {
        return this->object.async_receive_for(for_long, std::forward<Token>(token));
    }
};

template <std::size_t Capacity>
struct receive_some : empty<Capacity>
{
    using empty<Capacity>::empty;

    template <class Token>
    auto begin(Token&& token)
    {
        return this->object.async_receive_some(this->buffer, std::forward<Token>(token));
    }

    void result(std::size_t n)
    {
        for (std::size_t i = 0; i != n; ++i)
            this->received += *this->buffer[i];
    }
};

struct wait_receive : empty<1>
{
    using empty<1>::empty;

    template <class Token>
    auto begin(Token&& token)
    {
        return object.async_wait_receive(std::forward<Token>(token));
    }

    void result()
    {
    }
};

struct wait_send : full<1>
{
    using full<1>::full;

    template <class Token>
    auto begin(Token&& token)
    {
        return object.async_wait_send(std::forward<Token>(token));
    }

    int expected(bool) const
    {
        return 10;
    }
};

using operations = std::tuple<send<0>, send<1>, send_from<0>, send_from<1>, send_from_for<0>,
    send_from_for<1>, send_for<0>, send_for<1>, receive<0>, receive<1>, receive_for<0>,
    receive_for<1>, receive_some<0>, receive_some<1>, wait_receive, wait_send>;

enum class point
{
    before,    // the operation starts
    queued,    // it waits
    performed, // its handler does not know it
    delivered, // inside its handler
    after      // its handler
};

enum class token
{
    callback,
    operation,
    coroutine
};

template <class Operation>
class scenario
{
public:
    scenario(test::where w, point p, cancellation_type type, token t, bool other_thread)
        : place_(w), point_(p), type_(type), other_thread_(other_thread)
    {
        emit_at(point::before);
        start(t);
        place_.context.poll();
        BOOST_TEST(calls_ == 0);
        emit_at(point::queued);
        // co_spawn passes signals on by way of the executor.
        place_.context.poll();
        operation_.let_go();
        emit_at(point::performed);
        place_.finish();
        emit_at(point::after);
        BOOST_TEST(calls_ == 1);
        BOOST_TEST(aborted_ == (p == point::queued));
        int const expected = operation_.expected(aborted_);
        BOOST_TEST(operation_.received == expected);
        BOOST_TEST(operation_.object.is_open());
    }

private:
    void emit_at(point p)
    {
        if (p != point_)
            return;
        if (!other_thread_)
            signal_.emit(type_);
        else
            std::thread([this] { signal_.emit(type_); }).join();
    }

    void note(error_code ec)
    {
        ++calls_;
        aborted_ = ec == asio::error::operation_aborted;
        BOOST_TEST((!ec || aborted_));
        if (point_ == point::delivered)
            signal_.emit(type_);
    }

    void start(token t)
    {
        auto handler = [this](error_code ec, auto&&... result)
        {
            if (!ec)
                operation_.result(std::forward<decltype(result)>(result)...);
            note(ec);
        };
        switch (t)
        {
        case token::callback:
            operation_.begin(asio::bind_cancellation_slot(signal_.slot(), handler));
            break;
        case token::operation:
            operation_.begin(asio::deferred)(asio::bind_cancellation_slot(signal_.slot(), handler));
            break;
        case token::coroutine:
            asio::co_spawn(place_.executor, await(handler),
                asio::bind_cancellation_slot(
                    signal_.slot(), [](std::exception_ptr e) { BOOST_TEST(!e); }));
            break;
        }
    }

    template <class Handler>
    asio::awaitable<void> await(Handler handler)
    {
        co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
        auto result = co_await operation_.begin(asio::as_tuple(asio::use_awaitable));
        std::apply(handler, std::move(result));
    }

    test::place place_;
    Operation operation_{place_.executor};
    asio::cancellation_signal signal_;
    point const point_;
    cancellation_type const type_;
    bool const other_thread_;
    int calls_ = 0;
    bool aborted_ = false;
};

template <class Operation>
void enumerate(test::where w)
{
    for (point p : {point::before, point::queued, point::performed, point::delivered, point::after})
        for (cancellation_type type :
            {cancellation_type::terminal, cancellation_type::partial, cancellation_type::total})
            for (token t : {token::callback, token::operation, token::coroutine})
                for (bool other_thread : {false, true})
                    BOOST_TEST_CONTEXT("point " << int(p) << ", type " << int(type) << ", token "
                                                << int(t) << ", thread " << other_thread)
    scenario<Operation>(w, p, type, t, other_thread);
}

} // namespace

BOOST_AUTO_TEST_SUITE(channel_cancellation)

BOOST_AUTO_TEST_CASE_TEMPLATE(on_weft, Operation, operations)
{
    enumerate<Operation>(test::where::weft_io);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(on_asio, Operation, operations)
{
    enumerate<Operation>(test::where::asio_io);
}

WEFT_TEST_CASE_IN_PLACES(what_waits_in_a_coroutines_frame_is_cancelled, test::single_places, where)
{
    test::place place(where);
    weft::channel<value> c(place.executor);
    asio::cancellation_signal signals[2];
    value kept = std::make_unique<int>(1);
    int aborted = 0;
    auto const spawn = [&](asio::cancellation_signal& signal, asio::awaitable<void> body)
    {
        asio::co_spawn(place.executor, std::move(body),
            asio::bind_cancellation_slot(signal.slot(),
                [&](std::exception_ptr e)
                {
                    try
                    {
                        if (e)
                            std::rethrow_exception(e);
                    }
                    catch (boost::system::system_error const& error)
                    {
                        aborted += error.code() == asio::error::operation_aborted;
                    }
                }));
    };
    auto const receive = [&]() -> asio::awaitable<void>
    {
        (void)co_await c.async_receive();
    };
    auto const send = [&]() -> asio::awaitable<void>
    {
        co_await c.async_send_from(kept);
    };
    spawn(signals[0], receive());
    place.context.poll();
    signals[0].emit(cancellation_type::terminal);
    place.context.poll();
    BOOST_TEST(aborted == 1);
    place.context.restart();
    spawn(signals[1], send());
    place.context.poll();
    BOOST_TEST(c.ready());
    BOOST_TEST(!kept);
    signals[1].emit(cancellation_type::terminal);
    place.finish();
    BOOST_TEST(aborted == 2);
    BOOST_TEST(!c.ready());
    BOOST_REQUIRE(kept);
    BOOST_TEST(*kept == 1);
}

BOOST_AUTO_TEST_SUITE_END()
