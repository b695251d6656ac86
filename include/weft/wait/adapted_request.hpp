// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_ADAPTED_REQUEST_HPP
#define WEFT_WAIT_ADAPTED_REQUEST_HPP

// Requests whose handlers get what as_tuple and redirect_error make of it.

#include <weft/config.hpp>
#include <weft/wait/request.hpp>

#include <boost/system/error_code.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// A request that delivers something else than `Request`, and is the same otherwise.
template <typename Derived, typename Request>
class adapted_request : public Request
{
public:
    using initiation = initiate_wait<Derived>;
    using tupled = tupled_request<Derived>;
    using redirected = redirected_request<Derived>;

    template <typename Handler>
    static constexpr std::size_t frame_bytes = sizeof(wait_op<Handler, Derived, frame_memory>);

    template <typename Handler>
    void start_in(void* memory, Handler&& handler, ready_result found)
    {
        start_in_frame(
            memory, std::forward<Handler>(handler), std::move(static_cast<Derived&>(*this)), found);
    }

protected:
    template <typename... Args>
    explicit adapted_request(std::in_place_t, Args&&... args) : Request(std::forward<Args>(args)...)
    {
    }
};

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
class tupled_request : public adapted_request<tupled_request<Request>, Request>
{
    using base = adapted_request<tupled_request, Request>;
    using tuple = typename tupled_signature<typename Request::signature>::tuple;

public:
    using signature = typename tupled_signature<typename Request::signature>::type;

    template <typename... Args,
        typename = std::enable_if_t<std::is_constructible<Request, Args...>::value>>
    explicit tupled_request(Args&&... args) : base(std::in_place, std::forward<Args>(args)...)
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
class redirected_request : public adapted_request<redirected_request<Request>, Request>
{
    using base = adapted_request<redirected_request, Request>;
    using tuple = typename redirected_signature<typename Request::signature>::tuple;

public:
    using signature = typename redirected_signature<typename Request::signature>::type;

    template <typename... Args,
        typename = std::enable_if_t<std::is_constructible<Request, Args...>::value>>
    explicit redirected_request(boost::system::error_code& to, Args&&... args)
        : base(std::in_place, std::forward<Args>(args)...), to_(&to)
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
