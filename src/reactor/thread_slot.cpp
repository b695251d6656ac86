// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/reactor/thread_slot.hpp>

#include "expose.hpp"

#include <boost/asio/detail/call_stack.hpp>
#include <boost/asio/detail/thread_context.hpp>
#include <boost/asio/detail/thread_info_base.hpp>

#include <type_traits>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

namespace asio = boost::asio;
using stack_entry =
    asio::detail::call_stack<asio::detail::thread_context, asio::detail::thread_info_base>::context;

struct key_tag
{
    friend auto member_of(key_tag) noexcept;
};

template struct expose<key_tag, &stack_entry::key_>;

static_assert(
    std::is_same_v<decltype(member_of(key_tag())), asio::detail::thread_context * stack_entry::*>,
    WEFT_ASIO_CHANGED("thread_context* call_stack::context::key_"));

struct value_tag
{
    friend auto member_of(value_tag) noexcept;
};

template struct expose<value_tag, &stack_entry::value_>;

static_assert(std::is_same_v<decltype(member_of(value_tag())),
                  asio::detail::thread_info_base * stack_entry::*>,
    WEFT_ASIO_CHANGED("thread_info_base* call_stack::context::value_"));

} // namespace WEFT_LOCAL

// Nobody looks for a null key, and whoever asks for the innermost slot takes null for none.
WEFT_INLINE void thread_entry::hide() noexcept
{
    context_.*member_of(key_tag()) = nullptr;
    context_.*member_of(value_tag()) = nullptr;
}

WEFT_INLINE void thread_entry::show(asio::detail::scheduler& inner, thread_slot& slot) noexcept
{
    context_.*member_of(key_tag()) = &inner;
    context_.*member_of(value_tag()) = &slot.info_;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
