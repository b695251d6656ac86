// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_REACTOR_INSIDES_HPP
#define WEFT_REACTOR_INSIDES_HPP

// What weft relies on inside Asio is promised by nobody and changes between versions. Each header
// of this folder says first what it expects, in static assertions whose sentence
// (WEFT_ASIO_CHANGED) names it; what a name means is held by test/reactor, as no compiler can see
// that.

#include <weft/config.hpp>

#include <type_traits>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

struct no_answer;

template <template <typename...> class Query, typename Void, typename... Args>
struct answer_to
{
    using type = no_answer;
};

template <template <typename...> class Query, typename... Args>
struct answer_to<Query, std::void_t<Query<Args...>>, Args...>
{
    using type = Query<Args...>;
};

/// Whether `Query<Args...>` is a type, and this one.
template <typename Expected, template <typename...> class Query, typename... Args>
constexpr bool finds = std::is_same_v<typename answer_to<Query, void, Args...>::type, Expected>;

/// Whether `Query<Args...>` is a type.
template <template <typename...> class Query, typename... Args>
constexpr bool finds_any = !finds<no_answer, Query, Args...>;

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_REACTOR_INSIDES_HPP
