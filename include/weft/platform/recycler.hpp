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

namespace weft
{
namespace detail
{

/// Returns at least `size` bytes, aligned for any fundamental type. Throws std::bad_alloc.
/// Any thread; constant time and without a lock but for one call in a batch.
void* recycler_allocate(std::size_t size);

/// Takes back what recycler_allocate(size) returned, on any thread.
void recycler_deallocate(void* block, std::size_t size) noexcept;

} // namespace detail
} // namespace weft

#endif // WEFT_PLATFORM_RECYCLER_HPP
