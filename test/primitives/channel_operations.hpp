// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_PRIMITIVES_CHANNEL_OPERATIONS_HPP
#define WEFT_TEST_PRIMITIVES_CHANNEL_OPERATIONS_HPP

// The operations of channels, as cancellation_matrix.hpp and token_matrix.hpp want them.

#include <weft/channel.hpp>

#include "support/asio.hpp"
#include "support/owned.hpp"

namespace test
{
namespace channel_operations
{

using value = std::unique_ptr<owned>;

inline constexpr auto for_long = std::chrono::hours(1);

// A channel on which an operation has to wait. All values are counted.
template <std::size_t Capacity>
struct subject
{
    static constexpr bool can_be_free = Capacity != 0;

    weft::channel<value> object;
    value variable = std::make_unique<owned>(1);
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
    // The value goes along.
    static constexpr bool is_started_once = true;

    explicit full(asio::any_io_executor const& ex) : subject<Capacity>(ex)
    {
        if (Capacity != 0)
            this->object.try_send(std::make_unique<owned>(10));
    }

    void let_go()
    {
        this->drain();
    }

    // What is received beside what was in the way.
    void check(bool aborted)
    {
        this->drain();
        BOOST_TEST(this->received == (Capacity != 0 ? 10 : 0) + (aborted ? 0 : 1));
        BOOST_TEST(this->object.is_open());
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

    asio::awaitable<void> await_in_frame()
    {
        co_await this->object.async_send(std::move(this->variable));
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

    asio::awaitable<void> await_in_frame()
    {
        co_await this->object.async_send_from(this->variable);
    }

    void check(bool aborted)
    {
        BOOST_TEST(!this->variable != aborted);
        full<Capacity>::check(aborted);
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
    void check(bool)
    {
        this->drain();
        BOOST_TEST(!this->variable == sent);
        BOOST_TEST(this->received == (sent ? 1 : 0));
        BOOST_TEST(this->object.is_open());
    }

    void result(value v)
    {
        if (v)
            this->received += *v;
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

    asio::awaitable<void> await_in_frame()
    {
        this->result(co_await this->object.async_receive());
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

    asio::awaitable<void> await_in_frame()
    {
        result(co_await this->object.async_receive_some(this->buffer));
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

    asio::awaitable<void> await_in_frame()
    {
        co_await object.async_wait_receive();
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

    asio::awaitable<void> await_in_frame()
    {
        co_await object.async_wait_send();
    }

    void check(bool)
    {
        BOOST_TEST(received == 10);
        BOOST_TEST(object.is_open());
    }
};

using all = std::tuple<send<0>, send<1>, send_from<0>, send_from<1>, send_from_for<0>,
    send_from_for<1>, send_for<0>, send_for<1>, receive<0>, receive<1>, receive_for<0>,
    receive_for<1>, receive_some<0>, receive_some<1>, wait_receive, wait_send>;

} // namespace channel_operations
} // namespace test

#endif
