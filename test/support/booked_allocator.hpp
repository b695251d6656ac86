// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_SUPPORT_BOOKED_ALLOCATOR_HPP
#define WEFT_TEST_SUPPORT_BOOKED_ALLOCATOR_HPP

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>

namespace test
{

/// What an allocator and its copies have given, and got back.
struct book
{
    std::atomic<int> allocations = 0;
    std::atomic<int> deallocations = 0;
    std::atomic<std::size_t> bytes = 0;
    bool refuse = false;

    int alive() const
    {
        return allocations - deallocations;
    }
};

template <class T = void>
struct booked_allocator
{
    using value_type = T;

    explicit booked_allocator(test::book& b) noexcept : book(&b)
    {
    }

    template <class U>
    booked_allocator(booked_allocator<U> const& other) noexcept : book(other.book)
    {
    }

    T* allocate(std::size_t n)
    {
        if (book->refuse)
            throw std::bad_alloc();
        ++book->allocations;
        book->bytes += n * sizeof(T);
        return std::allocator<T>().allocate(n);
    }

    void deallocate(T* p, std::size_t n) noexcept
    {
        book->bytes -= n * sizeof(T);
        ++book->deallocations;
        std::allocator<T>().deallocate(p, n);
    }

    template <class U>
    friend bool operator==(booked_allocator const& a, booked_allocator<U> const& b) noexcept
    {
        return a.book == b.book;
    }

    test::book* book;
};

} // namespace test

#endif
