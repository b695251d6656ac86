// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/shared_state.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

using shared = weft::detail::shared_state<test::manual_traits>;

BOOST_AUTO_TEST_CASE(an_entry_is_what_was_injected)
{
    test::task t{[] {
    }};
    auto const linkable = shared::entry_of({&t, 0, 0});
    BOOST_TEST(linkable.op == &t);
    BOOST_TEST(linkable.linkable());
    auto const with_result = shared::entry_of({&t, 7, 0});
    BOOST_TEST(with_result.op == &t);
    BOOST_TEST(with_result.result == 7u);
}

BOOST_AUTO_TEST_CASE(slots_are_open_if_asked_for)
{
    weft::options o;
    BOOST_TEST(!shared(o).slots_are_open());
    o.lifo_stealing = weft::lifo_stealing::eager;
    BOOST_TEST(shared(o).slots_are_open());
    o.lifo_stealing = weft::lifo_stealing::off;
    BOOST_TEST(!shared(o).slots_are_open());
}
