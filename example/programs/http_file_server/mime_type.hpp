// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_EXAMPLE_HTTP_FILE_SERVER_MIME_TYPE_HPP
#define WEFT_EXAMPLE_HTTP_FILE_SERVER_MIME_TYPE_HPP

#include <string_view>

namespace example
{

/// The media type that a file name's extension stands for, in any case of letters.
std::string_view mime_type(std::string_view path) noexcept;

} // namespace example

#endif
