// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_ADAPTED_REQUEST_HPP
#define WEFT_WAIT_ADAPTED_REQUEST_HPP

// Requests whose handlers get what as_tuple and redirect_error make of it. They are the same
// otherwise.

#include <weft/config.hpp>
#include <weft/wait/request_base.hpp>

#include <boost/system/error_code.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

template <typename Signature>
struct tupled_signature;

template <typename... Args>
struct tupled_signature<void(Args...)>
{
    using tuple = std::tuple<std::decay_t<Args>...>;
    using type = void(tuple);
};

/// A request whose handler gets a tuple.
template <typename Request>
class tupled_request : public Request
{
    using tuple = typename tupled_signature<typename Request::signature>::tuple;

public:
    using signature = typename tupled_signature<typename Request::signature>::type;

    template <typename... Args,
        typename = std::enable_if_t<std::is_constructible<Request, Args...>::value>>
    explicit tupled_request(Args&&... args) : Request(std::forward<Args>(args)...)
    {
    }

    template <typename Handler>
    void deliver(Handler& handler, boost::system::error_code const& ec)
    {
        auto const collect = [&handler](auto&&... args)
        {
            std::move(handler)(tuple(std::forward<decltype(args)>(args)...));
        };
        Request::deliver(collect, ec);
    }

    tuple result()
    {
        return Request::arguments();
    }

    std::tuple<tuple> arguments()
    {
        return std::tuple<tuple>(Request::arguments());
    }
};

template <typename Signature>
struct redirected_signature;

template <typename... Args>
struct redirected_signature<void(boost::system::error_code, Args...)>
{
    using tuple = std::tuple<std::decay_t<Args>...>;
    using type = void(Args...);
};

/// A request whose handler gets no error: that is in a variable.
template <typename Request>
class redirected_request : public Request
{
    using tuple = typename redirected_signature<typename Request::signature>::tuple;

public:
    using signature = typename redirected_signature<typename Request::signature>::type;

    template <typename... Args,
        typename = std::enable_if_t<std::is_constructible<Request, Args...>::value>>
    explicit redirected_request(boost::system::error_code& to, Args&&... args)
        : Request(std::forward<Args>(args)...), to_(&to)
    {
    }

    template <typename Handler>
    void deliver(Handler& handler, boost::system::error_code const& ec)
    {
        auto const redirect = [this, &handler](
                                  boost::system::error_code const& error, auto&&... rest)
        {
            *to_ = error;
            std::move(handler)(std::forward<decltype(rest)>(rest)...);
        };
        Request::deliver(redirect, ec);
    }

    auto result()
    {
        [[maybe_unused]] tuple rest = arguments();
        if constexpr (std::tuple_size<tuple>::value == 1)
            return std::get<0>(std::move(rest));
        else if constexpr (std::tuple_size<tuple>::value > 1)
            return rest;
    }

    tuple arguments()
    {
        return std::apply(
            [this](boost::system::error_code const& error, auto&... rest)
            {
                *to_ = error;
                return tuple(std::move(rest)...);
            },
            as_lvalue(Request::arguments()));
    }

private:
    template <typename T>
    static T& as_lvalue(T&& value) noexcept
    {
        return value;
    }

    boost::system::error_code* to_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_ADAPTED_REQUEST_HPP
