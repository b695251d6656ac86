// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/atomic.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>

namespace
{

using weft::detail::atomic;
using weft::detail::cell;
using weft::detail::full_fence;
using weft::detail::memory_order_acquire;
using weft::detail::memory_order_relaxed;
using weft::detail::memory_order_release;

template <std::size_t Words>
struct words
{
    std::array<std::uintptr_t, Words> values;
};

struct bytes
{
    unsigned char values[2 * sizeof(std::uintptr_t)];
};

struct alignas(64) aligned
{
    std::uint32_t values[16];
};

struct mixed
{
    void* pointer;
    std::uint32_t number;
    std::uint16_t small;
    std::uint8_t tiny[2];
    double real;
};

template <typename T>
T pattern(unsigned seed)
{
    unsigned char source[sizeof(T)];
    for (std::size_t i = 0; i != sizeof(T); ++i)
        source[i] = static_cast<unsigned char>(seed + 7 * i + 1);
    T value;
    std::memcpy(&value, source, sizeof(T));
    return value;
}

template <typename T>
void check_that_every_byte_comes_back()
{
    std::array<cell<T>, 3> cells;
    for (unsigned i = 0; i != 3; ++i)
        cells[i].set(pattern<T>(i));
    cells[1].set(pattern<T>(99));
    const unsigned expected[] = {0, 99, 2};
    for (unsigned i = 0; i != 3; ++i)
    {
        const T got = cells[i].get();
        const T wanted = pattern<T>(expected[i]);
        BOOST_TEST(std::memcmp(&got, &wanted, sizeof(T)) == 0);
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(a_cell_gives_back_every_byte_and_leaves_its_neighbours_alone)
{
    check_that_every_byte_comes_back<void*>();
    check_that_every_byte_comes_back<words<1>>();
    check_that_every_byte_comes_back<words<2>>();
    check_that_every_byte_comes_back<words<3>>();
    check_that_every_byte_comes_back<words<17>>();
    check_that_every_byte_comes_back<bytes>();
    check_that_every_byte_comes_back<aligned>();
    check_that_every_byte_comes_back<mixed>();
}

BOOST_AUTO_TEST_CASE(a_cell_is_as_large_as_its_value)
{
    BOOST_TEST(sizeof(cell<void*>) == sizeof(void*));
    BOOST_TEST(sizeof(cell<words<3>>) == sizeof(words<3>));
    BOOST_TEST(sizeof(cell<bytes>) == sizeof(bytes));
}

BOOST_AUTO_TEST_CASE(a_cell_is_seen_whole_by_whoever_acquires_what_was_released_after_it)
{
    constexpr unsigned rounds = 20'000;
    cell<words<3>> shared;
    atomic<unsigned> turn{0};
    bool whole = true;
    std::thread other(
        [&]
        {
            for (unsigned i = 1; i <= rounds; ++i)
            {
                while (turn.load(memory_order_acquire) != 2 * i - 1)
                    std::this_thread::yield();
                const words<3> got = shared.get();
                whole = whole && got.values == words<3>{{i, i + 1, i + 2}}.values;
                turn.store(2 * i, memory_order_release);
            }
        });
    for (unsigned i = 1; i <= rounds; ++i)
    {
        shared.set(words<3>{{i, i + 1, i + 2}});
        turn.store(2 * i - 1, memory_order_release);
        while (turn.load(memory_order_acquire) != 2 * i)
            std::this_thread::yield();
    }
    other.join();
    BOOST_TEST(whole);
}

// Dekker: each thread stores its flag and then loads the other's. With the fence in between, not
// both can miss the other.
BOOST_AUTO_TEST_CASE(of_two_threads_with_a_full_fence_one_sees_the_other)
{
    constexpr unsigned rounds = 20'000;
    struct round
    {
        atomic<bool> flag[2]{};
        bool seen[2]{};
    };
    std::array<atomic<unsigned>, 2> at{};
    std::array<round, 64> all;
    unsigned missed = 0;

    const auto meet = [&](unsigned self, unsigned value)
    {
        at[self].store(value, memory_order_release);
        while (at[1 - self].load(memory_order_acquire) < value)
            std::this_thread::yield();
    };
    const auto play = [&](unsigned self)
    {
        for (unsigned i = 0; i != rounds / 64; ++i)
        {
            meet(self, 3 * i + 1);
            for (round& r : all)
            {
                r.flag[self].store(true, memory_order_relaxed);
                full_fence();
                r.seen[self] = r.flag[1 - self].load(memory_order_relaxed);
            }
            meet(self, 3 * i + 2);
            if (self == 0)
                for (round& r : all)
                {
                    missed += !r.seen[0] && !r.seen[1];
                    r.flag[0].store(false, memory_order_relaxed);
                    r.flag[1].store(false, memory_order_relaxed);
                }
            meet(self, 3 * i + 3);
        }
    };
    std::thread other([&] { play(1); });
    play(0);
    other.join();
    BOOST_TEST(missed == 0u);
}
