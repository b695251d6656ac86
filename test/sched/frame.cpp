// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/frame.hpp>

#include "sched/basic_frame.hpp"
#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <thread>

using weft::detail::find_frame;
using weft::detail::scheduler_identity;
using basic_frame = weft::detail::basic_frame<test::manual_traits>;

BOOST_AUTO_TEST_CASE(a_frame_is_found_behind_those_of_other_schedulers)
{
    scheduler_identity a, b, never_entered;
    basic_frame outer(a);
    basic_frame inner(b);
    BOOST_TEST(basic_frame::find(a) == &outer);
    BOOST_TEST(basic_frame::find(b) == &inner);
    BOOST_TEST(basic_frame::find(never_entered) == nullptr);
    BOOST_TEST(find_frame(&outer, &b) == nullptr);
    BOOST_TEST(find_frame(nullptr, &a) == nullptr);
}

BOOST_AUTO_TEST_CASE(of_two_frames_of_one_scheduler_the_inner_one_is_found)
{
    scheduler_identity a;
    basic_frame outer(a);
    {
        basic_frame inner(a);
        BOOST_TEST(basic_frame::find(a) == &inner);
    }
    BOOST_TEST(basic_frame::find(a) == &outer);
}

BOOST_AUTO_TEST_CASE(a_frame_whose_scheduler_is_gone_is_not_found)
{
    scheduler_identity a;
    basic_frame f(a);
    f.sched = nullptr;
    BOOST_TEST(basic_frame::find(a) == nullptr);
    BOOST_TEST(f.worker_here() == nullptr);
}

BOOST_AUTO_TEST_CASE(each_thread_has_frames_of_its_own)
{
    scheduler_identity a;
    basic_frame f(a);
    basic_frame* found = &f;
    std::thread([&] { found = basic_frame::find(a); }).join();
    BOOST_TEST(found == nullptr);
}

BOOST_AUTO_TEST_CASE(a_task_finds_its_worker)
{
    test::manual_scheduler f;
    f.s.submit(f.make(1, [&] { BOOST_TEST(f.frame().worker_here() == &f.here()); }));
    BOOST_TEST(f.run() == 1u);
    BOOST_TEST(basic_frame::find(f.s) == nullptr);
}
