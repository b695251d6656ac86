// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/queue/mpmc_ring.hpp>

#include <weft/queue/message.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <stdexcept>
#include <vector>

namespace
{

using weft::detail::message;
using weft::detail::mpmc_ring;
using weft::detail::ring_result;

template <typename T>
std::optional<T> popped(mpmc_ring<T>& ring)
{
    std::optional<T> value;
    ring.pop([&](T&& v) noexcept { value.emplace(std::move(v)); });
    return value;
}

// The last laps, so that positions wrap at once.
std::uint64_t last_lap(std::uint64_t capacity)
{
    std::uint64_t one_lap = 2;
    while (one_lap / 2 <= capacity)
        one_lap *= 2;
    return std::numeric_limits<std::uint64_t>::max() / one_lap - 1;
}

} // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(ring_result)

BOOST_AUTO_TEST_SUITE(queue_mpmc_ring)

BOOST_AUTO_TEST_CASE(every_capacity_is_exact_and_the_order_is_kept)
{
    for (std::uint64_t capacity : {1, 2, 3, 4, 5, 7, 8, 100})
        for (std::uint64_t const first : {std::uint64_t(0), last_lap(capacity)})
        {
            mpmc_ring<int> ring(capacity, first);
            BOOST_TEST(ring.capacity() == capacity);
            int in = 0;
            int out = 0;
            for (int round = 0; round != 5; ++round)
            {
                while (ring.push(int(in)) == ring_result::done)
                    ++in;
                BOOST_TEST(static_cast<std::uint64_t>(in - out) == capacity);
                BOOST_TEST(ring.size() == capacity);
                BOOST_TEST(ring.push(-1) == ring_result::blocked);
                BOOST_TEST(ring.probe_push() == ring_result::blocked);
                BOOST_TEST(ring.probe_pop() == ring_result::done);
                // Not all, so that the rounds begin at different slots.
                for (std::uint64_t i = 0; i != (capacity + 1) / 2; ++i)
                    BOOST_TEST(popped(ring).value() == out++);
                BOOST_TEST(ring.size() == capacity / 2);
            }
            while (std::optional<int> const value = popped(ring))
                BOOST_TEST(*value == out++);
            BOOST_TEST(in == out);
            BOOST_TEST(ring.size() == 0u);
            BOOST_TEST(ring.probe_pop() == ring_result::blocked);
            BOOST_TEST(ring.probe_push() == ring_result::done);
        }
}

BOOST_AUTO_TEST_CASE(random_operations_do_what_a_deque_does)
{
    std::mt19937 random(20260101);
    for (std::uint64_t const capacity : {1, 2, 3, 5, 100})
    {
        mpmc_ring<unsigned> ring(capacity, last_lap(capacity));
        std::deque<unsigned> reference;
        bool closed = false;
        for (unsigned step = 0; step != 20000; ++step)
        {
            unsigned const what = random() % 100;
            if (what < 50)
            {
                ring_result const expected = closed                         ? ring_result::closed
                                             : reference.size() == capacity ? ring_result::blocked
                                                                            : ring_result::done;
                BOOST_REQUIRE(ring.probe_push() == expected);
                BOOST_REQUIRE(ring.push(unsigned(step)) == expected);
                if (expected == ring_result::done)
                    reference.push_back(step);
            }
            else if (what < 98)
            {
                ring_result const expected = !reference.empty() ? ring_result::done
                                             : closed           ? ring_result::closed
                                                                : ring_result::blocked;
                BOOST_REQUIRE(ring.probe_pop() == expected);
                unsigned value = 0;
                BOOST_REQUIRE(ring.pop([&](unsigned&& v) noexcept { value = v; }) == expected);
                if (expected == ring_result::done)
                {
                    BOOST_REQUIRE(value == reference.front());
                    reference.pop_front();
                }
            }
            else
            {
                closed = !closed;
                closed ? ring.close() : ring.reopen();
                BOOST_REQUIRE(ring.closed() == closed);
            }
            BOOST_REQUIRE(ring.size() == reference.size());
        }
    }
}

