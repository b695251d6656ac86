// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Every malloc of the process passes here, so that a run can be asked how often it allocated. Asio
// takes its handler memory from aligned_alloc, which a replaced operator new would never see.

#ifndef BENCH_SUPPORT_ALLOCATIONS_HPP
#define BENCH_SUPPORT_ALLOCATIONS_HPP

#include <cstdint>

namespace bench
{

// False where the allocator belongs to a sanitizer or to another C library.
bool can_count_allocations() noexcept;

// Counts all threads' allocations while it lives. Timed runs never have one: outside of it an
// allocation costs one look at a word nobody writes.
class allocation_count
{
public:
    allocation_count() noexcept;
    allocation_count(const allocation_count&) = delete;
    allocation_count& operator=(const allocation_count&) = delete;
    ~allocation_count();

    std::uint64_t value() const noexcept;
};

} // namespace bench

#endif
