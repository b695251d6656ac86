// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_TRACE_WHERE_HPP
#define WEFT_SRC_TRACE_WHERE_HPP

#include <string>

namespace weft
{
namespace detail
{

/// Where the environment variable WEFT_TRACE wants the timeline of one more context; empty:
/// nowhere. The second context of the process and those after it get a number before the file's
/// extension. Throws std::bad_alloc.
std::string next_path_of_environment();

/// The path with that number in it, unless it is 1.
std::string numbered(std::string path, unsigned number);

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_TRACE_WHERE_HPP
