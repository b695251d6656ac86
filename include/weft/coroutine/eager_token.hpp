// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_COROUTINE_EAGER_TOKEN_HPP
#define WEFT_COROUTINE_EAGER_TOKEN_HPP

// Completion tokens whose operations need not suspend the coroutine that awaits them.
//
// as_tuple and redirect_error change what the coroutine gets. As Asio has them they make a handler
// of another handler, which is no use to an operation that completes without one; so here it is the
// operation that is changed: `tupled` and `redirected` of eager_start<Start> are what `Start` is
// with other results.

#include <weft/config.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/system/error_code.hpp>

#if WEFT_HAS_EARLY_COMPLETION
#include <boost/asio/use_awaitable.hpp>
#endif

#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

template <typename Start>
class eager_operation;

/// How an operation that `Start` describes is started; whoever has such operations defines it
/// (wait/request_base.hpp). `initiation`, a function object that starts it for a handler, made of
/// std::in_place and a `Start`; `frame_bytes<Handler>` and `start_in(memory, handler, start,
/// ready_result)`, how it waits in a coroutine's frame; `tupled` and `redirected`, what `Start` is
/// if its handler gets a tuple, or no error.
template <typename Start>
struct eager_start;

/// Whether a token is one of those. If so, `start<Start>(token, args...)` is what an asynchronous
/// function returns for the `Start` that `args` make; and `awaits`, whether that is an awaitable.
template <typename Token>
struct eager_token : std::false_type
{
    static constexpr bool awaits = false;
};

template <>
struct eager_token<boost::asio::deferred_t> : std::true_type
{
    static constexpr bool awaits = false;

    template <typename Start, typename... Args>
    static auto start(boost::asio::deferred_t const&, Args&&... args)
    {
        return eager_operation<Start>(std::in_place, std::forward<Args>(args)...);
    }
};

#if WEFT_HAS_EARLY_COMPLETION
template <typename Executor>
struct eager_token<boost::asio::use_awaitable_t<Executor>> : std::true_type
{
    static constexpr bool awaits = true;

    template <typename Start, typename... Args>
    static auto start(boost::asio::use_awaitable_t<Executor> const&, Args&&... args)
    {
        return await(Start(std::forward<Args>(args)...));
    }

private:
    template <typename Start>
    static auto await(Start start)
        -> boost::asio::awaitable<decltype(std::declval<Start&>().result()), Executor>
    {
        co_return co_await eager_operation<Start>(std::in_place, std::move(start));
    }
};
#endif

template <typename Token>
struct eager_token<boost::asio::as_tuple_t<Token>> : eager_token<Token>
{
    template <typename Start, typename... Args>
    static auto start(boost::asio::as_tuple_t<Token> const& token, Args&&... args)
    {
        return eager_token<Token>::template start<typename eager_start<Start>::tupled>(
            token.token_, std::forward<Args>(args)...);
    }
};

/// Whether the handlers of an operation get an error code that can be redirected.
template <typename Signature>
struct begins_with_error : std::false_type
{
};

template <typename... Args>
struct begins_with_error<void(boost::system::error_code, Args...)> : std::true_type
{
};

template <typename Token>
struct eager_token<boost::asio::redirect_error_t<Token>> : eager_token<Token>
{
    template <typename Start, typename... Args>
    static auto start(boost::asio::redirect_error_t<Token> const& token, Args&&... args)
    {
        if constexpr (begins_with_error<typename Start::signature>::value)
            return eager_token<Token>::template start<typename eager_start<Start>::redirected>(
                token.token_, token.ec_, std::forward<Args>(args)...);
        else
            return eager_token<Token>::template start<Start>(
                token.token_, std::forward<Args>(args)...);
    }
};

/// The token that another stands for, which leaves what it adapts to the default of `Executor`.
template <typename Executor, typename Token>
constexpr Token const& whole_token(Token const& token) noexcept
{
    return token;
}

#if WEFT_HAS_PARTIAL_TOKENS
template <typename Executor>
auto whole_token(boost::asio::partial_as_tuple const& token)
{
    return token(boost::asio::default_completion_token_t<Executor>());
}

template <typename Executor>
auto whole_token(boost::asio::partial_redirect_error const& token)
{
    return token(boost::asio::default_completion_token_t<Executor>());
}
#endif

/// The eager_token of that.
template <typename Executor, typename Token>
using eager_token_for = eager_token<
    std::decay_t<decltype(whole_token<Executor>(std::declval<std::decay_t<Token> const&>()))>>;

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_COROUTINE_EAGER_TOKEN_HPP
