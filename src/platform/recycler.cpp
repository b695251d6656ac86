// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/recycler.hpp>

#include <weft/platform/atomic.hpp>
#include <weft/platform/cache_line.hpp>
#include <weft/platform/mutex.hpp>

#include <utility>

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

// Full magazines of one class that the depot keeps; what comes beyond goes back to the heap.
constexpr std::size_t depot_limit = 4096;

constexpr std::size_t bytes_of(std::size_t size_class) noexcept
{
    return (size_class + 1) * recycler_granule;
}

// Returns the blocks of a magazine to the heap.
void empty_out(magazine& m, std::size_t size_class) noexcept
{
    while (m.count != 0)
    {
        void* const block = m.blocks[--m.count];
        recycler_mark_used(block, bytes_of(size_class));
        ::operator delete(block);
    }
}

// The magazines of one class that no thread has.
class depot
{
public:
    // Takes a full magazine in exchange for an empty one, which may be null. False if there are
    // enough of them.
    bool put_full(magazine* full, magazine*& empty) noexcept
    {
        mutex_.lock();
        bool const kept = full_count_.load(memory_order_relaxed) < depot_limit;
        if (kept)
        {
            full->next = std::exchange(full_, full);
            count(1);
            empty = empty_;
            if (empty_)
                empty_ = empty_->next;
        }
        mutex_.unlock();
        return kept;
    }

    // Takes an empty magazine, which may be no_magazine, in exchange for a full one. Null, and
    // nothing is taken, if there is none.
    magazine* take_full(magazine* empty) noexcept
    {
        // A hint: a thread whose need grows comes here for each block.
        if (full_count_.load(memory_order_relaxed) == 0)
            return nullptr;
        mutex_.lock();
        magazine* const full = full_;
        if (full)
        {
            full_ = full->next;
            count(static_cast<std::size_t>(-1));
            if (empty != &no_magazine)
                empty->next = std::exchange(empty_, empty);
        }
        mutex_.unlock();
        return full;
    }

private:
    void count(std::size_t change) noexcept
    {
        full_count_.store(full_count_.load(memory_order_relaxed) + change, memory_order_relaxed);
    }

    alignas(cache_line) adaptive_mutex mutex_;

    // Written under mutex_.
    atomic<std::size_t> full_count_{0};

    // Guarded by mutex_.
    magazine* full_ = nullptr;
    magazine* empty_ = nullptr;
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

void close_magazine(magazine* m, std::size_t size_class) noexcept
{
    magazine* empty = nullptr;
    if (m == &no_magazine)
        return;
    if (m->count == m->limit && depot_of(size_class).put_full(m, empty))
    {
        delete empty;
        return;
    }
    empty_out(*m, size_class);
    delete m;
}

// Returns this thread's blocks when it ends.
struct cache_owner
{
    ~cache_owner()
    {
        cache_life = life::over;
        for (std::size_t c = 0; c != recycler_classes; ++c)
        {
            thread_magazines const mine = std::exchange(recycled[c], thread_magazines{});
            close_magazine(mine.loaded, c);
            close_magazine(mine.spare, c);
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
        // loaded is empty.
        thread_magazines& mine = recycled[size_class];
        if (mine.spare->count != 0)
            std::swap(mine.loaded, mine.spare);
        else if (magazine* const full = depot_of(size_class).take_full(mine.loaded))
            mine.loaded = full;
        if (mine.loaded->count != 0)
        {
            void* const block = mine.loaded->blocks[--mine.loaded->count];
            recycler_mark_used(block, bytes_of(size_class));
            return block;
        }
    }
    return ::operator new(bytes_of(size_class));
}

void recycler_drain(void* block, std::size_t size_class) noexcept
{
    if (open_cache())
    {
        // loaded is full, or there is none.
        thread_magazines& mine = recycled[size_class];
        if (mine.spare->count != mine.spare->limit)
            std::swap(mine.loaded, mine.spare);
        else
        {
            magazine* empty = nullptr;
            if (mine.spare != &no_magazine && !depot_of(size_class).put_full(mine.spare, empty))
            {
                empty_out(*mine.spare, size_class);
                empty = mine.spare;
            }
            if (!empty)
                empty = new (std::nothrow) magazine;
            if (empty)
            {
                empty->count = 0;
                empty->limit = magazine::capacity;
            }
            mine.spare = mine.loaded;
            mine.loaded = empty ? empty : &no_magazine;
        }
        magazine& m = *mine.loaded;
        if (m.count != m.limit)
        {
            recycler_mark_free(block, bytes_of(size_class));
            m.blocks[m.count++] = block;
            return;
        }
    }
    ::operator delete(block);
}

} // namespace detail
} // namespace weft
