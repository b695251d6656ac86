// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_EXAMPLE_HTTP_FILE_SERVER_TARGET_HPP
#define WEFT_EXAMPLE_HTTP_FILE_SERVER_TARGET_HPP

#include <optional>
#include <string>
#include <string_view>

namespace example
{

/// The decoded path that a request's target names, without its query: begins with a slash, leads
/// nowhere above it and has no NUL in it. Empty for a target that is malformed or tries to.
std::optional<std::string> decode_target(std::string_view target);

/// The same target with a slash behind its path, as a reference within this server.
std::string with_trailing_slash(std::string_view target);

} // namespace example

#endif
