// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_REACTOR_FUNCTION_OF_HPP
#define WEFT_SRC_REACTOR_FUNCTION_OF_HPP

#include <weft/config.hpp>
#include <weft/reactor/operation.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// The address of the function that runs an operation: an instantiation for the type of its
/// handler, which is all that is known of a handler's name.
std::uint64_t function_of(operation const* op) noexcept;

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_REACTOR_FUNCTION_OF_HPP
