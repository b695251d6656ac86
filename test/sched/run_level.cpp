// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/run_level.hpp>

#include "sched/basic_run_level.hpp"
#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <thread>

using weft::detail::find_level;
using weft::detail::scheduler_identity;
using basic_run_level = weft::detail::basic_run_level<test::manual_traits>;

BOOST_AUTO_TEST_CASE(a_level_is_found_behind_those_of_other_schedulers)
{
    scheduler_identity a, b, never_entered;
    basic_run_level outer(a);
    basic_run_level inner(b);
    BOOST_TEST(basic_run_level::find(a) == &outer);
    BOOST_TEST(basic_run_level::find(b) == &inner);
    BOOST_TEST(basic_run_level::find(never_entered) == nullptr);
    BOOST_TEST(find_level(&outer, &b) == nullptr);
    BOOST_TEST(find_level(nullptr, &a) == nullptr);
}

BOOST_AUTO_TEST_CASE(of_two_levels_of_one_scheduler_the_inner_one_is_found)
{
    scheduler_identity a;
    basic_run_level outer(a);
    {
        basic_run_level inner(a);
        BOOST_TEST(basic_run_level::find(a) == &inner);
    }
    BOOST_TEST(basic_run_level::find(a) == &outer);
}

BOOST_AUTO_TEST_CASE(a_level_whose_scheduler_is_gone_is_not_found)
{
    scheduler_identity a;
    basic_run_level f(a);
    f.sched = nullptr;
    BOOST_TEST(basic_run_level::find(a) == nullptr);
    BOOST_TEST(f.worker_here() == nullptr);
}

BOOST_AUTO_TEST_CASE(each_thread_has_levels_of_its_own)
{
    scheduler_identity a;
    basic_run_level f(a);
    basic_run_level* found = &f;
    std::thread([&] { found = basic_run_level::find(a); }).join();
    BOOST_TEST(found == nullptr);
}

BOOST_AUTO_TEST_CASE(a_task_finds_its_worker)
{
    test::manual_scheduler f;
    f.s.submit(f.make(1, [&] { BOOST_TEST(f.level().worker_here() == &f.here()); }));
    BOOST_TEST(f.run() == 1u);
    BOOST_TEST(basic_run_level::find(f.s) == nullptr);
}
