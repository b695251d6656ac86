// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_VERSION_HPP
#define WEFT_VERSION_HPP

// Read by CMakeLists.txt as text: keep one definition a line.
#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 2
#define WEFT_VERSION_PATCH 0

/// The version as one number, in Boost.Asio's form: major * 100000 + minor * 100 + patch.
#define WEFT_VERSION (WEFT_VERSION_MAJOR * 100000 + WEFT_VERSION_MINOR * 100 + WEFT_VERSION_PATCH)

#endif // WEFT_VERSION_HPP
