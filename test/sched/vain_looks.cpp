// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/vain_looks.hpp"

#include <boost/test/unit_test.hpp>

using weft::detail::vain_looks;

BOOST_AUTO_TEST_CASE(looks_in_vain_are_many_in_a_row)
{
    vain_looks looks;
    BOOST_TEST(looks.are_many());
    for (int round = 0; round != 3; ++round)
    {
        looks.end();
        for (unsigned i = 0; i != vain_looks::many; ++i)
        {
            BOOST_TEST(!looks.are_many());
            looks.add();
        }
        // And stay many.
        for (unsigned i = 0; i != 1000; ++i)
        {
            BOOST_TEST(looks.are_many());
            looks.add();
        }
    }
}
