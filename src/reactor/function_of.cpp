// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "function_of.hpp"

#include "expose.hpp"

#include <boost/system/error_code.hpp>

#include <cstddef>
#include <type_traits>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

// Whether there is a private member of this name: it makes that here ambiguous.
struct private_name
{
    int func_;
};

template <typename Operation>
struct with_private_name : Operation, private_name
{
};

template <typename Operation>
using no_function = decltype(&with_private_name<Operation>::func_);

static_assert(
    !finds_any<no_function, operation>, WEFT_ASIO_CHANGED("a member scheduler_operation::func_"));

struct function_tag
{
    friend auto member_of(function_tag) noexcept;
};

template struct expose<function_tag, &operation::func_>;

using function_type = void (*)(void*, operation*, boost::system::error_code const&, std::size_t);

static_assert(std::is_same_v<decltype(member_of(function_tag())), function_type operation::*>,
    WEFT_ASIO_CHANGED("void (*scheduler_operation::func_)(void*, scheduler_operation*, "
                      "error_code const&, size_t)"));

} // namespace WEFT_LOCAL

WEFT_INLINE std::uint64_t function_of(operation const* op) noexcept
{
    return reinterpret_cast<std::uintptr_t>(op->*member_of(function_tag()));
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
