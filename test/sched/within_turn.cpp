// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/within_turn.hpp"

#include "sched/between_turns.hpp"
#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>

namespace
{

using within = weft::detail::within_turn<test::manual_traits>;
using std::chrono::microseconds;
using std::chrono::milliseconds;

struct sharing_worker : test::manual_scheduler
{
    sharing_worker() : w(acquire()), other(acquire())
    {
        for (int i = 0; i != 60; ++i)
            w.turn.record(1, microseconds(20));
        look();
        BOOST_TEST_REQUIRE(w.shares);
    }

    /// At everything, as at the end of a turn.
    void look()
    {
        weft::detail::between_turns<test::manual_traits>::look_elsewhere(s, w, op);
        w.run_left = 0;
        looked_into_reactor();
    }

    void looked_into_reactor()
    {
        s.polled.store(weft::detail::ready_time_at(test::manual_clock::now()));
    }

    /// A handler has returned which has taken so long. Whether the turn goes on.
    bool goes_on_after(microseconds handler)
    {
        w.count.handlers.add(1);
        pass(handler);
        if (within::take_next(s, w, op))
            return true;
        look();
        return false;
    }

    worker& w;
    worker& other;
    test::task_entry op;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(within_turn, sharing_worker)

BOOST_AUTO_TEST_CASE(a_turn_lasts_15_us_and_then_ends_with_a_handler)
{
    auto const ends_after = [&](microseconds handler)
    {
        pass(microseconds(2));
        s.now.store(weft::detail::ready_time_at(test::manual_clock::now()));
        s.submit(make(0));
        return !goes_on_after(handler);
    };
    BOOST_TEST(!ends_after(microseconds(5)));
    // Others are told the time, and so is what it queues.
    BOOST_TEST(w.ready_now() == s.now.load(std::memory_order_relaxed));
    BOOST_TEST(!ends_after(microseconds(5)));
    BOOST_TEST(ends_after(microseconds(0)));
    BOOST_TEST(ends_after(microseconds(13)));
    BOOST_TEST(ends_after(milliseconds(5)));
    BOOST_TEST(!ends_after(microseconds(12)));
}

BOOST_AUTO_TEST_CASE(a_turn_lasts_400_us_while_what_comes_next_was_ready_before_the_last_look)
{
    for (int i = 0; i != 20; ++i)
        s.submit(make(i));
    pass(microseconds(2));
    looked_into_reactor();
    for (std::size_t i = 0; i != 3; ++i)
    {
        BOOST_TEST(goes_on_after(microseconds(99)));
        BOOST_TEST(op.op == &tasks[i]);
    }
    BOOST_TEST(!goes_on_after(microseconds(102)));
}

BOOST_AUTO_TEST_CASE(a_turn_ends_before_what_became_ready_after_the_last_look)
{
    s.submit(make(0));
    pass(microseconds(2));
    looked_into_reactor();
    s.now.store(weft::detail::ready_time_at(test::manual_clock::now()));
    for (int i = 1; i != 6; ++i)
        s.submit(make(i));
    BOOST_TEST(goes_on_after(microseconds(30)));
    BOOST_TEST(op.op == &tasks[0]);
    BOOST_TEST(!goes_on_after(microseconds(30)));
}

BOOST_AUTO_TEST_CASE(a_turn_ends_when_fewer_are_left_than_two_for_each_thread)
{
    for (int i = 0; i != 2; ++i)
        (void)s.sleepers.join([](std::uint32_t) {});
    for (int i = 0; i != 5; ++i)
        s.submit(make(i));
    pass(microseconds(2));
    looked_into_reactor();
    for (int i = 0; i != 2; ++i)
        BOOST_TEST(goes_on_after(microseconds(30)));
    BOOST_TEST(s.injected.size() == 3u);
    BOOST_TEST(!goes_on_after(microseconds(30)));
}

BOOST_AUTO_TEST_CASE(a_turn_ends_when_another_worker_may_have_what_is_older)
{
    put(other, make(100));
    for (int i = 0; i != 20; ++i)
        s.submit(make(i));
    w.looked_at_neighbour = test::manual_clock::time;
    looked_into_reactor();
    BOOST_TEST(goes_on_after(microseconds(30)));
    BOOST_TEST(!goes_on_after(microseconds(30)));
    BOOST_TEST(goes_on_after(microseconds(30)));
}

BOOST_AUTO_TEST_CASE(a_turn_of_shorter_handlers_ends_after_15_us)
{
    for (int i = 0; i != 5'000; ++i)
        w.turn.record(1, microseconds(8), true);
    BOOST_TEST_REQUIRE(w.turn.mean() < microseconds(10));
    for (int i = 0; i != 6; ++i)
        s.submit(make(i));
    pass(microseconds(2));
    looked_into_reactor();
    BOOST_TEST(goes_on_after(microseconds(8)));
    BOOST_TEST(!goes_on_after(microseconds(8)));
}

BOOST_AUTO_TEST_CASE(a_turn_counts_all_of_its_handlers)
{
    // Two of 10 us and the end of a write after each of them.
    for (int i = 0; i != 8'000; ++i)
    {
        s.submit(make(0));
        goes_on_after(microseconds(i % 2 == 0 ? 14 : 2));
    }
    BOOST_TEST(w.turn.mean() > microseconds(7));
    BOOST_TEST(w.turn.mean() < microseconds(9));
}

BOOST_AUTO_TEST_CASE(a_tick_ends_a_turn)
{
    unsigned handlers = 0;
    for (std::size_t const before = driver.waits.size(); driver.waits.size() == before; ++handlers)
    {
        s.submit(make(0));
        goes_on_after(microseconds(0));
    }
    BOOST_TEST(handlers <= s.opts.tick_budget);
}

BOOST_AUTO_TEST_CASE(each_handler_is_the_oldest_of_what_the_worker_has_and_what_all_have)
{
    w.pushed_before = w.owned_ring().pushed();
    s.submit(make(0));
    s.submit(make(1));
    pass(microseconds(5));
    w.asio.posted.push_back(make(2));
    BOOST_TEST(goes_on_after(microseconds(1)));
    BOOST_TEST(op.op == &tasks[0]);
    put(w, make(3));
    BOOST_TEST(goes_on_after(microseconds(1)));
    BOOST_TEST(op.op == &tasks[1]);
    for (std::size_t i : {2u, 3u})
    {
        BOOST_TEST(goes_on_after(microseconds(1)));
        BOOST_TEST(op.op == &tasks[i]);
    }
    // What nobody else has anything before is the worker's.
    put(w, make(4));
    BOOST_TEST(goes_on_after(microseconds(1)));
    BOOST_TEST(op.op == &tasks[4]);
    w.asio.posted.push_back(make(5));
    BOOST_TEST(goes_on_after(microseconds(1)));
    BOOST_TEST(op.op == &tasks[5]);
    w.asio.posted.push_back(make(6));
    w.asio.posted.push_back(make(7));
    for (std::size_t i : {6u, 7u})
    {
        BOOST_TEST(goes_on_after(microseconds(1)));
        BOOST_TEST(op.op == &tasks[i]);
    }
    BOOST_TEST(w.ring.empty());
    BOOST_TEST(s.injected.empty());
    BOOST_TEST(!w.asio.has_posted());
    BOOST_TEST(!within::take_next(s, w, op));
}

BOOST_AUTO_TEST_CASE(nothing_of_a_turn_is_taken_that_is_over_or_before_which_something_else_comes)
{
    s.submit(make(0));
    auto const takes_none = [&]
    {
        return !within::take_next(s, w, op) && s.injected.size() == 1;
    };
    w.run_left = 1;
    BOOST_TEST(takes_none());
    w.run_left = 0;
    w.behind_reactor = true;
    BOOST_TEST(takes_none());
    w.behind_reactor = false;
    for (auto const duty : {worker::searching, worker::holds_driver})
    {
        w.take_on(duty);
        BOOST_TEST(takes_none());
        w.drop(duty);
    }
    (void)w.lifo.put(make(1));
    BOOST_TEST(takes_none());
    (void)w.lifo.take();
    for (unsigned* count : {&w.turn_start, &w.tick_left})
    {
        unsigned const was = *count;
        *count = 0;
        BOOST_TEST(takes_none());
        *count = was;
    }
    BOOST_TEST(within::take_next(s, w, op));
    BOOST_TEST(op.op == &tasks[0]);
}

BOOST_AUTO_TEST_SUITE_END()
