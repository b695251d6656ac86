// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/between_turns.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace
{

using std::chrono::microseconds;
using std::chrono::milliseconds;

struct looking_workers : test::manual_scheduler
{
    /// Whose handlers have taken so long, at first and then.
    worker& one_of_two(microseconds first, microseconds then)
    {
        worker& w = acquire();
        acquire();
        for (int i = 0; i != 60; ++i)
            w.turn.record(1, i < 30 ? first : then);
        return w;
    }
};

// How many handlers a call runs at most.
constexpr std::size_t calls[] = {1, weft::detail::run_limits::unlimited};

// How often the reactor is looked at beside so many chains of handlers of 20 us, from where `from`
// are left, when it is known how long they are, to where `to` are.
std::size_t looks_beside(int chains, std::size_t in_a_call, int from, int to)
{
    test::manual_scheduler some;
    std::size_t before = 0;
    std::size_t after = 0;
    int left = from + 20 * chains;
    std::function<void()> step = [&]
    {
        some.pass(microseconds(20));
        if (left == from)
            before = some.driver.waits.size();
        if (left == to)
            after = some.driver.waits.size();
        if (--left >= chains)
            some.s.submit(some.make(left, step));
    };
    for (int i = 0; i != chains; ++i)
        some.s.submit(some.make(i, step));
    while (some.run(in_a_call) != 0)
    {
    }
    return after - before;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(between_turns, looking_workers)

BOOST_AUTO_TEST_CASE(a_turn_grows_while_handlers_take_no_time_and_is_one_when_they_are_long)
{
    std::vector<unsigned> turns;
    for (int i = 0; i != 64; ++i)
        s.submit(make(i, [&] { turns.push_back(here().turn.handlers()); }));
    run();
    BOOST_TEST(turns.front() == 1u);
    BOOST_TEST(turns.back() >= 16u);
    turns.clear();
    s.stopped.store(false);
    for (int i = 0; i != 200; ++i)
        s.submit(make(i,
            [&]
            {
                pass(microseconds(50));
                turns.push_back(here().turn.handlers());
            }));
    run();
    BOOST_TEST(turns.back() == 1u);
}

BOOST_AUTO_TEST_CASE(a_worker_that_shares_takes_one_handler_at_a_time)
{
    worker& w = one_of_two(microseconds(8), microseconds(6));
    BOOST_TEST_REQUIRE(w.turn.handlers() == 3u);
    test::task_entry op;
    weft::detail::between_turns<test::manual_traits>::look_elsewhere(s, w, op);
    BOOST_TEST(w.shares);
    BOOST_TEST(w.run_left == 1u);
}

BOOST_AUTO_TEST_CASE(each_look_of_a_worker_that_shares_takes_the_oldest_of_all)
{
    using looks = weft::detail::between_turns<test::manual_traits>;
    worker& w = one_of_two(microseconds(8), microseconds(6));
    for (int i = 0; i != 90; ++i)
        s.submit(make(i));
    for (std::size_t i = 0; i != 30; ++i)
    {
        pass(microseconds(20));
        put(w, make(100));
        test::task_entry op;
        BOOST_TEST(looks::look_elsewhere(s, w, op));
        BOOST_TEST(op.op == &tasks[i]);
        BOOST_TEST(w.run_left == 0u);
        BOOST_TEST(w.ring.empty());
    }
}

// Or many of some milliseconds would follow without a look.
BOOST_AUTO_TEST_CASE(after_a_turn_that_was_far_longer_than_most_comes_one_handler)
{
    using looks = weft::detail::between_turns<test::manual_traits>;
    worker& w = acquire();
    weft::detail::thread_usage usage;
    for (bool const known : {true, false})
    {
        test::manual_clock::usage = known ? &usage : nullptr;
        for (int i = 0; i != 600; ++i)
            w.turn.record(100, microseconds(2));
        test::task_entry op;
        looks::look_elsewhere(s, w, op);
        BOOST_TEST_REQUIRE(w.run_left > 90u);
        pass(w.run_left * milliseconds(2));
        w.run_left = 0;
        looks::look_elsewhere(s, w, op);
        BOOST_TEST(w.run_left == 1u);
    }
    test::manual_clock::usage = nullptr;
}

// Where there are more threads than cores, each is preempted now and then, for milliseconds.
BOOST_AUTO_TEST_CASE(short_handlers_do_not_become_long_because_their_thread_is_preempted)
{
    using looks = weft::detail::between_turns<test::manual_traits>;
    worker& w = acquire();
    acquire();
    weft::detail::thread_usage usage;
    test::manual_clock::usage = &usage;
    bool shares = false;
    for (int turn = 0; turn != 2'000; ++turn)
    {
        test::task_entry op;
        looks::look_elsewhere(s, w, op);
        w.count.handlers.add(w.run_left);
        pass(w.run_left * microseconds(3));
        usage.cpu += w.run_left * microseconds(3);
        w.run_left = 0;
        if (turn % 100 == 99)
            pass(milliseconds(9));
        shares = shares || w.shares;
    }
    test::manual_clock::usage = nullptr;
    BOOST_TEST(!shares);
    BOOST_TEST(w.turn.unbiased_mean() < microseconds(4));
}

BOOST_AUTO_TEST_CASE(the_reactor_is_looked_at_beside_other_work_when_a_time_has_passed)
{
    std::size_t most = 0;
    for (int i = 0; i != 400; ++i)
        s.submit(make(i,
            [&]
            {
                pass(microseconds(100));
                most = driver.waits.size();
            }));
    run();
    BOOST_TEST(most > 2u);
    BOOST_TEST(most < 200u);
}

// As Asio does: what comes while a handler runs is seen when it ends. Also where each is run by a
// call of its own, which does not know how long they are.
BOOST_AUTO_TEST_CASE(the_reactor_is_looked_at_after_each_handler_of_a_lone_long_chain)
{
    for (std::size_t const in_a_call : calls)
        BOOST_TEST(looks_beside(1, in_a_call, 40, 1) == 39u);
}

// Where little is queued, which is not to run out while there is more in the reactor. A chain keeps
// the worker busy, beside a conversation each handler of which makes the next event.
BOOST_AUTO_TEST_CASE(the_reactor_is_looked_at_more_often_if_looks_bring_something)
{
    for (bool const brings : {true, false})
    {
        test::manual_scheduler some;
        int left = 4000;
        std::size_t before = 0;
        std::size_t after = 0;
        std::function<void()> const step = [&]
        {
            some.pass(microseconds(1));
            if (left == 2000)
                before = some.driver.waits.size();
            after = some.driver.waits.size();
            if (--left != 0)
                some.s.submit(some.make(left, step));
        };
        std::function<void()> const answer = [&]
        {
            if (left != 0)
                some.driver.events.emplace_back(some.make(0, answer), 1);
        };
        if (brings)
            some.driver.events.emplace_back(some.make(0, answer), 1);
        some.s.submit(some.make(1, step));
        some.run();
        auto const looks = static_cast<int>(after - before);
        BOOST_TEST(looks > (brings ? 90 : 30));
        BOOST_TEST(looks < (brings ? 110 : 45));
    }
}

// What is found comes behind the round that has begun, as with Asio: where a round lasted longer by
// one handler, timers and events were late by half a one more.
BOOST_AUTO_TEST_CASE(the_reactor_is_looked_at_once_in_a_round_of_long_handlers)
{
    for (std::size_t const in_a_call : calls)
        BOOST_TEST(looks_beside(5, in_a_call, 150, 50) == 20u);
}

BOOST_AUTO_TEST_CASE(a_round_ends_with_what_is_queued_when_the_reactor_has_been_looked_at)
{
    worker& w = acquire();
    put(w, make(0));
    put(w, make(1));
    driver.events.emplace_back(make(2), 1);
    test::task_entry op;
    weft::detail::between_turns<test::manual_traits>::look_elsewhere(s, w, op);
    BOOST_TEST_REQUIRE(driver.waits.size() == 1u);
    BOOST_TEST(w.owned_ring().pushed() == 3u);
    BOOST_TEST(w.round_end == 3u);
    put(w, make(3));
    w.tick_left = s.opts.tick_budget;
    weft::detail::between_turns<test::manual_traits>::look_elsewhere(s, w, op);
    BOOST_TEST_REQUIRE(driver.waits.size() == 1u);
    BOOST_TEST(w.round_end == 3u);
}

// One that brought as many events as it can left others in the reactor.
BOOST_AUTO_TEST_CASE(after_a_full_look_the_next_one_comes_when_the_round_is_over)
{
    using looks = weft::detail::between_turns<test::manual_traits>;
    worker& w = one_of_two(microseconds(20), microseconds(20));
    auto const is_due = [&](unsigned tick_left, bool behind_reactor)
    {
        w.tick_left = tick_left;
        w.behind_reactor = behind_reactor;
        return looks::reactor_is_due(s, w);
    };
    for (unsigned const events : {test::task_driver::max_unlinkable, 1u})
    {
        bool const full = events == test::task_driver::max_unlinkable;
        for (int i = 0; i != 4; ++i)
            put(w, make(i));
        for (unsigned i = 0; i != events; ++i)
            driver.events.emplace_back(make(0), 1);
        looks::tick(s, w);
        BOOST_TEST(s.more_is_ready.load() == full);
        pass(milliseconds(2));
        w.now.store(weft::detail::ready_time_at(test::manual_clock::time));
        for (bool const behind_reactor : {false, true})
            for (unsigned const tick_left : {0u, 1u})
                BOOST_TEST(is_due(tick_left, behind_reactor) == !full);
        test::task_entry next;
        for (unsigned left = 4 + events; left != 0; --left)
        {
            BOOST_TEST_REQUIRE(w.owned_ring().pop(next));
            put(w, make(0));
            BOOST_TEST(is_due(1, false) == (!full || left == 1));
        }
        while (w.owned_ring().pop(next))
        {
        }
    }
}

BOOST_AUTO_TEST_CASE(a_tick_that_ends_within_a_round_after_a_full_look_is_followed_by_another)
{
    worker& w = one_of_two(microseconds(20), microseconds(20));
    for (int i = 0; i != 6; ++i)
        put(w, make(i));
    s.more_is_ready.store(true);
    w.tick_left = 0;
    test::task_entry op;
    (void)weft::detail::between_turns<test::manual_traits>::look_elsewhere(s, w, op);
    BOOST_TEST(driver.waits.empty());
    BOOST_TEST(w.tick_left + w.run_left + 1 >= s.opts.tick_budget);
}

// Where others post more than is run, which keeps a round from ending.
BOOST_AUTO_TEST_CASE(a_look_comes_within_some_ticks_of_a_full_one)
{
    using looks = weft::detail::between_turns<test::manual_traits>;
    worker& w = one_of_two(microseconds(1), microseconds(1));
    for (int i = 0; i != 6; ++i)
        put(w, make(i));
    s.more_is_ready.store(true);
    for (unsigned tick = 0; tick != looks::most_ticks; ++tick)
    {
        w.tick_left = 0;
        looks::tick_if_due(s, w, nullptr);
        BOOST_TEST(driver.waits.empty());
        BOOST_TEST(w.tick_left == s.opts.tick_budget);
    }
    w.tick_left = 0;
    looks::tick_if_due(s, w, nullptr);
    BOOST_TEST(driver.waits.size() == 1u);
    BOOST_TEST(w.ticks_in_round == 0u);
}

// Or what has just been posted again would be run again, in the rest of the turn.
BOOST_AUTO_TEST_CASE(a_turn_ends_with_what_is_queued_if_events_wait_for_it)
{
    worker& w = one_of_two(microseconds(1), microseconds(1));
    for (int i = 0; i != 3; ++i)
        put(w, make(i));
    for (bool const wait : {true, false})
    {
        s.more_is_ready.store(wait);
        w.tick_left = 100;
        test::task_entry op;
        (void)weft::detail::between_turns<test::manual_traits>::look_elsewhere(s, w, op);
        BOOST_TEST(w.run_left + w.tick_left == 100u);
        if (wait)
            BOOST_TEST(w.run_left == 3u);
        else
            BOOST_TEST(w.run_left > 5u);
    }
}

// With more from outside than is run the ring was not served at all: neither events nor timers.
BOOST_AUTO_TEST_CASE(with_an_interval_of_one_what_comes_from_outside_takes_turns_with_the_ring)
{
    weft::options how;
    how.injection_interval = 1;
    test::manual_scheduler some(how);
    worker& w = some.acquire();
    some.acquire();
    for (int i = 0; i != 4; ++i)
        some.put(w, some.make(i));
    some.pass(milliseconds(1));
    auto const looks_for = [&](test::task const* expected)
    {
        test::task_entry op;
        w.tick_left = 100;
        bool const found =
            weft::detail::between_turns<test::manual_traits>::look_elsewhere(some.s, w, op);
        return expected ? found && op.op == expected : !found;
    };
    for (int i = 4; i != 8; ++i)
    {
        test::task* const next = some.make(i);
        some.s.injected.push(next, weft::detail::ready_time_at(test::manual_clock::time));
        if (i != 4)
            BOOST_TEST(looks_for(nullptr));
        BOOST_TEST(looks_for(next));
    }
    BOOST_TEST(w.ring.size() == 4u);
}

BOOST_AUTO_TEST_CASE(what_the_worker_queues_is_as_old_as_its_last_look_at_the_clock)
{
    weft::options how;
    how.injection_interval = 2;
    test::manual_scheduler fixed(how);
    std::vector<weft::detail::ready_time> seen;
    for (int i = 0; i != 4; ++i)
        fixed.s.submit(fixed.make(i,
            [&]
            {
                seen.push_back(fixed.here().ready_now());
                fixed.pass(microseconds(1024));
            }));
    fixed.run();
    BOOST_TEST(seen[0] == seen[1]);
    BOOST_TEST(seen[2] == seen[3]);
    // There was one into the reactor too, and what that brings is older.
    auto const looked = seen[0] + (weft::detail::ready_time{2'048'000} >> 8);
    BOOST_TEST(seen[2] == weft::detail::just_after(looked));
}

// What an event's handler does, and the end of what it has begun, are one turn, if they are short.
BOOST_AUTO_TEST_CASE(after_a_sleep_two_handlers_run_before_a_look_if_what_ran_last_was_short)
{
    worker& w = acquire();
    BOOST_TEST(w.first_turn == 1u);
    w.slept = true;
    for (auto const& [lasted, handlers] : {std::pair{9, 2u}, {10, 1u}, {5000, 1u}, {1, 2u}})
    {
        w.begin_anew(1);
        w.looked = test::manual_clock::time;
        pass(std::chrono::microseconds(lasted));
        weft::detail::between_turns<test::manual_traits>::end_turn(s, w, test::manual_clock::time);
        BOOST_TEST(w.first_turn == handlers);
    }
}

BOOST_AUTO_TEST_SUITE_END()
