// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Counts, and on demand refuses, every allocation of the program. Replaces the global allocation
// functions and glibc's aligned ones (Asio calls std::aligned_alloc), so it is included by exactly
// one source of a program.

#ifndef WEFT_TEST_PARITY_COUNTED_NEW_HPP
#define WEFT_TEST_PARITY_COUNTED_NEW_HPP

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace test
{

struct allocations
{
    // Of all threads, and of this one.
    static inline std::atomic<std::size_t> count = 0;
    static inline thread_local std::size_t own_count = 0;

    // How many more allocations of this thread succeed; what that is for a thread that has made
    // none yet.
    static constexpr long unlimited = -1;
    static inline std::atomic<long> first_allowance = unlimited;
    static inline thread_local long allowance = first_allowance;

    static bool refused() noexcept
    {
        return allowance != unlimited && (allowance == 0 || (--allowance, false));
    }

    static void* account(void* block) noexcept
    {
        count.fetch_add(1, std::memory_order_relaxed);
        ++own_count;
        return block;
    }

    static void* plain(std::size_t size) noexcept
    {
        return refused() ? nullptr : account(std::malloc(size == 0 ? 1 : size));
    }

    static void* aligned(std::size_t alignment, std::size_t size) noexcept
    {
        return refused() ? nullptr : account(::memalign(alignment, size == 0 ? 1 : size));
    }

    static void* or_throw(void* block)
    {
        if (block == nullptr)
            throw std::bad_alloc();
        return block;
    }
};

// While one of these exists, threads that have not allocated yet get no memory.
struct no_memory_for_new_threads
{
    no_memory_for_new_threads()
    {
        allocations::first_allowance = 0;
    }

    ~no_memory_for_new_threads()
    {
        allocations::first_allowance = allocations::unlimited;
    }

    no_memory_for_new_threads(const no_memory_for_new_threads&) = delete;
    no_memory_for_new_threads& operator=(const no_memory_for_new_threads&) = delete;
};

// Allocations of this thread while `body` runs.
template <class Function>
std::size_t allocations_in(Function&& body)
{
    const std::size_t before = allocations::own_count;
    body();
    return allocations::own_count - before;
}

// Whether `body` ends in std::bad_alloc when this thread gets only `allowance` more allocations.
template <class Function>
bool out_of_memory_in(Function&& body, long allowance = 0)
{
    struct restored
    {
        ~restored()
        {
            allocations::allowance = allocations::unlimited;
        }
    };
    const restored on_exit;
    allocations::allowance = allowance;
    try
    {
        body();
    }
    catch (const std::bad_alloc&)
    {
        return true;
    }
    return false;
}

} // namespace test

// Never inlined: the compiler would see malloc and free, and take them for a mismatch.
// clang-format off
[[gnu::noinline]] void* operator new(std::size_t n) { return test::allocations::or_throw(test::allocations::plain(n)); }
[[gnu::noinline]] void* operator new[](std::size_t n) { return test::allocations::or_throw(test::allocations::plain(n)); }
[[gnu::noinline]] void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return test::allocations::plain(n); }
[[gnu::noinline]] void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return test::allocations::plain(n); }
[[gnu::noinline]] void* operator new(std::size_t n, std::align_val_t a) { return test::allocations::or_throw(test::allocations::aligned(std::size_t(a), n)); }
[[gnu::noinline]] void* operator new[](std::size_t n, std::align_val_t a) { return test::allocations::or_throw(test::allocations::aligned(std::size_t(a), n)); }
[[gnu::noinline]] void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { return test::allocations::aligned(std::size_t(a), n); }
[[gnu::noinline]] void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { return test::allocations::aligned(std::size_t(a), n); }
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }
// clang-format on

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept
{
    return test::allocations::aligned(alignment, size);
}

extern "C" int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept
{
    *block = test::allocations::aligned(alignment, size);
    return *block == nullptr ? ENOMEM : 0;
}

#endif
