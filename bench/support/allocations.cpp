// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "allocations.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BENCH_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define BENCH_SANITIZED
#endif

namespace
{

std::atomic<bool> counting{false};
std::atomic<std::uint64_t> allocations{0};

} // namespace

#ifndef BENCH_SANITIZED

namespace
{

inline void count() noexcept
{
    if (counting.load(std::memory_order_relaxed))
        allocations.fetch_add(1, std::memory_order_relaxed);
}

} // namespace

extern "C"
{

    void* __libc_malloc(std::size_t);
    void* __libc_calloc(std::size_t, std::size_t);
    void* __libc_realloc(void*, std::size_t);
    void* __libc_memalign(std::size_t, std::size_t);

    void* malloc(std::size_t size)
    {
        count();
        return __libc_malloc(size);
    }

    void* calloc(std::size_t number, std::size_t size)
    {
        count();
        return __libc_calloc(number, size);
    }

    void* realloc(void* old, std::size_t size)
    {
        count();
        return __libc_realloc(old, size);
    }

    void* memalign(std::size_t alignment, std::size_t size)
    {
        count();
        return __libc_memalign(alignment, size);
    }

    void* aligned_alloc(std::size_t alignment, std::size_t size)
    {
        count();
        return __libc_memalign(alignment, size);
    }

    int posix_memalign(void** result, std::size_t alignment, std::size_t size)
    {
        count();
        void* const memory = __libc_memalign(alignment, size);
        if (memory == nullptr)
            return ENOMEM;
        *result = memory;
        return 0;
    }

} // extern "C"

#endif

namespace bench
{

bool can_count_allocations() noexcept
{
#ifdef BENCH_SANITIZED
    return false;
#else
    return true;
#endif
}

allocation_count::allocation_count() noexcept
{
    allocations.store(0, std::memory_order_relaxed);
    counting.store(true, std::memory_order_seq_cst);
}

allocation_count::~allocation_count()
{
    counting.store(false, std::memory_order_seq_cst);
}

std::uint64_t allocation_count::value() const noexcept
{
    return allocations.load(std::memory_order_relaxed);
}

} // namespace bench
