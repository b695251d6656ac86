// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_REACTOR_EXPOSE_HPP
#define WEFT_SRC_REACTOR_EXPOSE_HPP

#include <weft/config.hpp>
#include <weft/platform/visibility.hpp>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

// The function that a tag declares is one of the namespace that the tag is in, and must be the one
// that is defined here.
inline namespace WEFT_LOCAL
{

/// Access to a private member through an explicit instantiation, which ignores access rights.
///
/// @code
/// struct member_tag
/// {
///     friend auto member_of(member_tag) noexcept;
/// };
///
/// template struct expose<member_tag, &owner::member_>;
///
/// object.*member_of(member_tag()) = value;
/// @endcode
template <typename Tag, auto Member>
struct expose
{
    friend auto member_of(Tag) noexcept
    {
        return Member;
    }
};

} // namespace WEFT_LOCAL
} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_REACTOR_EXPOSE_HPP
