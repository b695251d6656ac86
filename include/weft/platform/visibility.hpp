// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_VISIBILITY_HPP
#define WEFT_PLATFORM_VISIBILITY_HPP

/// For variables that are defined in headers and must be the same in all shared objects of a
/// program, also in those that are compiled with -fvisibility=hidden.
#define WEFT_ONE_IN_PROGRAM [[gnu::visibility("default")]]

#endif // WEFT_PLATFORM_VISIBILITY_HPP
