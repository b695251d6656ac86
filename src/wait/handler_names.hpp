// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_WAIT_HANDLER_NAMES_HPP
#define WEFT_SRC_WAIT_HANDLER_NAMES_HPP

// What the handlers of operations are called, for people to read.

#include <weft/config.hpp>
#include <weft/platform/visibility.hpp>

#include "../platform/symbols.hpp"

#include <string>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// The first argument of the first template in the name of a function, as of
/// "detail::wait_op<f(int)::{lambda()#1}, request>::run(bool)"; empty if there is none.
WEFT_DECL std::string first_argument_of_class(std::string const& function);

/// The name of something without the configuration of Asio that all of weft's names have in them.
WEFT_DECL std::string without_configuration(std::string name);

/// The type of the handler of an operation that waits, whose wait_op_base::code() this is; empty if
/// the program has no symbols. Throws std::bad_alloc.
std::string handler_of_waiter(symbols const& names, void const* code);

/// Whether it is how Asio resumes a coroutine that waits for nothing else.
WEFT_DECL bool is_coroutine(std::string const& handler) noexcept;

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_WAIT_HANDLER_NAMES_HPP
