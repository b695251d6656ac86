// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_IMPL_CHANNEL_HPP
#define WEFT_IMPL_CHANNEL_HPP

#include <weft/channel.hpp>
#include <weft/config.hpp>
#include <weft/platform/deadline.hpp>

#include <boost/asio/error.hpp>

#include <cstddef>
#include <exception>
#include <iterator>
#include <new>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Gives a value that was made of a moved one back.
template <typename Made, typename Source>
void put_back([[maybe_unused]] Made& made, [[maybe_unused]] Source&& source)
{
    if constexpr (std::is_same<Made, Source>::value && std::is_move_assignable<Made>::value)
        source = std::move(made);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail

inline namespace WEFT_ABI_NAMESPACE
{

template <typename Executor, typename Signature, typename Error, typename... Args>
basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::basic_channel(
    basic_channel&& other)
    : basic_channel(other.get_executor(), other.capacity())
{
    core_.state.swap(other.core_.state, detail::resume_waiters());
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename OtherExecutor, typename>
basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::basic_channel(
    basic_channel<OtherExecutor, Signature>&& other)
    : basic_channel(executor_type(other.get_executor()), other.capacity())
{
    core_.state.swap(other.core_.state, detail::resume_waiters());
}

template <typename Executor, typename Signature, typename Error, typename... Args>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::operator=(
    basic_channel&& other) -> basic_channel&
{
    if (this != &other)
    {
        basic_channel moved(std::move(other));
        core_.cancel();
        core_.state.swap(moved.core_.state, detail::resume_waiters());
        core_.follow(moved.core_);
    }
    return *this;
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename... Ts>
bool basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::try_send(
    Ts&&... values)
{
    static_assert(sizeof...(Ts) == sizeof...(Args) || sizeof...(Ts) == sizeof...(Args) + 1,
        "the values, and before them an error if you like");
    if constexpr (sizeof...(Ts) == sizeof...(Args))
        return try_send(Error(), std::forward<Ts>(values)...);
    else if constexpr (std::is_nothrow_constructible<message_type, std::in_place_t, Ts...>::value)
        return core_.state.try_send([&](void* to) noexcept
                   { ::new (to) message_type(std::in_place, std::forward<Ts>(values)...); },
                   detail::resume_waiters()) == detail::ring_result::done;
    else
    {
        // What may throw is made before the channel is touched.
        message_type made(std::in_place, std::forward<Ts>(values)...);
        bool const sent = core_.state.try_send([&](void* to) noexcept
                              { ::new (to) message_type(std::move(made)); },
                              detail::resume_waiters()) == detail::ring_result::done;
        if (!sent)
            std::apply([&](auto&... part)
                { (detail::put_back(part, std::forward<Ts>(values)), ...); },
                *made);
        return sent;
    }
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename... Ts>
std::size_t basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::try_send_n(
    std::size_t count, Ts const&... values)
{
    std::size_t sent = 0;
    while (sent != count && try_send(values...))
        ++sent;
    return sent;
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename... Ts>
bool basic_channel<Executor, Signature,
    detail::channel_form<Error, Args...>>::try_send_via_dispatch(Ts&&... values)
{
    return try_send(std::forward<Ts>(values)...);
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename... Ts>
std::size_t
basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::try_send_n_via_dispatch(
    std::size_t count, Ts const&... values)
{
    return try_send_n(count, values...);
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename Iterator, typename Sentinel>
Iterator basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::try_send_some(
    Iterator first, Sentinel last)
{
    while (first != last && try_send(*first))
        ++first;
    return first;
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename Handler>
bool basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::try_receive(
    Handler&& handler)
{
    detail::receive_slot<message_type> to;
    if (core_.state.try_receive(to, detail::resume_waiters()) != detail::ring_result::done)
        return false;
    detail::call_with(std::forward<Handler>(handler), **to);
    return true;
}

template <typename Executor, typename Signature, typename Error, typename... Args>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::try_receive(
    failure_type& failed) -> optional_type
{
    detail::receive_slot<message_type> to;
    switch (core_.state.try_receive(to, detail::resume_waiters()))
    {
    case detail::ring_result::done:
        failed = failure::of(std::get<0>(**to));
        if constexpr (sizeof...(Args) == 0)
            return true;
        else
            return optional_type(detail::received<Args...>::from(std::move(**to)));
    case detail::ring_result::closed:
        failed = failure::of(errc::closed);
        return {};
    default:
        failed = failure::of(boost::asio::error::would_block);
        return {};
    }
}

template <typename Executor, typename Signature, typename Error, typename... Args>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::try_receive()
    -> optional_type
{
    detail::receive_slot<message_type> to;
    if (core_.state.try_receive(to, detail::resume_waiters()) != detail::ring_result::done)
        return {};
    if (failure_type const failed = failure::of(std::get<0>(**to)))
        failure::raise(failed);
    if constexpr (sizeof...(Args) == 0)
        return true;
    else
        return optional_type(detail::received<Args...>::from(std::move(**to)));
}

template <typename Executor, typename Signature, typename Error, typename... Args>
void basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::reset() noexcept
{
    // Destroys what it takes.
    struct sink : detail::receiver_as<sink, message_type>
    {
        bool take(message_type&& p) noexcept
        {
            message_type const taken(std::move(p));
            return true;
        }
    } to;
    core_.yielding.take_all();
    core_.state.reset(to, detail::resume_waiters());
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename T>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::send_from(T& value)
{
    static_assert(sizeof...(Args) == 1 && std::is_same<T, value_type>::value,
        "a variable of the value's type");
    return detail::send_from_request<basic_channel>(*this, value);
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename Buffer>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::receive_some(
    Buffer& buffer)
{
    static_assert(!std::is_same<Error, std::exception_ptr>::value,
        "how many there are comes with an error code");
    static_assert(sizeof...(Args) == 1 && std::is_nothrow_move_assignable<value_type>::value,
        "values are moved into the buffer on behalf of the receiver: nothing can be thrown");
    if (std::size(buffer) == 0)
        throw std::invalid_argument("weft::channel: a buffer without room");
    return detail::receive_some_request<basic_channel>(*this, std::data(buffer), std::size(buffer));
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_send(
    Error error, Args... values, CompletionToken&& token)
{
    return detail::start_wait_as<send_request>(std::forward<CompletionToken>(token), *this,
        std::move(error), std::forward<Args>(values)...);
}

template <typename Executor, typename Signature, typename Error, typename... Args>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_send(
    Error error, Args... values)
{
    return detail::start_wait_as_default<send_request>(
        *this, std::move(error), std::forward<Args>(values)...);
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_send(
    Args... values, CompletionToken&& token)
{
    return async_send(Error(), std::forward<Args>(values)..., std::forward<CompletionToken>(token));
}

template <typename Executor, typename Signature, typename Error, typename... Args>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_send(
    Args... values)
{
    return async_send(Error(), std::forward<Args>(values)...);
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename T,
    BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_send_from(
    T& value, CompletionToken&& token)
{
    return detail::start_wait(send_from(value), std::forward<CompletionToken>(token));
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename T>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_send_from(
    T& value)
{
    return detail::start_wait(send_from(value));
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename CompletionToken>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_receive(
    CompletionToken&& token)
{
    return detail::start_wait_as<receive_request_for<CompletionToken>>(
        std::forward<CompletionToken>(token), *this);
}

template <typename Executor, typename Signature, typename Error, typename... Args>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_receive()
{
    return detail::start_wait_as_default<receive_request>(*this);
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename Buffer,
    BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code, std::size_t)) CompletionToken>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_receive_some(
    Buffer&& buffer, CompletionToken&& token)
{
    return detail::start_wait(receive_some(buffer), std::forward<CompletionToken>(token));
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename Buffer>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_receive_some(
    Buffer&& buffer)
{
    return detail::start_wait(receive_some(buffer));
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_wait_receive(
    CompletionToken&& token)
{
    return detail::start_wait(
        detail::watch_request<basic_channel, false>(*this), std::forward<CompletionToken>(token));
}

template <typename Executor, typename Signature, typename Error, typename... Args>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_wait_receive()
{
    return detail::start_wait(detail::watch_request<basic_channel, false>(*this));
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_wait_send(
    CompletionToken&& token)
{
    return detail::start_wait(
        detail::watch_request<basic_channel, true>(*this), std::forward<CompletionToken>(token));
}

template <typename Executor, typename Signature, typename Error, typename... Args>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_wait_send()
{
    return detail::start_wait(detail::watch_request<basic_channel, true>(*this));
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename Rep, typename Period,
    BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_send_for(
    std::chrono::duration<Rep, Period> const& time, Args... values, CompletionToken&& token)
{
    return detail::start_timed_wait(send_request(*this, Error(), std::forward<Args>(values)...),
        detail::duration_of(time), std::forward<CompletionToken>(token));
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_send_until(
    std::chrono::steady_clock::time_point const& time, Args... values, CompletionToken&& token)
{
    return detail::start_timed_wait(send_request(*this, Error(), std::forward<Args>(values)...),
        time, std::forward<CompletionToken>(token));
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename Rep, typename Period, typename T,
    BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_send_from_for(
    std::chrono::duration<Rep, Period> const& time, T& value, CompletionToken&& token)
{
    return detail::start_timed_wait(
        send_from(value), detail::duration_of(time), std::forward<CompletionToken>(token));
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename T,
    BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::
    async_send_from_until(
        std::chrono::steady_clock::time_point const& time, T& value, CompletionToken&& token)
{
    return detail::start_timed_wait(send_from(value), time, std::forward<CompletionToken>(token));
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename Rep, typename Period, typename CompletionToken>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_receive_for(
    std::chrono::duration<Rep, Period> const& time, CompletionToken&& token)
{
    return detail::start_timed_wait(receive_request_for<CompletionToken>(*this),
        detail::duration_of(time), std::forward<CompletionToken>(token));
}

template <typename Executor, typename Signature, typename Error, typename... Args>
template <typename CompletionToken>
auto basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>::async_receive_until(
    std::chrono::steady_clock::time_point const& time, CompletionToken&& token)
{
    return detail::start_timed_wait(
        receive_request_for<CompletionToken>(*this), time, std::forward<CompletionToken>(token));
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

#endif // WEFT_IMPL_CHANNEL_HPP
