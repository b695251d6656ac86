// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/membership.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>

BOOST_FIXTURE_TEST_SUITE(membership, test::manual_scheduler)

BOOST_AUTO_TEST_CASE(a_thread_is_counted_while_it_is_inside)
{
    s.submit(make(0, [&] { BOOST_TEST(s.sleepers.active() == 1u); }));
    run();
    BOOST_TEST(s.sleepers.active() == 0u);
    BOOST_TEST(!test::manual_traits::innermost);
}

BOOST_AUTO_TEST_CASE(a_thread_that_leaves_empties_its_slot_for_others)
{
    s.submit(make(0,
        [&]
        {
            s.submit_continuation(make(1));
            here().asio.posted.push_back(make(2));
        }));
    BOOST_TEST(run(1) == 1u);
    BOOST_TEST(s.workers[0].lifo.empty());
    BOOST_TEST(s.workers[0].ring.size() == 2u);
    BOOST_TEST(run() == 2u);
}

BOOST_AUTO_TEST_CASE(a_thread_that_blocks_has_no_worker_and_is_outstanding_work)
{
    s.submit(make(0,
        [&]
        {
            auto& f = level();
            s.submit_continuation(make(1));
            here().asio.posted.push_back(make(2));
            s.hand_off(f);
            BOOST_TEST(!f.w);
            BOOST_TEST(f.entry->hidden);
            BOOST_TEST(s.sleepers.active() == 0u);
            BOOST_TEST(s.work.value() == 1);
            BOOST_TEST(s.workers[0].ring.size() == 2u);
            s.submit(make(3));
            BOOST_TEST(s.injected.size() == 1u);
            s.take_back(f);
            BOOST_TEST(f.w);
            BOOST_TEST(!f.entry->hidden);
            BOOST_TEST(s.sleepers.active() == 1u);
        }));
    BOOST_TEST(run() == 4u);
    BOOST_TEST(s.work.value() == 0);
}

BOOST_AUTO_TEST_CASE(a_scheduler_that_is_destroyed_inside_leaves_its_worker_to_the_thread)
{
    s.submit(make(0,
        [&]
        {
            s.orphan_this_thread();
            BOOST_TEST(!level().sched);
            BOOST_TEST(level().kept.get() == &here());
            BOOST_TEST(s.sleepers.active() == 0u);
        }));
    s.submit(make(1));
    BOOST_TEST(run() == 1u);
}

namespace
{

// Whose handlers begin another one each, and take `each`.
struct one_handler_a_call : test::manual_scheduler
{
    explicit one_handler_a_call(weft::options const& how = with(weft::timing::off))
        : manual_scheduler(how)
    {
    }

    std::chrono::microseconds each{0};
    std::function<void()> step = [this]
    {
        pass(each);
        s.submit(make(0, step));
    };

    // How many calls have looked before their handler, of so many.
    int looks_in(int calls)
    {
        int looks = 0;
        for (int i = 0; i != calls; ++i)
        {
            auto const began = test::manual_clock::time;
            BOOST_TEST_REQUIRE(run(1) == 1u);
            looks += s.workers[0].looked == began;
            pass(std::chrono::nanoseconds(1));
        }
        return looks;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(calls_of_one_short_handler_each_are_one_turn_of_5_us, one_handler_a_call)
{
    each = std::chrono::microseconds(1);
    s.submit(make(0, step));
    BOOST_TEST(looks_in(1) == 1);
    BOOST_TEST(looks_in(4) == 0);
    BOOST_TEST(looks_in(5) == 1);
    // What the user does between two calls may take long.
    pass(std::chrono::milliseconds(10));
    BOOST_TEST(looks_in(1) == 1);
}

BOOST_FIXTURE_TEST_CASE(of_a_long_handler_each_is_a_turn, one_handler_a_call)
{
    each = std::chrono::microseconds(5);
    s.submit(make(0, step));
    BOOST_TEST(looks_in(10) == 10);
}

// Also while no time passes.
BOOST_FIXTURE_TEST_CASE(they_look_into_the_reactor_as_often_as_one_call_would, one_handler_a_call)
{
    s.submit(make(0, step));
    looks_in(10 * 128);
    BOOST_TEST(driver.waits.size() >= 9u);
}

// What is queued at another worker may be older.
BOOST_FIXTURE_TEST_CASE(where_there_have_been_two_workers_each_call_looks, one_handler_a_call)
{
    s.submit(make(0, step));
    worker& first = acquire();
    s.workers.release(acquire(), false);
    s.workers.release(first, false);
    BOOST_TEST(looks_in(10) == 10);
}

BOOST_AUTO_TEST_CASE(nor_is_a_number_that_the_user_has_fixed_exceeded)
{
    auto how = with(weft::timing::off);
    how.injection_interval = 4;
    one_handler_a_call some(how);
    some.s.submit(some.make(0, some.step));
    BOOST_TEST(some.looks_in(12) >= 3);
}

BOOST_AUTO_TEST_SUITE_END()
