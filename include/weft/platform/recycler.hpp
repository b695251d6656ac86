// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_RECYCLER_HPP
#define WEFT_PLATFORM_RECYCLER_HPP

// Memory for handlers in flight and for the frames of coroutines: allocated by one thread, freed by
// whichever thread ran the handler, millions of times a second. Each thread keeps magazines of free
// blocks, two for each size class, and trades full ones against empty ones with a depot that all
// threads share: a thread which only posts and one which only runs meet at the depot's lock once
// per magazine and not once per handler.
//
// Source: Bonwick and Adams, "Magazines and Vmem" (2001). A magazine is an array of pointers and
// not a list through the free blocks: a block that was freed long ago is cold, and to read its link
// would make the next allocation wait for memory, where writing to it does not (measured: twice
// the time for a fork-join of 240,000 handlers).

#include <weft/platform/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace weft
{
namespace detail
{

// Sizes in steps of 16 bytes up to 1 KiB, which handlers of composed operations seldom exceed, and
// then four to each power of two up to 16 KiB, which the frames of coroutines seldom exceed (both
// guessed). Larger blocks go to the heap.
inline constexpr std::size_t recycler_granule = 16;
inline constexpr std::size_t recycler_fine_classes = 64;
inline constexpr std::size_t recycler_classes = recycler_fine_classes + 16;
inline constexpr std::size_t recycler_max_size = 16 * 1024;

/// The class of blocks that have `size` bytes, which are at least one and at most
/// recycler_max_size.
constexpr std::size_t recycler_class_of(std::size_t size) noexcept
{
    std::size_t const last = size - 1;
    if (last < recycler_fine_classes * recycler_granule)
        return last / recycler_granule;
    std::size_t quarter = 256;
    std::size_t first = recycler_fine_classes;
    for (; last >= 8 * quarter; quarter *= 2)
        first += 4;
    return first + last / quarter - 4;
}

/// The size of the blocks of a class.
constexpr std::size_t recycler_block_size(std::size_t size_class) noexcept
{
    if (size_class < recycler_fine_classes)
        return (size_class + 1) * recycler_granule;
    std::size_t const coarse = size_class - recycler_fine_classes;
    return (coarse % 4 + 5) * (std::size_t(256) << coarse / 4);
}

static_assert(recycler_block_size(recycler_classes - 1) == recycler_max_size &&
                  recycler_class_of(recycler_max_size) == recycler_classes - 1,
    "each class has its size");

/// Free blocks of one class.
struct magazine
{
    // What makes 512 bytes of a magazine. Guessed; two are enough for a handler that posts a
    // hundred.
    static constexpr std::uint32_t capacity = 62;

    magazine* next;      // in the depot
    std::uint32_t count; // of blocks
    std::uint32_t limit; // capacity, fewer for large blocks, or 0 in no_magazine
    void* blocks[capacity];
};

/// Stands for the magazine of a thread that has none: empty and full at once. Never written.
WEFT_ONE_IN_PROGRAM inline magazine no_magazine{};

/// What a thread keeps of one class: the magazine in use, and another, so that a thread at the edge
/// of one does not go to the depot for every block.
struct thread_magazines
{
    magazine* loaded = &no_magazine;
    magazine* spare = &no_magazine;
};

/// Constant-initialised and trivially destructible: an access is one address computation, and stays
/// valid to the very end of the thread.
WEFT_ONE_IN_PROGRAM inline thread_local thread_magazines recycled[recycler_classes];

// The way through the spare magazine, the depot, or the heap.
WEFT_DECL void* recycler_refill(std::size_t size_class);
WEFT_DECL void recycler_drain(void* block, std::size_t size_class) noexcept;

// For tools that find uses of freed memory.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool recycler_marks_memory = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool recycler_marks_memory = true;
#else
inline constexpr bool recycler_marks_memory = false;
#endif
#else
inline constexpr bool recycler_marks_memory = false;
#endif
WEFT_DECL void recycler_mark_used(void* block, std::size_t size) noexcept;
WEFT_DECL void recycler_mark_free(void* block, std::size_t size) noexcept;

/// Returns at least `size` bytes, which is not 0, aligned for any fundamental type. Throws
/// std::bad_alloc. Any thread; constant time, and without a lock but for one call in a magazine.
inline void* recycler_allocate(std::size_t size)
{
    if (size > recycler_max_size)
        return ::operator new(size);
    std::size_t const size_class = recycler_class_of(size);
    magazine* const m = recycled[size_class].loaded;
    if (m->count == 0)
        return recycler_refill(size_class);
    void* const block = m->blocks[--m->count];
    if (recycler_marks_memory)
        recycler_mark_used(block, size);
    return block;
}

/// Takes back what recycler_allocate(size) returned, on any thread.
inline void recycler_deallocate(void* block, std::size_t size) noexcept
{
    if (size > recycler_max_size)
    {
        ::operator delete(block);
        return;
    }
    std::size_t const size_class = recycler_class_of(size);
    magazine* const m = recycled[size_class].loaded;
    if (m->count == m->limit)
    {
        recycler_drain(block, size_class);
        return;
    }
    if (recycler_marks_memory)
        recycler_mark_free(block, size);
    m->blocks[m->count++] = block;
}

} // namespace detail
} // namespace weft

#endif // WEFT_PLATFORM_RECYCLER_HPP
