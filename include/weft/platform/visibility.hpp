// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_VISIBILITY_HPP
#define WEFT_PLATFORM_VISIBILITY_HPP

/// For what the library defines and headers or programs use: exported from a shared library, also
/// from one that is compiled with -fvisibility=hidden. Whoever links the shared library defines
/// WEFT_DYN_LINK, as its CMake target does for all. (On Linux what exports a symbol also imports
/// it; there is nothing to tell apart.)
#if defined(WEFT_DYN_LINK)
#define WEFT_DECL [[gnu::visibility("default")]]
#else
#define WEFT_DECL
#endif

/// For variables that are defined in headers and must be the same in all shared objects of a
/// program, also in those that are compiled with -fvisibility=hidden. The shared library defines
/// all of them (src/one_in_program.cpp): what only a program and a plugin define, the plugin does
/// not find in the program.
#if defined(WEFT_DEFINE_ONE_IN_PROGRAM)
#define WEFT_ONE_IN_PROGRAM [[gnu::visibility("default"), gnu::used]]
#else
#define WEFT_ONE_IN_PROGRAM [[gnu::visibility("default")]]
#endif

/// How the library's sources are compiled: into a library, or, if the whole program defines
/// WEFT_HEADER_ONLY, into each source of the program that includes weft (src/weft.ipp). Each
/// function and variable that a source defines is WEFT_INLINE. What it has for itself is in an
/// inline namespace WEFT_LOCAL, which has no name in the library; where several sources of a
/// program have it, it has one, for it must be the same in all of them.
#if !defined(WEFT_HEADER_ONLY)
#define WEFT_INLINE
#define WEFT_LOCAL
#elif defined(WEFT_DYN_LINK)
#error "WEFT_DYN_LINK is for users of weft's shared library; with WEFT_HEADER_ONLY there is none"
#else
#define WEFT_INLINE inline
#define WEFT_LOCAL local
#endif

#endif // WEFT_PLATFORM_VISIBILITY_HPP
