// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/recycler.hpp>

#include <weft/platform/cache_line.hpp>
#include <weft/platform/mutex.hpp>

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace weft
{
namespace detail
{

namespace
{

// Blocks that change hands at once. A thread keeps at most two batches per class. Guessed; large
// enough for a handler that posts a hundred others to find them all here.
constexpr std::uint32_t batch_size = 64;

// Batches of one class that the depot keeps; what comes beyond goes back to the heap.
constexpr std::size_t depot_limit = 4096;

constexpr std::size_t bytes_of(std::size_t size_class) noexcept
{
    return (size_class + 1) * recycler_granule;
}

void free_all(free_block* block, std::size_t size_class) noexcept
{
    while (block)
    {
        recycler_mark_used(block, bytes_of(size_class));
        free_block* const next = block->next;
        ::operator delete(block);
        block = next;
    }
}

// The batches that nobody uses at the moment.
class depot
{
public:
    // False if there are enough of them.
    bool put(free_block* batch) noexcept
    {
        mutex_.lock();
        bool const kept = count_ < depot_limit;
        if (kept)
        {
            recycler_mark_used(batch, sizeof(free_block));
            batch->next_batch = batches_;
            batches_ = batch;
            ++count_;
        }
        mutex_.unlock();
        return kept;
    }

    free_block* take() noexcept
    {
        mutex_.lock();
        free_block* const batch = batches_;
        if (batch)
        {
            batches_ = batch->next_batch;
            --count_;
        }
        mutex_.unlock();
        return batch;
    }

private:
    alignas(cache_line) mutex mutex_;

    // Guarded by mutex_.
    free_block* batches_ = nullptr;
    std::size_t count_ = 0;
};

// Never destroyed: threads that end after main() still return their blocks.
depot& depot_of(std::size_t size_class)
{
    static depot* const depots = new depot[recycler_classes];
    return depots[size_class];
}

enum class life
{
    unborn,
    open,
    over
};

thread_local life cache_life = life::unborn;

// Returns this thread's blocks when it ends.
struct cache_owner
{
    cache_owner() noexcept
    {
        for (magazine& m : magazines)
            m.limit = batch_size;
    }

    ~cache_owner()
    {
        cache_life = life::over;
        for (std::size_t c = 0; c != recycler_classes; ++c)
        {
            magazine& m = magazines[c];
            if (m.spare && !depot_of(c).put(m.spare))
                free_all(m.spare, c);
            free_all(m.free, c);
            m = {};
        }
    }
};

// Whether this thread may keep blocks; arranges for their return on the first call.
bool open_cache() noexcept
{
    if (cache_life == life::unborn)
    {
        thread_local cache_owner const owner;
        (void)owner;
        cache_life = life::open;
    }
    return cache_life == life::open;
}

} // namespace

void recycler_mark_used(void* block, std::size_t size) noexcept
{
    if (recycler_marks_memory)
        ASAN_UNPOISON_MEMORY_REGION(block, size);
}

void recycler_mark_free(void* block, std::size_t size) noexcept
{
    if (recycler_marks_memory)
        ASAN_POISON_MEMORY_REGION(block, size);
}

void* recycler_refill(std::size_t size_class)
{
    if (open_cache())
    {
        magazine& m = magazines[size_class];
        free_block* batch = m.spare;
        m.spare = nullptr;
        if (!batch)
            batch = depot_of(size_class).take();
        if (batch)
        {
            recycler_mark_used(batch, bytes_of(size_class));
            m.free = batch->next;
            m.count = batch_size - 1;
            return batch;
        }
    }
    return ::operator new(bytes_of(size_class));
}

void recycler_drain(free_block* block, std::size_t size_class) noexcept
{
    if (!open_cache())
    {
        ::operator delete(block);
        return;
    }
    magazine& m = magazines[size_class];
    if (m.count == batch_size)
    {
        // free is a full batch: it becomes the spare, and the older spare goes to the depot.
        if (m.spare && !depot_of(size_class).put(m.spare))
            free_all(m.spare, size_class);
        m.spare = m.free;
        m.free = nullptr;
        m.count = 0;
    }
    block->next = m.free;
    m.free = block;
    ++m.count;
    recycler_mark_free(block, bytes_of(size_class));
}

} // namespace detail
} // namespace weft
