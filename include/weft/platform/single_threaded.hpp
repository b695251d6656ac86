// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_SINGLE_THREADED_HPP
#define WEFT_PLATFORM_SINGLE_THREADED_HPP

#if !defined(WEFT_ATOMICS_HEADER) && defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#define WEFT_HAS_LIBC_SINGLE_THREADED
#include <sys/single_threaded.h>
#endif
#endif

namespace weft
{
namespace detail
{

/// Whether the calling thread is the only one of the process, as far as the C library knows: true
/// until the process starts a second one. Who starts it synchronises with it, so that until then no
/// word that threads share needs a fence or a locked instruction, which take 5 ns each where all
/// else of a handler takes 10 (glibc's own mutexes and std::shared_ptr do the same).
inline bool process_is_single_threaded() noexcept
{
#if defined(WEFT_HAS_LIBC_SINGLE_THREADED)
    return __libc_single_threaded != 0;
#else
    return false;
#endif
}

} // namespace detail
} // namespace weft

#undef WEFT_HAS_LIBC_SINGLE_THREADED

#endif // WEFT_PLATFORM_SINGLE_THREADED_HPP
