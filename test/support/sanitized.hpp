// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_SUPPORT_SANITIZED_HPP
#define WEFT_TEST_SUPPORT_SANITIZED_HPP

// Sanitizers have memory, and ThreadSanitizer also a thread, of their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WEFT_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WEFT_TEST_SANITIZED 1
#endif
#endif
#if !defined(WEFT_TEST_SANITIZED)
#define WEFT_TEST_SANITIZED 0
#endif

#endif // WEFT_TEST_SUPPORT_SANITIZED_HPP
