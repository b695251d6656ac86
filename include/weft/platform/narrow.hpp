// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_NARROW_HPP
#define WEFT_PLATFORM_NARROW_HPP

namespace weft
{
namespace detail
{

/// `value`, which the type can hold, as an integer type that is narrower on some machines. On the
/// others a static_cast is a useless cast, of which g++ warns; but not in a template.
template <typename To, typename From>
constexpr To narrow(From value) noexcept
{
    return static_cast<To>(value);
}

} // namespace detail
} // namespace weft

#endif // WEFT_PLATFORM_NARROW_HPP
