// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/recycler.hpp>

#include <weft/platform/cache_line.hpp>
#include <weft/platform/mutex.hpp>

#include <cstdint>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#endif
#endif
#if !defined(ASAN_POISON_MEMORY_REGION)
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace weft
{
namespace detail
{

namespace
{

// Sizes in steps of 64 bytes up to 1 KiB, which handlers of composed operations seldom exceed
// (guessed). Larger blocks go to the heap.
constexpr std::size_t granule = 64;
constexpr std::size_t classes = 16;

// Blocks that change hands at once. A thread keeps fewer than two batches per class. Guessed; large
// enough for a handler that posts a hundred others to find them all here.
constexpr std::uint32_t batch_size = 64;

// Batches of one class that the depot keeps; what comes beyond goes back to the heap.
constexpr std::size_t depot_limit = 4096;

constexpr std::size_t class_of(std::size_t size) noexcept
{
    return size == 0 ? 0 : (size - 1) / granule;
}

constexpr std::size_t bytes_of(std::size_t size_class) noexcept
{
    return (size_class + 1) * granule;
}

struct free_block
{
    free_block* next;       // in its batch
    free_block* next_batch; // of the first block of a batch, in the depot
};

void heap_free(free_block* block, std::size_t size_class) noexcept
{
    ASAN_UNPOISON_MEMORY_REGION(block, bytes_of(size_class));
    ::operator delete(block);
}

void heap_free_all(free_block* block, std::size_t size_class) noexcept
{
    while (block)
    {
        ASAN_UNPOISON_MEMORY_REGION(block, sizeof(free_block));
        free_block* const next = block->next;
        heap_free(block, size_class);
        block = next;
    }
}

// The batches that nobody uses at the moment.
class depot
{
public:
    bool put(free_block* batch) noexcept
    {
        mutex_.lock();
        bool const kept = count_ < depot_limit;
        if (kept)
        {
            ASAN_UNPOISON_MEMORY_REGION(batch, sizeof(free_block));
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
    static depot* const depots = new depot[classes];
    return depots[size_class];
}

// One thread's blocks of one class: the stack in use and one full batch behind it, so that a thread
// at the edge of a batch does not go to the depot for every block.
struct magazine
{
    free_block* free;
    free_block* spare;
    std::uint32_t count; // of free
};

struct thread_cache
{
    magazine magazines[classes];
    enum : unsigned char
    {
        unused,
        in_use,
        gone
    } state;
};

// Constant-initialised and trivially destructible, so that an access is one address computation and
// stays valid to the very end of the thread.
thread_local thread_cache cache{};

struct cache_owner
{
    ~cache_owner()
    {
        cache.state = thread_cache::gone;
        for (std::size_t c = 0; c != classes; ++c)
        {
            magazine& m = cache.magazines[c];
            if (m.spare && !depot_of(c).put(m.spare))
                heap_free_all(m.spare, c);
            heap_free_all(m.free, c);
            m = {};
        }
    }
};

// Registers the destructor above for this thread. False once that has run.
bool open_cache() noexcept
{
    if (cache.state == thread_cache::gone)
        return false;
    if (cache.state == thread_cache::unused)
    {
        static thread_local cache_owner owner;
        (void)owner;
        cache.state = thread_cache::in_use;
    }
    return true;
}

void* refill(magazine& m, std::size_t size_class)
{
    if (open_cache())
    {
        free_block* batch = m.spare;
        m.spare = nullptr;
        if (!batch)
            batch = depot_of(size_class).take();
        if (batch)
        {
            ASAN_UNPOISON_MEMORY_REGION(batch, bytes_of(size_class));
            m.free = batch->next;
            m.count = batch_size - 1;
            return batch;
        }
    }
    return ::operator new(bytes_of(size_class));
}

void drain(magazine& m, std::size_t size_class, free_block* block) noexcept
{
    if (!open_cache())
    {
        ::operator delete(block);
        return;
    }
    // free is a full batch: it becomes the spare, and the older spare goes to the depot.
    if (m.count == batch_size)
    {
        if (m.spare && !depot_of(size_class).put(m.spare))
            heap_free_all(m.spare, size_class);
        m.spare = m.free;
        m.free = nullptr;
        m.count = 0;
    }
    block->next = m.free;
    m.free = block;
    ++m.count;
    ASAN_POISON_MEMORY_REGION(block, bytes_of(size_class));
}

} // namespace

void* recycler_allocate(std::size_t size)
{
    std::size_t const c = class_of(size);
    if (c >= classes)
        return ::operator new(size);
    magazine& m = cache.magazines[c];
    free_block* const block = m.free;
    if (!block)
        return refill(m, c);
    ASAN_UNPOISON_MEMORY_REGION(block, bytes_of(c));
    m.free = block->next;
    --m.count;
    return block;
}

void recycler_deallocate(void* pointer, std::size_t size) noexcept
{
    std::size_t const c = class_of(size);
    if (c >= classes)
    {
        ::operator delete(pointer);
        return;
    }
    magazine& m = cache.magazines[c];
    auto* const block = ::new (pointer) free_block{};
    if (cache.state != thread_cache::in_use || m.count == batch_size)
    {
        drain(m, c, block);
        return;
    }
    block->next = m.free;
    m.free = block;
    ++m.count;
    ASAN_POISON_MEMORY_REGION(block, bytes_of(c));
}

} // namespace detail
} // namespace weft
