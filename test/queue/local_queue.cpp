// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/queue/local_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <vector>

namespace
{

using small_queue = weft::detail::local_queue<std::uintptr_t, 4>;
using queue = weft::detail::local_queue<std::uintptr_t>;

std::vector<std::uintptr_t> drain(small_queue::owner owner)
{
    std::vector<std::uintptr_t> all;
    for (std::uintptr_t x; owner.pop(x);)
        all.push_back(x);
    return all;
}

using numbers = std::vector<std::uintptr_t>;

} // namespace

BOOST_AUTO_TEST_CASE(what_is_pushed_is_popped_in_order)
{
    small_queue q;
    small_queue::owner owner(q);
    for (std::uintptr_t i = 1; i <= 4; ++i)
        BOOST_TEST(owner.push(i));
    BOOST_TEST(drain(owner) == (numbers{1, 2, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_full_ring_refuses_and_changes_nothing)
{
    small_queue q;
    small_queue::owner owner(q);
    for (std::uintptr_t i = 1; i <= 4; ++i)
        BOOST_TEST(owner.push(i));
    BOOST_TEST(!owner.push(5));
    BOOST_TEST(owner.size() == 4u);
    BOOST_TEST(drain(owner) == (numbers{1, 2, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_reserve_stays_free)
{
    small_queue q;
    small_queue::owner owner(q);
    BOOST_TEST(owner.push(1, 0, 2));
    BOOST_TEST(owner.push(2, 0, 2));
    BOOST_TEST(!owner.push(3, 0, 2));
    BOOST_TEST(owner.free_slots() == 2u);
}

BOOST_AUTO_TEST_CASE(positions_may_wrap_at_the_end_of_their_range)
{
    small_queue q(0xfffffffdu);
    small_queue::owner owner(q);
    for (std::uintptr_t round = 0; round != 10; ++round)
    {
        BOOST_TEST(owner.push(2 * round));
        BOOST_TEST(owner.push(2 * round + 1));
        std::uintptr_t x = 0;
        BOOST_TEST(owner.pop(x));
        BOOST_TEST(x == 2 * round);
        BOOST_TEST(owner.pop(x));
        BOOST_TEST(x == 2 * round + 1);
        BOOST_TEST(q.empty());
    }
}

BOOST_AUTO_TEST_CASE(a_thief_takes_the_older_half_rounded_up)
{
    for (std::uintptr_t n = 1; n <= 4; ++n)
    {
        small_queue from;
        small_queue to;
        small_queue::owner owner(from);
        for (std::uintptr_t i = 1; i <= n; ++i)
            BOOST_TEST(owner.push(i));
        std::uintptr_t first = 0;
        std::uint32_t const taken = small_queue::thief(from).steal(small_queue::owner(to), first);
        BOOST_TEST(taken == n - n / 2);
        BOOST_TEST(first == 1u);
        numbers all{first};
        for (auto x : drain(small_queue::owner(to)))
            all.push_back(x);
        for (auto x : drain(owner))
            all.push_back(x);
        BOOST_TEST(all.size() == n);
        for (std::uintptr_t i = 0; i != all.size(); ++i)
            BOOST_TEST(all[i] == i + 1);
    }
}

BOOST_AUTO_TEST_CASE(a_thief_with_a_full_ring_takes_one)
{
    small_queue from;
    small_queue to;
    small_queue::owner owner(from);
    small_queue::owner mine(to);
    for (std::uintptr_t i = 1; i <= 4; ++i)
    {
        BOOST_TEST(owner.push(i));
        BOOST_TEST(mine.push(10 + i));
    }
    std::uintptr_t first = 0;
    BOOST_TEST(small_queue::thief(from).steal(mine, first) == 1u);
    BOOST_TEST(first == 1u);
    BOOST_TEST(mine.size() == 4u);
    BOOST_TEST(owner.size() == 3u);
}

BOOST_AUTO_TEST_CASE(the_position_moves_with_what_is_taken_and_not_with_what_is_pushed)
{
    small_queue from(0xffffffffu);
    small_queue to;
    small_queue::owner owner(from);
    small_queue::thief thief(from);
    BOOST_TEST(thief.position() == 0xffffffffu);
    for (std::uintptr_t i = 1; i <= 4; ++i)
        BOOST_TEST(owner.push(i));
    BOOST_TEST(thief.position() == 0xffffffffu);
    std::uintptr_t x = 0;
    BOOST_TEST(owner.pop(x));
    BOOST_TEST(thief.position() == 0u);
    BOOST_TEST(thief.steal(small_queue::owner(to), x) == 2u);
    BOOST_TEST(thief.position() == 2u);
}

BOOST_AUTO_TEST_CASE(an_empty_ring_has_nothing_to_steal)
{
    small_queue from;
    small_queue to;
    std::uintptr_t first = 0;
    BOOST_TEST(small_queue::thief(from).steal(small_queue::owner(to), first) == 0u);
}

BOOST_AUTO_TEST_CASE(a_spill_takes_the_newest_half_and_keeps_the_oldest)
{
    small_queue q;
    small_queue::owner owner(q);
    for (std::uintptr_t i = 1; i <= 4; ++i)
        BOOST_TEST(owner.push(i));
    numbers out;
    BOOST_TEST(owner.spill([](std::uintptr_t) { return true; },
                   [&](std::uintptr_t x, std::uint32_t) { out.push_back(x); }) == 2u);
    BOOST_TEST(out == (numbers{3, 4}), boost::test_tools::per_element());
    BOOST_TEST(owner.push(5));
    BOOST_TEST(drain(owner) == (numbers{1, 2, 5}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_spill_leaves_what_cannot_move_in_its_place)
{
    small_queue q;
    small_queue::owner owner(q);
    for (std::uintptr_t i = 1; i <= 4; ++i)
        BOOST_TEST(owner.push(i));
    numbers out;
    BOOST_TEST(owner.spill([](std::uintptr_t x) { return x != 3; },
                   [&](std::uintptr_t x, std::uint32_t) { out.push_back(x); }) == 1u);
    BOOST_TEST(out == (numbers{4}), boost::test_tools::per_element());
    BOOST_TEST(drain(owner) == (numbers{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_spill_of_any_ring_takes_what_can_move_of_its_newest_half)
{
    using ring = weft::detail::local_queue<std::uintptr_t, 8>;
    for (std::uint32_t position = 0; position != ring::capacity; ++position)
        for (std::uint32_t size = 2; size <= ring::capacity; ++size)
            for (unsigned movable = 0; movable != 1u << ring::capacity; ++movable)
            {
                ring q(0u - position);
                ring::owner owner(q);
                numbers kept;
                numbers moved;
                for (std::uint32_t i = 0; i != size; ++i)
                {
                    BOOST_REQUIRE(owner.push(i, i + 100));
                    bool const goes = i >= size - size / 2 && (movable >> i & 1) != 0;
                    (goes ? moved : kept).push_back(i);
                }
                numbers out;
                auto const count =
                    owner.spill([&](std::uintptr_t x) { return (movable >> x & 1) != 0; },
                        [&](std::uintptr_t x, std::uint32_t stamp)
                        {
                            BOOST_REQUIRE(stamp == x + 100);
                            out.push_back(x);
                        });
                BOOST_REQUIRE(count == moved.size());
                BOOST_REQUIRE(out == moved);
                for (std::uintptr_t const expected : kept)
                {
                    std::uintptr_t x = 0;
                    std::uint32_t stamp = 0;
                    BOOST_REQUIRE(owner.pop(x, stamp));
                    BOOST_REQUIRE(x == expected);
                    BOOST_REQUIRE(stamp == x + 100);
                }
                BOOST_REQUIRE(owner.size() == 0u);
            }
}

BOOST_AUTO_TEST_CASE(a_ring_of_which_nothing_can_move_is_left_as_it_was)
{
    queue q;
    queue::owner owner(q);
    for (std::uintptr_t i = 0; i != queue::capacity; ++i)
        BOOST_TEST(owner.push(i));
    BOOST_TEST(owner.spill([](std::uintptr_t) { return false; },
                   [](std::uintptr_t, std::uint32_t) {}) == 0u);
    BOOST_TEST(owner.size() == queue::capacity);
    std::uintptr_t x = 0;
    for (std::uintptr_t i = 0; i != queue::capacity; ++i)
    {
        BOOST_TEST(owner.pop(x));
        BOOST_TEST(x == i);
    }
}

BOOST_AUTO_TEST_CASE(a_stamp_goes_where_its_entry_goes)
{
    small_queue from;
    small_queue to;
    small_queue::owner owner(from);
    std::uint32_t stamp = 0;
    BOOST_TEST(!from.oldest(stamp));
    for (std::uintptr_t i = 1; i <= 4; ++i)
        BOOST_TEST(owner.push(i, static_cast<std::uint32_t>(10 * i)));
    BOOST_TEST(from.oldest(stamp));
    BOOST_TEST(stamp == 10u);

    std::uintptr_t first = 0;
    BOOST_TEST(small_queue::thief(from).steal(small_queue::owner(to), first) == 2u);
    BOOST_TEST(first == 1u);
    BOOST_TEST(to.oldest(stamp));
    BOOST_TEST(stamp == 20u);
    BOOST_TEST(from.oldest(stamp));
    BOOST_TEST(stamp == 30u);

    BOOST_TEST(owner.push(5, 50));
    BOOST_TEST(owner.push(6, 60));
    numbers stamps;
    BOOST_TEST(owner.spill([](std::uintptr_t) { return true; },
                   [&](std::uintptr_t, std::uint32_t s) { stamps.push_back(s); }) == 2u);
    BOOST_TEST(stamps == (numbers{50, 60}), boost::test_tools::per_element());

    std::uintptr_t x = 0;
    BOOST_TEST(owner.pop(x, stamp));
    BOOST_TEST(x == 3u);
    BOOST_TEST(stamp == 30u);
    BOOST_TEST(small_queue::owner(to).pop(x, stamp));
    BOOST_TEST(x == 2u);
    BOOST_TEST(stamp == 20u);
}

BOOST_AUTO_TEST_CASE(a_thief_that_wants_old_entries_leaves_a_young_one)
{
    small_queue from;
    small_queue to;
    small_queue::owner owner(from);
    for (std::uintptr_t i = 1; i <= 4; ++i)
        BOOST_TEST(owner.push(i, static_cast<std::uint32_t>(10 * i)));
    auto const older_than = [](std::uint32_t limit)
    {
        return [limit](std::uint32_t stamp)
        {
            return stamp < limit;
        };
    };
    std::uintptr_t first = 0;
    small_queue::thief thief(from);
    small_queue::owner into(to);
    BOOST_TEST(thief.steal_if(into, first, 1, older_than(10)) == 0u);
    BOOST_TEST(thief.steal_if(into, first, 1, older_than(25)) == 1u);
    BOOST_TEST(first == 1u);
    BOOST_TEST(thief.steal_if(into, first, 4, older_than(25)) == 2u);
    BOOST_TEST(first == 2u);
    BOOST_TEST(thief.steal_if(into, first, 4, older_than(25)) == 0u);
    BOOST_TEST(owner.size() == 1u);
}
