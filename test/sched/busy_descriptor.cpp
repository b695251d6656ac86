// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/busy_descriptor.hpp"

#include "sched/manual_scheduler.hpp"
#include "sched/run_loop.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <set>
#include <vector>

namespace
{

using busy_of = weft::detail::busy_descriptor<test::manual_traits>;
using threads_inside = test::threads_inside<test::manual_traits>;

/// Two threads inside, of which the first runs; and descriptors at which others are.
struct busy_descriptors : test::manual_scheduler
{
    busy_descriptors() : threads(s, 2), w(worker_of(0))
    {
        w.begin_turn(4);
        test::manual_traits::busy = [this](test::task const& event)
        {
            ++asked;
            return busy.count(&event) != 0;
        };
    }

    ~busy_descriptors()
    {
        test::manual_traits::busy = nullptr;
    }

    worker& worker_of(std::size_t thread)
    {
        return *static_cast<worker*>(threads.become(thread).worker_here());
    }

    test::task_entry event(int number)
    {
        return test::task_entry(make(number), 1);
    }

    test::task_entry busy_event(int number)
    {
        auto const e = event(number);
        busy.insert(e.op);
        return e;
    }

    bool put_off(test::task_entry e)
    {
        threads.become(0);
        return busy_of::put_off(s, w, e);
    }

    threads_inside threads;
    worker& w;
    std::set<test::task const*> busy;
    int asked = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(busy_descriptor, busy_descriptors)

BOOST_AUTO_TEST_CASE(an_event_goes_behind_what_is_queued_while_another_thread_is_at_its_descriptor)
{
    put(w, make(0));
    put(w, make(1));
    auto const busy_one = busy_event(2);
    unsigned const left = w.run_left;
    BOOST_TEST(put_off(busy_one));
    BOOST_TEST(w.ring.size() == 3u);
    // It was no part of the turn.
    BOOST_TEST(w.run_left == left + 1);
    test::task_entry next;
    for (std::size_t i = 0; i != 3; ++i)
    {
        BOOST_TEST_REQUIRE(w.owned_ring().pop(next));
        BOOST_TEST(next.op == &tasks[i]);
    }
    BOOST_TEST(busy_of::as_found(next).result == 1u);
}

// A thread that sends all the time is there nearly always.
BOOST_AUTO_TEST_CASE(an_event_is_put_behind_others_for_a_while_and_then_waited_for)
{
    using std::chrono::microseconds;
    // Whenever that begins: the time is kept modulo 2^16 steps.
    for (int start = 0; start != 200; ++start)
    {
        pass(microseconds(337 * start));
        auto next = busy_event(0);
        test::task* const task = next.op;
        auto other = test::task_entry(make(1));
        for (microseconds passed{0}; passed < busy_of::patience; passed += microseconds(100))
        {
            put(w, other.op);
            BOOST_TEST_REQUIRE(put_off(next));
            BOOST_TEST_REQUIRE(w.owned_ring().pop(other));
            w.count.handlers.add(1);
            BOOST_TEST_REQUIRE(w.owned_ring().pop(next));
            BOOST_TEST_REQUIRE(next.op == task);
            pass(microseconds(100));
        }
        pass(microseconds(2));
        put(w, other.op);
        BOOST_TEST_REQUIRE(!put_off(next));
        BOOST_TEST(busy_of::as_found(next).result == 1u);
        (void)w.owned_ring().pop(other);
    }
}

BOOST_AUTO_TEST_CASE(an_event_whose_descriptor_is_free_is_run)
{
    put(w, make(0));
    BOOST_TEST(!put_off(event(1)));
    BOOST_TEST(asked == 1);
    BOOST_TEST(w.ring.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_worker_with_nothing_else_looks_elsewhere_before_it_tries_again)
{
    unsigned const before = w.run_left + w.tick_left;
    auto const busy_one = busy_event(0);
    BOOST_TEST(put_off(busy_one));
    BOOST_TEST(w.run_left == 0u);
    BOOST_TEST(w.run_left + w.tick_left == before + 1);
    BOOST_TEST(w.ring.size() == 1u);
}

// The other thread may have lost its core for long, and wakes who waits for its lock. So may have
// this one.
BOOST_AUTO_TEST_CASE(a_worker_waits_at_last_that_has_nothing_else)
{
    using std::chrono::microseconds;
    // So short that it has tried often enough by then.
    constexpr microseconds step(5);
    static_assert(busy_of::patience / step > busy_of::least_tries);
    auto lone = busy_event(0);
    for (microseconds passed{0}; passed < busy_of::patience; passed += step)
    {
        BOOST_TEST_REQUIRE(put_off(lone));
        BOOST_TEST_REQUIRE(w.owned_ring().pop(lone));
        pass(step);
    }
    pass(microseconds(2));
    BOOST_TEST(!put_off(lone));
    BOOST_TEST(w.ring.size() == 0u);
    w.count.handlers.add(1);
    lone = busy_event(1);
    for (unsigned tries = 0; tries != busy_of::least_tries; ++tries)
    {
        BOOST_TEST_REQUIRE(put_off(lone));
        BOOST_TEST_REQUIRE(w.owned_ring().pop(lone));
        pass(busy_of::patience + microseconds(2));
    }
    BOOST_TEST(!put_off(lone));
}

BOOST_AUTO_TEST_CASE(an_event_that_finds_no_room_is_run)
{
    for (int i = 0; w.owned_ring().free_slots() != 0; ++i)
        BOOST_TEST_REQUIRE(w.owned_ring().push(test::task_entry(make(i)), w.ready_now()));
    BOOST_TEST(!put_off(busy_event(100)));
    test::task_entry next;
    while (w.owned_ring().pop(next))
        BOOST_TEST(next.op != &tasks.back());
}

BOOST_AUTO_TEST_CASE(each_event_is_run_once_when_the_other_thread_has_left)
{
    auto const first = busy_event(0);
    auto const second = busy_event(1);
    for (auto const& e : {first, second, event(2)})
        driver.events.push_back(e);
    tasks[2].run = [this, &second]
    {
        ran.push_back(2);
        busy.erase(second.op);
    };
    tasks[1].run = [this]
    {
        ran.push_back(1);
        busy.clear();
    };
    auto& level = threads.become(0);
    test::task_entry next;
    using loop = weft::detail::run_loop<test::manual_traits>;
    int handlers = 0;
    // One look into the reactor brings two: the third comes while both are put off.
    auto const began = test::manual_clock::time;
    while (loop::next(s, level, next, wait_mode::none, {}))
    {
        handlers += loop::execute(s, level, next) ? 1 : 0;
        pass(std::chrono::microseconds(4));
    }
    BOOST_TEST((test::manual_clock::time - began < busy_of::patience / 2));
    std::vector<int> const expected{2, 1, 0};
    BOOST_TEST(ran == expected, boost::test_tools::per_element());
    BOOST_TEST(handlers == 3);
    BOOST_TEST(w.count.handlers.value() == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