BOOST_AUTO_TEST_CASE(a_closed_ring_is_drained)
{
    mpmc_ring<int> ring(3);
    BOOST_TEST(ring.push(1) == ring_result::done);
    BOOST_TEST(ring.push(2) == ring_result::done);
    ring.close();
    ring.close();
    BOOST_TEST(ring.push(3) == ring_result::closed);
    BOOST_TEST(ring.size() == 2u);
    BOOST_TEST(popped(ring).value() == 1);
    BOOST_TEST(popped(ring).value() == 2);
    BOOST_TEST(ring.pop([](int&&) noexcept {}) == ring_result::closed);
    ring.reopen();
    BOOST_TEST(ring.push(4) == ring_result::done);
    BOOST_TEST(popped(ring).value() == 4);
}

BOOST_AUTO_TEST_CASE(a_value_that_finds_no_room_stays_with_its_owner)
{
    mpmc_ring<std::unique_ptr<int>> ring(1);
    auto first = std::make_unique<int>(1);
    auto second = std::make_unique<int>(2);
    BOOST_TEST(ring.push(std::move(first)) == ring_result::done);
    BOOST_TEST(!first);
    BOOST_TEST(ring.push(std::move(second)) == ring_result::blocked);
    BOOST_REQUIRE(second);
    BOOST_TEST(*second == 2);
    ring.close();
    BOOST_TEST(ring.push(std::move(second)) == ring_result::closed);
    BOOST_TEST(second.get());
    BOOST_TEST(*popped(ring).value() == 1);
}

BOOST_AUTO_TEST_CASE(what_is_left_is_destroyed_with_the_ring)
{
    auto const token = std::make_shared<int>(0);
    {
        mpmc_ring<std::shared_ptr<int>> ring(3);
        for (int i = 0; i != 3; ++i)
            BOOST_TEST(ring.push(std::shared_ptr<int>(token)) == ring_result::done);
        popped(ring);
        BOOST_TEST(ring.push(std::shared_ptr<int>(token)) == ring_result::done);
        BOOST_TEST(token.use_count() == 4);
    }
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(values_are_as_aligned_as_they_ask_to_be)
{
    struct alignas(512) wide
    {
        int number;
    };

    mpmc_ring<wide> ring(3);
    for (int i = 0; i != 3; ++i)
        BOOST_TEST(ring.push(wide{i}) == ring_result::done);
    for (int i = 0; i != 3; ++i)
        ring.pop(
            [&](wide&& w) noexcept
            {
                BOOST_TEST(reinterpret_cast<std::uintptr_t>(&w) % 512 == 0u);
                BOOST_TEST(w.number == i);
            });
}

BOOST_AUTO_TEST_CASE(a_capacity_beyond_all_memory_is_an_error)
{
    using ring = mpmc_ring<int>;
    for (std::uint64_t const capacity :
        {ring::max_capacity + 1, std::numeric_limits<std::uint64_t>::max(), std::uint64_t(1) << 60})
        BOOST_CHECK_THROW(std::make_unique<ring>(capacity), std::length_error);
}

namespace
{

// Throws at the n-th move.
struct clumsy
{
    static int moves_left;

    int number;

    explicit clumsy(int n) : number(n)
    {
    }

    clumsy(clumsy&& other) : number(other.number)
    {
        if (moves_left-- == 0)
            throw std::runtime_error("clumsy");
        other.number = -1;
    }
};

int clumsy::moves_left;

} // namespace

BOOST_AUTO_TEST_CASE(a_value_whose_move_throws_travels_in_a_box)
{
    static_assert(!std::is_nothrow_move_constructible<clumsy>::value, "");
    static_assert(std::is_nothrow_move_constructible<message<clumsy>>::value, "");
    static_assert(sizeof(message<int>) == sizeof(int), "a box only where there is need of one");

    mpmc_ring<message<clumsy>> ring(2);
    clumsy first(1);
    clumsy second(2);
    clumsy::moves_left = 1;
    BOOST_TEST(ring.push(message<clumsy>(std::in_place, std::move(first))) == ring_result::done);
    BOOST_CHECK_THROW(
        (void)ring.push(message<clumsy>(std::in_place, std::move(second))), std::runtime_error);
    BOOST_TEST(second.number == 2);
    BOOST_TEST(ring.size() == 1u);
    BOOST_TEST(ring.push(message<clumsy>(std::in_place, 3)) == ring_result::done);
    BOOST_TEST((*popped(ring).value()).number == 1);
    BOOST_TEST((*popped(ring).value()).number == 3);
}

BOOST_AUTO_TEST_SUITE_END()
