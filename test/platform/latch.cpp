// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/latch.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <thread>
#include <vector>

using weft::detail::latch;

BOOST_AUTO_TEST_CASE(wait_returns_at_once_if_set_before)
{
    latch l;
    l.set();
    l.wait();
    // And again: it stays set.
    l.wait();
}

BOOST_AUTO_TEST_CASE(waiter_sees_what_was_done_before_the_latch_was_set)
{
    for (int round = 0; round != 1000; ++round)
    {
        latch l;
        int result = 0;
        std::thread setter(
            [&]
            {
                result = round + 1;
                l.set();
            });
        l.wait();
        BOOST_REQUIRE(result == round + 1);
        setter.join();
    }
}

BOOST_AUTO_TEST_CASE(waiter_may_destroy_the_latch_at_once)
{
    constexpr int rounds = 2000;
    std::vector<std::thread> setters;
    for (int round = 0; round != rounds; ++round)
    {
        auto l = std::make_unique<latch>();
        setters.emplace_back([raw = l.get()] { raw->set(); });
        l->wait();
        l.reset();
        if (setters.size() == 16)
        {
            for (std::thread& t : setters)
                t.join();
            setters.clear();
        }
    }
    for (std::thread& t : setters)
        t.join();
}
