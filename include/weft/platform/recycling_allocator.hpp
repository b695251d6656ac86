// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_RECYCLING_ALLOCATOR_HPP
#define WEFT_PLATFORM_RECYCLING_ALLOCATOR_HPP

#include <weft/platform/recycler.hpp>

#include <cstddef>
#include <limits>
#include <new>

namespace weft
{
namespace detail
{

/// The recycler as an allocator: for operations of handlers that have none of their own.
template <typename T>
class recycling_allocator
{
public:
    using value_type = T;

    recycling_allocator() noexcept = default;

    template <typename U>
    recycling_allocator(recycling_allocator<U> const&) noexcept
    {
    }

    T* allocate(std::size_t n)
    {
        if (n > (std::numeric_limits<std::size_t>::max)() / sizeof(T))
            throw std::bad_alloc();
        if constexpr (over_aligned)
            return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(alignof(T))));
        else
            return static_cast<T*>(recycler_allocate(n * sizeof(T)));
    }

    void deallocate(T* p, std::size_t n) noexcept
    {
        if constexpr (over_aligned)
            ::operator delete(p, std::align_val_t(alignof(T)));
        else
            recycler_deallocate(p, n * sizeof(T));
    }

    template <typename U>
    friend bool operator==(recycling_allocator const&, recycling_allocator<U> const&) noexcept
    {
        return true;
    }

    template <typename U>
    friend bool operator!=(recycling_allocator const&, recycling_allocator<U> const&) noexcept
    {
        return false;
    }

private:
    static constexpr bool over_aligned = alignof(T) > alignof(std::max_align_t);
};

/// To be rebound.
template <>
class recycling_allocator<void>
{
public:
    using value_type = void;

    recycling_allocator() noexcept = default;

    template <typename U>
    recycling_allocator(recycling_allocator<U> const&) noexcept
    {
    }

    template <typename U>
    struct rebind
    {
        using other = recycling_allocator<U>;
    };

    friend bool operator==(recycling_allocator const&, recycling_allocator const&) noexcept
    {
        return true;
    }

    friend bool operator!=(recycling_allocator const&, recycling_allocator const&) noexcept
    {
        return false;
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_PLATFORM_RECYCLING_ALLOCATOR_HPP
