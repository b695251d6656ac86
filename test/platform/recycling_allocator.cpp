// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/recycling_allocator.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

using weft::detail::recycling_allocator;

namespace
{

struct alignas(128) wide
{
    char bytes[128];
};

} // namespace

BOOST_AUTO_TEST_SUITE(platform_recycling_allocator)

BOOST_AUTO_TEST_CASE(containers_can_use_it)
{
    std::vector<int, recycling_allocator<int>> v;
    for (int i = 0; i != 10000; ++i)
        v.push_back(i);
    BOOST_TEST(v.back() == 9999);
}

BOOST_AUTO_TEST_CASE(a_block_that_was_given_back_comes_again)
{
    recycling_allocator<std::uint64_t> a;
    std::uint64_t* const first = a.allocate(5);
    a.deallocate(first, 5);
    std::uint64_t* const second = a.allocate(5);
    BOOST_TEST(first == second);
    a.deallocate(second, 5);
}

BOOST_AUTO_TEST_CASE(alignment_is_kept)
{
    recycling_allocator<wide> a;
    wide* const p = a.allocate(3);
    BOOST_TEST(reinterpret_cast<std::uintptr_t>(p) % alignof(wide) == 0u);
    a.deallocate(p, 3);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused)
{
    recycling_allocator<std::uint64_t> a;
    BOOST_CHECK_THROW(
        (void)a.allocate((std::numeric_limits<std::size_t>::max)() / 2), std::bad_alloc);
}

BOOST_AUTO_TEST_CASE(all_of_them_are_equal)
{
    using rebound = std::allocator_traits<recycling_allocator<void>>::template rebind_alloc<char>;
    static_assert(std::is_same<rebound, recycling_allocator<char>>::value, "");
    BOOST_TEST((recycling_allocator<int>() == recycling_allocator<char>()));
    BOOST_TEST(!(recycling_allocator<int>() != recycling_allocator<char>()));
    BOOST_TEST((recycling_allocator<void>() == recycling_allocator<void>()));
}

BOOST_AUTO_TEST_SUITE_END()
