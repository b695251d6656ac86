// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/recycler.hpp>

#include "parity/counted_new.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

using weft::detail::recycler_allocate;
using weft::detail::recycler_deallocate;

BOOST_AUTO_TEST_CASE(classes_cover_all_sizes_in_order)
{
    using namespace weft::detail;
    std::size_t covered = 0;
    for (std::size_t c = 0; c != recycler_classes; ++c)
    {
        std::size_t const size = recycler_block_size(c);
        BOOST_TEST(size > covered);
        // What is left over is 16 bytes, or a fifth.
        BOOST_TEST(size - covered <= (std::max)(std::size_t(16), size / 5 + 1));
        BOOST_TEST(size % 16 == 0u);
        BOOST_TEST(recycler_class_of(covered + 1) == c);
        BOOST_TEST(recycler_class_of(size) == c);
        covered = size;
    }
    BOOST_TEST(covered == recycler_max_size);
}

BOOST_AUTO_TEST_CASE(blocks_of_all_sizes_are_distinct_writable_and_aligned)
{
    std::vector<std::pair<unsigned char*, std::size_t>> blocks;
    for (std::size_t size = 1; size <= 20000; size += size < 2000 ? 7 : 101)
    {
        auto* const p = static_cast<unsigned char*>(recycler_allocate(size));
        BOOST_TEST(reinterpret_cast<std::uintptr_t>(p) % alignof(std::max_align_t) == 0u);
        std::memset(p, static_cast<int>(size % 251), size);
        blocks.emplace_back(p, size);
    }
    for (auto const& [p, size] : blocks)
    {
        bool intact = true;
        for (std::size_t i = 0; i != size; ++i)
            intact = intact && p[i] == size % 251;
        BOOST_TEST(intact);
        recycler_deallocate(p, size);
    }
}

BOOST_AUTO_TEST_CASE(a_freed_block_is_the_next_one_of_its_size)
{
    void* const first = recycler_allocate(100);
    recycler_deallocate(first, 100);
    void* const second = recycler_allocate(100);
    BOOST_TEST(second == first);
    recycler_deallocate(second, 100);
}

BOOST_AUTO_TEST_CASE(what_one_thread_allocates_another_may_free)
{
    // More than fits into a thread's magazines, so that the depot is in between.
    constexpr std::size_t count = 1000;
    for (int round = 0; round != 5; ++round)
    {
        std::vector<void*> blocks;
        for (std::size_t i = 0; i != count; ++i)
            blocks.push_back(recycler_allocate(64));
        BOOST_TEST(std::set<void*>(blocks.begin(), blocks.end()).size() == count);
        std::thread(
            [&]
            {
                for (void* p : blocks)
                    recycler_deallocate(p, 64);
            })
            .join();
    }
}

BOOST_AUTO_TEST_CASE(blocks_survive_the_thread_that_allocated_them)
{
    void* block = nullptr;
    std::thread([&] { block = recycler_allocate(200); }).join();
    std::memset(block, 1, 200);
    recycler_deallocate(block, 200);
}

BOOST_AUTO_TEST_CASE(blocks_come_from_the_heap_in_runs)
{
    // Sizes that nothing else here uses.
    for (std::size_t const size : {336u, 1000u, 4000u})
    {
        std::array<void*, 3> run;
        std::size_t first = 0;
        std::size_t others = 0;
        std::thread(
            [&]
            {
                std::size_t const before = test::allocations::count;
                run[0] = recycler_allocate(size);
                first = test::allocations::count - before;
                for (std::size_t i = 1; i != run.size(); ++i)
                    run[i] = recycler_allocate(size);
                others = test::allocations::count - before - first;
                for (void* p : run)
                    recycler_deallocate(p, size);
            })
            .join();
        BOOST_TEST(first >= run.size());
        BOOST_TEST(others == 0u);
        std::sort(run.begin(), run.end());
        BOOST_TEST((std::unique(run.begin(), run.end()) == run.end()));
    }
}

// The run is a favour: what there is memory for is enough.
BOOST_AUTO_TEST_CASE(a_run_that_finds_no_memory_is_shorter)
{
    constexpr std::size_t size = 352;
    std::thread(
        []
        {
            for (long allowance = 0; allowance != 6; ++allowance)
            {
                std::vector<void*> blocks;
                blocks.reserve(10);
                (void)test::out_of_memory_in(
                    [&]
                    {
                        while (blocks.size() != 10)
                            blocks.push_back(recycler_allocate(size));
                    },
                    allowance);
                BOOST_TEST(blocks.size() <= static_cast<std::size_t>(allowance));
                BOOST_TEST(blocks.size() + 2 >= static_cast<std::size_t>(allowance));
                // Not to the recycler, which would have blocks then.
                for (void* p : blocks)
                {
                    weft::detail::recycler_mark_used(p, size);
                    ::operator delete(p);
                }
            }
        })
        .join();
}
