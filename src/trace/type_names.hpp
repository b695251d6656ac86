// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_TRACE_TYPE_NAMES_HPP
#define WEFT_SRC_TRACE_TYPE_NAMES_HPP

// What a handler is called, out of the symbol of the function that runs its operation.

#include <string>
#include <string_view>

namespace weft
{
namespace detail
{

/// The handler of which this is the demangled operation: without what wraps it, without the
/// namespaces that each name has, of bounded length.
std::string handler_name(std::string_view function);

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_TRACE_TYPE_NAMES_HPP
