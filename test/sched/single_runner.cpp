// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/single_runner.hpp>

#include <weft/queue/local_queue.hpp>
#include <weft/sched/biased_pop.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>

using weft::detail::biased_pop;
using weft::detail::single_runner;

namespace
{

using ring_queue = weft::detail::local_queue<std::uintptr_t>;

} // namespace

BOOST_AUTO_TEST_CASE(a_thread_without_company_is_single_and_unseen)
{
    single_runner runner(true);
    BOOST_TEST(!runner.is_single());
    BOOST_TEST(!runner.thread_joins(0));
    BOOST_TEST(runner.is_single());
    BOOST_TEST(runner.is_unseen());
    BOOST_TEST(runner.is_unseen_now());
}

BOOST_AUTO_TEST_CASE(the_second_thread_tells_the_runner_and_the_third_one_need_not)
{
    single_runner runner(true);
    (void)runner.thread_joins(0);
    BOOST_TEST(runner.thread_joins(1));
    BOOST_TEST(!runner.is_single());
    BOOST_TEST(!runner.is_unseen());
    BOOST_TEST(!runner.thread_joins(2));
    bool awaited = false;
    runner.tell_runner([&] { awaited = true; });
    BOOST_TEST(awaited);
    runner.await_telling();
    runner.thread_leaves(2);
    BOOST_TEST(!runner.is_single());
    runner.thread_leaves(1);
    BOOST_TEST(runner.is_single());
    BOOST_TEST(runner.is_unseen());
}

BOOST_AUTO_TEST_CASE(who_joins_after_the_last_one_has_left_is_single)
{
    single_runner runner(true);
    (void)runner.thread_joins(0);
    runner.thread_leaves(0);
    BOOST_TEST(!runner.thread_joins(0));
    BOOST_TEST(runner.is_unseen());
    BOOST_TEST(runner.thread_joins(1));
    BOOST_TEST(!runner.is_unseen());
    runner.tell_runner([] {});
}

BOOST_AUTO_TEST_CASE(a_runner_that_has_been_told_sixteen_times_is_single_but_seen)
{
    single_runner runner(true);
    (void)runner.thread_joins(0);
    for (int i = 0; i != 16; ++i)
    {
        BOOST_TEST(runner.is_unseen());
        BOOST_TEST(runner.thread_joins(1));
        runner.tell_runner([] {});
        runner.thread_leaves(1);
    }
    BOOST_TEST(runner.is_single());
    BOOST_TEST(!runner.is_unseen());
    BOOST_TEST(!runner.thread_joins(1));
}

BOOST_AUTO_TEST_CASE(without_a_process_fence_a_runner_is_single_but_seen)
{
    single_runner runner(false);
    BOOST_TEST(!runner.thread_joins(0));
    BOOST_TEST(runner.is_single());
    BOOST_TEST(!runner.is_unseen());
    BOOST_TEST(!runner.thread_joins(1));
}

BOOST_AUTO_TEST_CASE(a_runner_takes_in_order_whether_it_is_unseen_or_not)
{
    single_runner runner(true);
    biased_pop pop;
    ring_queue ring(0xfffffffeu);
    ring_queue::owner owner(ring);
    std::uintptr_t entry = 0;
    BOOST_TEST(!pop.pop(owner, entry, runner));
    (void)runner.thread_joins(0);
    BOOST_TEST(!pop.pop(owner, entry, runner));
    for (std::uintptr_t i = 0; i != 6; ++i)
        BOOST_TEST(owner.push(i));
    for (std::uintptr_t i = 0; i != 6; ++i)
    {
        if (i == 3)
        {
            BOOST_TEST(runner.thread_joins(1));
            runner.tell_runner([&] { pop.await_end(); });
        }
        BOOST_TEST(pop.pop(owner, entry, runner));
        BOOST_TEST(entry == i);
        BOOST_TEST(owner.size() == 5 - i);
        BOOST_TEST(owner.free_slots() == ring_queue::capacity - (5 - i));
    }
    BOOST_TEST(!pop.pop(owner, entry, runner));
}
