// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_CHANNEL_SIGNATURE_HPP
#define WEFT_WAIT_CHANNEL_SIGNATURE_HPP

// What the signature of a channel says: how errors are told, and what the values are.

#include <weft/config.hpp>

#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <exception>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// In the place of an error, where a signature has none.
struct no_error
{
};

/// The parts of a signature.
template <typename Error, typename... Args>
struct channel_form
{
};

template <typename Signature>
struct channel_form_of
{
    static_assert(sizeof(Signature*) == 0, "the signature of a channel is that of a function");
};

template <typename Result, typename... Args>
struct channel_form_of<Result(Args...)>
{
    using type = channel_form<no_error, Args...>;
};

template <typename Result, typename... Args>
struct channel_form_of<Result(boost::system::error_code, Args...)>
{
    using type = channel_form<boost::system::error_code, Args...>;
};

template <typename Result, typename... Args>
struct channel_form_of<Result(std::exception_ptr, Args...)>
{
    using type = channel_form<std::exception_ptr, Args...>;
};

/// The signature that stands for a type.
template <typename T>
struct channel_signature
{
    using type = void(boost::system::error_code, T);
};

template <>
struct channel_signature<void>
{
    using type = void(boost::system::error_code);
};

template <typename Result, typename... Ts>
struct channel_signature<Result(Ts...)>
{
    using type = Result(Ts...);
};

/// How an operation that has failed says so: as its messages do, or by an error code.
template <typename Error>
struct channel_failure
{
    using type = boost::system::error_code;

    static type of(no_error) noexcept
    {
        return {};
    }

    static type of(type const& ec) noexcept
    {
        return ec;
    }

    [[noreturn]] static void raise(type const& ec)
    {
        throw boost::system::system_error(ec);
    }
};

template <>
struct channel_failure<std::exception_ptr>
{
    using type = std::exception_ptr;

    static type of(boost::system::error_code const& ec) noexcept
    {
        return std::make_exception_ptr(boost::system::system_error(ec));
    }

    static type of(type e) noexcept
    {
        return e;
    }

    [[noreturn]] static void raise(type e)
    {
        std::rethrow_exception(std::move(e));
    }
};

/// What one send takes along: the error that the receiver's handler gets, and its values.
template <typename Error, typename... Args>
using message_parts = std::tuple<Error, std::decay_t<Args>...>;

/// Calls a receiver's handler.
template <typename Handler, typename Error, typename... Ts>
void call_with(Handler&& handler, std::tuple<Error, Ts...>& m)
{
    std::apply(
        [&](auto& error, auto&... values)
        {
            if constexpr (std::is_same<Error, no_error>::value)
                std::forward<Handler>(handler)(std::move(values)...);
            else
                std::forward<Handler>(handler)(std::move(error), std::move(values)...);
        },
        m);
}

/// What a receive returns: nothing, the value, or a tuple of the values.
template <typename... Args>
struct received
{
    using type = std::tuple<std::decay_t<Args>...>;
    using optional_type = std::optional<type>;

    template <typename Message>
    static type from(Message&& m)
    {
        return std::apply([](auto&, auto&... values) { return type(std::move(values)...); }, m);
    }
};

template <typename Arg>
struct received<Arg>
{
    using type = std::decay_t<Arg>;
    using optional_type = std::optional<type>;

    template <typename Message>
    static type from(Message&& m)
    {
        return std::get<1>(std::forward<Message>(m));
    }
};

template <>
struct received<>
{
    using type = void;
    using optional_type = bool;

    template <typename Message>
    static void from(Message&&) noexcept
    {
    }
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_CHANNEL_SIGNATURE_HPP
