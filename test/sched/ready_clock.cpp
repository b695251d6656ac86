// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/ready_clock.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>

namespace
{

using clock = weft::detail::ready_clock<test::manual_traits>;
using looks = weft::detail::between_turns<test::manual_traits>;
using queue = weft::detail::run_queue<test::manual_traits>;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// Two workers, one of which is in a handler that takes as long as those before it.
struct long_handlers : test::manual_scheduler
{
    worker& w = acquire();
    worker& other = acquire();
    test::task_entry next;

    long_handlers()
    {
        become(milliseconds(3));
    }

    void become(std::chrono::nanoseconds duration)
    {
        for (int i = 0; i != 100; ++i)
            w.turn.record(1, duration);
        (void)looks::look_elsewhere(s, w, next);
    }

    void become_short()
    {
        for (int i = 0; i != 20 && w.shares; ++i)
        {
            // Or the turn would go on.
            pass(microseconds(20));
            become(microseconds(1));
        }
        BOOST_TEST_REQUIRE(!w.shares);
    }

    weft::detail::ready_time now() const
    {
        return weft::detail::ready_time_at(test::manual_clock::time);
    }

    // As of a look at the clock now.
    void put_by_look(test::task* t)
    {
        looks::end_turn(s, w, test::manual_clock::now());
        queue::place(s, w, test::task_entry(t), w.ready_now());
    }

