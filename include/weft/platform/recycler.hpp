// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_RECYCLER_HPP
#define WEFT_PLATFORM_RECYCLER_HPP

// Memory for handlers in flight: allocated by one thread, freed by whichever thread ran the handler,
// millions of times a second. Each thread keeps a stack of free blocks per size class and trades
// them in batches with a depot that all threads share, so that a thread which only posts and one
// which only runs meet at the depot's lock once per batch and not once per handler.
//
// Source: Bonwick and Adams, "Magazines and Vmem" (2001). Changed: a batch is a linked list of the
// free blocks themselves, so that nothing is allocated to keep track of what is free.

#include <cstddef>
#include <cstdint>
#include <new>

namespace weft
{
namespace detail
{

// Sizes in steps of 16 bytes up to 1 KiB, which handlers of composed operations seldom exceed
// (guessed). Larger blocks go to the heap.
inline constexpr std::size_t recycler_granule = 16;
inline constexpr std::size_t recycler_classes = 64;

/// A block that nobody uses, and its links.
struct free_block
{
    free_block* next;       // in its batch
    free_block* next_batch; // of the first block of a batch, in the depot
};

/// One thread's free blocks of one class: the stack in use, and one full batch behind it, so that a
/// thread at the edge of a batch does not go to the depot for every block.
struct magazine
{
    free_block* free;
    free_block* spare;
    std::uint32_t count; // of free
    std::uint32_t limit; // of free; 0 until the thread's first use, and after its last
};

/// Constant-initialised and trivially destructible: an access is one address computation, and stays
/// valid to the very end of the thread.
inline thread_local magazine magazines[recycler_classes]{};

// The way through the depot or the heap.
void* recycler_refill(std::size_t size_class);
void recycler_drain(free_block* block, std::size_t size_class) noexcept;

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
void recycler_mark_used(void* block, std::size_t size) noexcept;
void recycler_mark_free(void* block, std::size_t size) noexcept;

/// Returns at least `size` bytes, aligned for any fundamental type. Throws std::bad_alloc. Any
/// thread; constant time, and without a lock but for one call in a batch.
inline void* recycler_allocate(std::size_t size)
{
    std::size_t const size_class = (size - 1) / recycler_granule;
    if (size_class >= recycler_classes)
        return ::operator new(size);
    magazine& m = magazines[size_class];
    free_block* const block = m.free;
    if (!block)
        return recycler_refill(size_class);
    if (recycler_marks_memory)
        recycler_mark_used(block, size);
    m.free = block->next;
    --m.count;
    return block;
}

/// Takes back what recycler_allocate(size) returned, on any thread.
inline void recycler_deallocate(void* pointer, std::size_t size) noexcept
{
    std::size_t const size_class = (size - 1) / recycler_granule;
    if (size_class >= recycler_classes)
    {
        ::operator delete(pointer);
        return;
    }
    magazine& m = magazines[size_class];
    auto* const block = ::new (pointer) free_block;
    if (m.count == m.limit)
    {
        recycler_drain(block, size_class);
        return;
    }
    block->next = m.free;
    m.free = block;
    ++m.count;
    if (recycler_marks_memory)
        recycler_mark_free(block, size);
}

} // namespace detail
} // namespace weft

#endif // WEFT_PLATFORM_RECYCLER_HPP
