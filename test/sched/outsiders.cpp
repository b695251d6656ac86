// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/outsiders.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <thread>
#include <vector>

BOOST_AUTO_TEST_CASE(without_outsiders_there_is_nothing_to_wait_for)
{
    weft::detail::outsiders out;
    out.await_none();
    weft::detail::outsiders again;
    again.enter();
    again.enter();
    again.leave();
    again.leave();
    again.await_none();
}

BOOST_AUTO_TEST_CASE(the_end_waits_for_the_last_outsider_and_sees_what_it_did)
{
    for (int round = 0; round != 1000; ++round)
    {
        auto out = std::make_unique<weft::detail::outsiders>();
        int done[2] = {};
        for (int i = 0; i != 2; ++i)
            out->enter();
        std::vector<std::thread> threads;
        for (int& d : done)
            threads.emplace_back(
                [&d, o = out.get()]
                {
                    d = 1;
                    o->leave();
                });
        out->await_none();
        out.reset();
        BOOST_TEST(done[0] + done[1] == 2);
        for (std::thread& t : threads)
            t.join();
    }
}
