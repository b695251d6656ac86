// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/wait/channel/maybe.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

using weft::detail::maybe;

namespace
{

// Knows how many of it there are, and how many have been made by moving.
struct guest
{
    static inline int alive = 0;
    static inline int moved = 0;

    explicit guest(int n) : number(n)
    {
        if (n < 0)
            throw std::invalid_argument("guest");
        ++alive;
    }

    guest(guest&& other) noexcept : number(std::exchange(other.number, 0))
    {
        ++alive;
        ++moved;
    }

    ~guest()
    {
        --alive;
    }

    int number;
};

struct no_guests
{
    no_guests()
    {
        guest::alive = 0;
        guest::moved = 0;
    }

    ~no_guests()
    {
        BOOST_TEST(guest::alive == 0);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(wait_channel_maybe, no_guests)

BOOST_AUTO_TEST_CASE(nothing_is_there_at_first)
{
    maybe<guest> m;
    BOOST_TEST(!m);
    BOOST_TEST(guest::alive == 0);
}

BOOST_AUTO_TEST_CASE(what_is_made_is_there_until_the_end)
{
    {
        maybe<guest> m;
        m.emplace(7);
        BOOST_TEST(bool(m));
        BOOST_TEST((*m).number == 7);
        BOOST_TEST((*std::as_const(m)).number == 7);
        (*m).number = 8;
        BOOST_TEST((*std::as_const(m)).number == 8);
        BOOST_TEST(guest::alive == 1);
        BOOST_TEST(guest::moved == 0);
    }
    BOOST_TEST(guest::alive == 0);
}

BOOST_AUTO_TEST_CASE(arguments_are_forwarded)
{
    maybe<std::pair<std::unique_ptr<int>, int&>> m;
    auto moved = std::make_unique<int>(1);
    int referred = 2;
    m.emplace(std::move(moved), referred);
    BOOST_TEST(!moved);
    BOOST_TEST(*(*m).first == 1);
    BOOST_TEST(&(*m).second == &referred);
}

BOOST_AUTO_TEST_CASE(reset_destroys_what_is_there_and_there_can_be_another)
{
    maybe<guest> m;
    m.reset();
    BOOST_TEST(guest::alive == 0);
    m.emplace(1);
    m.reset();
    BOOST_TEST(!m);
    BOOST_TEST(guest::alive == 0);
    m.reset();
    BOOST_TEST(guest::alive == 0);
    m.emplace(2);
    BOOST_TEST((*m).number == 2);
    BOOST_TEST(guest::alive == 1);
}

BOOST_AUTO_TEST_CASE(what_is_there_makes_room_for_another)
{
    maybe<guest> m;
    m.emplace(1);
    m.emplace(2);
    BOOST_TEST((*m).number == 2);
    BOOST_TEST(guest::alive == 1);
    BOOST_CHECK_THROW(m.emplace(-1), std::invalid_argument);
    BOOST_TEST(!m);
    BOOST_TEST(guest::alive == 0);
}

BOOST_AUTO_TEST_CASE(nothing_is_there_if_making_it_throws)
{
    maybe<guest> m;
    BOOST_CHECK_THROW(m.emplace(-1), std::invalid_argument);
    BOOST_TEST(!m);
    m.emplace(3);
    BOOST_TEST((*m).number == 3);
}

BOOST_AUTO_TEST_CASE(a_move_moves_what_is_there)
{
    maybe<guest> from;
    from.emplace(5);
    maybe<guest> to(std::move(from));
    BOOST_TEST_REQUIRE(bool(to));
    BOOST_TEST((*to).number == 5);
    BOOST_TEST(guest::moved == 1);
    // As with std::optional: one that has been moved from, and is still to be destroyed.
    BOOST_TEST(bool(from));
    BOOST_TEST((*from).number == 0);
    BOOST_TEST(guest::alive == 2);
}

BOOST_AUTO_TEST_CASE(a_move_of_nothing_moves_nothing)
{
    maybe<guest> from;
    maybe<guest> to(std::move(from));
    BOOST_TEST(!from);
    BOOST_TEST(!to);
    BOOST_TEST(guest::moved == 0);
    to.emplace(4);
    to.reset();
    maybe<guest> const last(std::move(to));
    BOOST_TEST(!last);
    BOOST_TEST(guest::moved == 0);
}

BOOST_AUTO_TEST_CASE(what_is_there_is_aligned)
{
    struct alignas(64) wide
    {
        char c = 'x';
    };
    struct place
    {
        char before;
        maybe<wide> m;
    };
    place p;
    p.m.emplace();
    BOOST_TEST(reinterpret_cast<std::uintptr_t>(&*p.m) % alignof(wide) == 0u);
    BOOST_TEST((*p.m).c == 'x');
}

// Requests that have one are moved into operations without a way back.
static_assert(std::is_nothrow_move_constructible<maybe<guest>>::value);
static_assert(!std::is_copy_constructible<maybe<int>>::value);
static_assert(!std::is_move_assignable<maybe<int>>::value);
static_assert(!std::is_convertible<maybe<int>, bool>::value);

BOOST_AUTO_TEST_SUITE_END()