    void push(test::task* t)
    {
        queue::push(s, w, test::task_entry(t));
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(ready_clock, long_handlers)

BOOST_AUTO_TEST_CASE(what_a_long_handler_queues_is_as_old_as_its_post)
{
    pass(microseconds(1024));
    push(make(0));
    pass(microseconds(1024));
    push(make(1));
    weft::detail::ready_time since = 0;
    BOOST_TEST_REQUIRE(w.ring.oldest(since));
    BOOST_TEST(weft::detail::age(since, now()).count() == 1'024'000);
    // How long it has been in its handler is still to be seen.
    BOOST_TEST(weft::detail::age(w.ready_now(), now()).count() == 2'048'000);
}

BOOST_AUTO_TEST_CASE(what_became_ready_during_a_long_handler_goes_before_what_it_queues_then)
{
    // At the end of another handler.
    pass(milliseconds(1));
    (void)clock::tell_others(s, now());
    s.submit(make(0));
    pass(milliseconds(2));
    push(make(1));
    BOOST_TEST_REQUIRE(looks::look_elsewhere(s, w, next));
    BOOST_TEST(next.op == &tasks[0]);
    BOOST_TEST(s.injected.pop() == &tasks[1]);
}

BOOST_AUTO_TEST_CASE(what_asio_has_posted_in_a_long_handler_is_as_old_as_its_end)
{
    pass(milliseconds(1));
    (void)clock::tell_others(s, now());
    s.submit(make(0));
    w.asio.posted.push_back(make(1));
    pass(milliseconds(2));
    queue::collect_posted(s, w);
    BOOST_TEST_REQUIRE(looks::look_elsewhere(s, w, next));
    BOOST_TEST(next.op == &tasks[0]);
}

BOOST_AUTO_TEST_CASE(what_comes_from_outside_does_not_go_before_what_a_long_handler_has_queued)
{
    // The first one from outside looks at the clock itself.
    s.submit(make(0));
    (void)s.injected.pop();
    pass(milliseconds(1));
    push(make(1));
    pass(microseconds(5));
    push(make(2));
    // Nobody else looks at it meanwhile.
    pass(milliseconds(2));
    for (int i = 3; i != 10; ++i)
        s.submit(make(i));
    BOOST_TEST_REQUIRE(looks::look_elsewhere(s, w, next));
    BOOST_TEST(next.op == &tasks[1]);
    for (std::size_t i = 2; i != 10; ++i)
        BOOST_TEST(s.injected.pop() == &tasks[i]);
}

BOOST_AUTO_TEST_CASE(what_a_long_handler_queues_is_not_older_than_what_a_look_has_brought)
{
    pass(microseconds(100));
    (void)clock::tell_others(s, now());
    // Less than a step of the common clock.
    pass(microseconds(10));
    put_by_look(make(0));
    pass(microseconds(3));
    push(make(1));
    BOOST_TEST_REQUIRE(looks::look_elsewhere(s, w, next));
    BOOST_TEST(next.op == &tasks[0]);
}

// Nothing need be allowed for what was queued since the last look.
BOOST_AUTO_TEST_CASE(a_timer_is_compared_with_what_a_long_handler_has_queued_exactly)
{
    pass(milliseconds(1));
    push(make(0));
    pass(milliseconds(1));
    (void)looks::look_elsewhere(s, w, next);
    BOOST_TEST(w.turn_began == w.ready_now());
}

BOOST_AUTO_TEST_CASE(what_short_handlers_have_queued_may_be_as_old_as_their_turn)
{
    become_short();
    auto const looked = w.ready_now();
    pass(microseconds(100));
    (void)looks::look_elsewhere(s, w, next);
    BOOST_TEST(w.turn_began == looked);
}

BOOST_AUTO_TEST_CASE(short_handlers_do_not_look_at_the_clock_when_they_queue_something)
{
    become_short();
    std::size_t const before = test::manual_clock::looks;
    push(make(0));
    BOOST_TEST(test::manual_clock::looks == before);
}

BOOST_AUTO_TEST_CASE(nor_does_the_only_worker)
{
    test::manual_scheduler alone;
    std::size_t asked = 0;
    for (int i = 0; i != 20; ++i)
        alone.s.submit(alone.make(i,
            [&]
            {
                alone.pass(milliseconds(3));
                std::size_t const before = test::manual_clock::looks;
                alone.s.submit(alone.make(20));
                asked += test::manual_clock::looks - before;
            }));
    alone.run();
    BOOST_TEST(asked == 0u);
}

// Of what others queue a moment later: it is early by a step at most.
BOOST_AUTO_TEST_CASE(what_comes_from_outside_goes_before_what_is_queued_a_part_of_a_handler_later)
{
    become(microseconds(20));
    // The first one from outside looks at the clock itself.
    s.submit(make(9));
    (void)s.injected.pop();
    // At the end of a handler of one worker; the other one's ends 8 us later.
    pass(microseconds(100));
    push(make(0));
    (void)w.owned_ring().pop(next);
    s.submit(make(1));
    pass(microseconds(8));
    push(make(2));
    BOOST_TEST_REQUIRE(looks::look_elsewhere(s, w, next));
    BOOST_TEST(next.op == &tasks[2]);
    BOOST_TEST(s.injected.pop() == &tasks[3]);
}

BOOST_AUTO_TEST_CASE(the_common_clock_is_written_once_in_a_while)
{
    pass(microseconds(100));
    auto const told = clock::tell_others(s, now());
    BOOST_TEST(told == now());
    pass(clock::step - microseconds(2));
    BOOST_TEST(clock::tell_others(s, now()) == told);
    BOOST_TEST(s.now.load(std::memory_order_relaxed) == told);
    pass(microseconds(4));
    BOOST_TEST(clock::tell_others(s, now()) == now());
    BOOST_TEST(s.now.load(std::memory_order_relaxed) == now());
    // Who has lost its core after it had looked.
    auto const earlier = now();
    pass(milliseconds(4));
    auto const later = clock::tell_others(s, now());
    BOOST_TEST(clock::tell_others(s, earlier) == later);
    BOOST_TEST(s.now.load(std::memory_order_relaxed) == later);
}

BOOST_AUTO_TEST_CASE(who_has_slept_does_not_put_it_back)
{
    auto const told = [this]
    {
        return s.now.load(std::memory_order_relaxed);
    };
    auto const before = now();
    pass(milliseconds(1));
    auto const after = now();
    clock::advance_to(s, after);
    BOOST_TEST(told() == after);
    clock::advance_to(s, before);
    BOOST_TEST(told() == after);
    // All have slept for 18 minutes: the stamps begin again.
    s.now.store(after + (1u << 15), std::memory_order_relaxed);
    clock::advance_to(s, after);
    BOOST_TEST(told() == after);
}

BOOST_AUTO_TEST_SUITE_END()
