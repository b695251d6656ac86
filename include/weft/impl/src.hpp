// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_IMPL_SRC_HPP
#define WEFT_IMPL_SRC_HPP

// The library's sources, to be compiled in a program instead of being linked with it:
//
// - in one source of the program, which has nothing but an include of this header in it; or
// - in each that includes weft, if the whole program defines WEFT_HEADER_ONLY. Then weft's other
//   headers include this one, before anything else.

// Where they are installed, and where they are in weft's tree.
#if __has_include("src/weft.ipp")
#include "src/weft.ipp"
#else
#include "../../../src/weft.ipp"
#endif

#endif // WEFT_IMPL_SRC_HPP
