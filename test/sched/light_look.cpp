// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <sched/light_look.hpp>

#include "manual_scheduler.hpp"

#include <sched/between_turns.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace
{

using light = weft::detail::light_look<test::manual_traits>;
using std::chrono::microseconds;
using weft::timing;

weft::options looks_after(unsigned handlers)
{
    weft::options o;
    o.injection_interval = handlers;
    return o;
}

struct lone_worker : test::manual_scheduler
{
    explicit lone_worker(weft::options const& how = {}) : manual_scheduler(how), w(acquire())
    {
        (void)s.sleepers.join(
            [this](std::uint32_t others) { (void)s.runner.thread_joins(others); });
        w.tick_left = s.opts.tick_budget;
        for (int i = 0; i != 60; ++i)
            w.turn.record(1, microseconds(20));
        queue_before_look(5);
        BOOST_TEST_REQUIRE(s.runner.is_single());
    }

    /// So many, which were ready before the last look into the reactor; the first of them has run.
    void queue_before_look(int count)
    {
        for (int i = 0; i != count; ++i)
            put(w, make(i));
        looked_into_reactor();
        weft::detail::between_turns<test::manual_traits>::look_elsewhere(s, w, op);
        w.run_left = 0;
        BOOST_TEST_REQUIRE(w.owned_ring().pop(op));
    }

    void looked_into_reactor()
    {
        s.polled.store(weft::detail::ready_time_at(test::manual_clock::now()));
        w.round_end = w.owned_ring().pushed();
    }

    /// Its handlers take so long in the mean.
    void handlers_take(microseconds each)
    {
        for (int i = 0; i != 100; ++i)
            w.turn.record(1, each);
    }

    /// The ring holds so many, which were there at the last look into the reactor, and another one
    /// has run.
    void begin_round(unsigned size = 4)
    {
        w.run_left = 0;
        w.tick_left = s.opts.tick_budget;
        w.turn_start = w.tick_left + 1;
        while (w.ring.size() != size)
            put(w, make(0));
        looked_into_reactor();
    }

    void timing_is(timing how)
    {
        w.measured.mode = how;
        s.measured.mode(how);
        w.measured.switches = s.measured.switches();
    }

    /// Begins a turn, behind a handler that has taken as long as most; how many handlers it has.
    unsigned turn_after(microseconds handler)
    {
        BOOST_TEST_REQUIRE(goes_on_after(handler));
        return w.run_left + 1;
    }

    bool takes_next()
    {
        return light::may_do(w) && light::take_next(s, w, op);
    }

    /// Whether it does so if this is not as it was.
    template <typename Value>
    bool takes_next_with(Value& field, Value const& value)
    {
        Value const was = field;
        field = value;
        bool const takes = takes_next();
        field = was;
        return takes;
    }

    /// A handler has returned which has taken so long, and was the last of its turn.
    bool goes_on_after(microseconds handler)
    {
        w.end_turn_after(0);
        pass(handler);
        return takes_next();
    }

    worker& w;
    test::task_entry op;
};

struct lone_worker_with_fixed_turns : lone_worker
{
    lone_worker_with_fixed_turns() : lone_worker(looks_after(1))
    {
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(light_look, lone_worker)

BOOST_AUTO_TEST_CASE(what_was_ready_before_the_last_look_into_the_reactor_comes_in_order)
{
    for (std::size_t i : {1u, 2u, 3u})
    {
        BOOST_TEST(goes_on_after(microseconds(20)));
        BOOST_TEST(op.op == &tasks[i]);
    }
    // Before the last one it looks whether anything else has come.
    BOOST_TEST(!goes_on_after(microseconds(20)));
    BOOST_TEST(w.ring.size() == 1u);
}

BOOST_AUTO_TEST_CASE(each_is_a_turn_that_is_measured)
{
    BOOST_TEST(goes_on_after(microseconds(20)));
    auto const mean = w.turn.mean();
    auto const before = w.ready_now();
    w.lifo_run = 2;
    BOOST_TEST(goes_on_after(microseconds(36)));
    BOOST_TEST(w.lifo_run == 0u);
    BOOST_TEST(w.turn_began == before);
    BOOST_TEST(w.turn.mean() >= mean + microseconds(3));
    BOOST_TEST((w.looked == test::manual_clock::time));
    BOOST_TEST(w.ready_now() == weft::detail::ready_time_at(test::manual_clock::time));
    BOOST_TEST(s.now.load() == w.ready_now());
    BOOST_TEST(w.tick_left + w.run_left == s.opts.tick_budget - 3);
}

BOOST_AUTO_TEST_CASE(what_it_has_waited_while_it_woke_somebody_is_no_time_of_its_handlers)
{
    auto const mean = w.turn.unbiased_mean();
    w.wakes.add(microseconds(30));
    BOOST_TEST(goes_on_after(microseconds(50)));
    BOOST_TEST((w.turn.unbiased_mean() - mean < microseconds(1)));
    BOOST_TEST(w.wakes.in_turn().count() == 0);
}

BOOST_AUTO_TEST_CASE(a_turn_of_short_ones_goes_on_for_what_is_in_the_ring_at_most)
{
    handlers_take(microseconds(1));
    BOOST_TEST_REQUIRE(w.turn.handlers() > 4u);
    BOOST_TEST(turn_after(microseconds(1)) == 4u);
    BOOST_TEST(w.turn_start - w.tick_left == 4u);
}

BOOST_AUTO_TEST_CASE(
    a_turn_of_longer_ones_has_all_that_was_queued_at_the_last_look_into_the_reactor)
{
    timing_is(timing::off);
    put(w, make(10));
    put(w, make(11));
    // Of four that were there.
    BOOST_TEST(turn_after(microseconds(20)) == 4u);
    BOOST_TEST(w.ring.size() == 5u);
}

BOOST_AUTO_TEST_CASE(a_turn_of_longer_ones_is_over_in_100_us)
{
    timing_is(timing::off);
    handlers_take(microseconds(24));
    begin_round(7);
    BOOST_TEST(turn_after(microseconds(24)) == 4u);
}

BOOST_AUTO_TEST_CASE(a_turn_of_longer_ones_is_over_when_another_look_into_the_reactor_is_due)
{
    timing_is(timing::off);
    handlers_take(microseconds(20));
    pass(microseconds(930));
    w.looked = test::manual_clock::time;
    BOOST_TEST(turn_after(microseconds(20)) == 2u);
}

BOOST_AUTO_TEST_CASE(each_that_is_timed_is_a_turn)
{
    handlers_take(microseconds(110));
    BOOST_TEST(turn_after(microseconds(110)) == 1u);
}

BOOST_AUTO_TEST_CASE(
    what_became_ready_after_the_last_look_into_the_reactor_comes_behind_another_one)
{
    BOOST_TEST_REQUIRE(goes_on_after(microseconds(20)));
    looked_into_reactor();
    pass(microseconds(5));
    while (w.owned_ring().pop(op))
    {
    }
    put(w, make(10));
    put(w, make(11));
    BOOST_TEST(!goes_on_after(microseconds(20)));
    looked_into_reactor();
    w.end_turn_after(0);
    BOOST_TEST(takes_next());
    BOOST_TEST(op.op == &tasks[5]);
}

BOOST_AUTO_TEST_CASE(a_millisecond_after_the_last_look_into_the_reactor_another_one_is_due)
{
    BOOST_TEST(goes_on_after(microseconds(20)));
    for (int i = 0; i != 60; ++i)
        w.turn.record(1, microseconds(500));
    pass(microseconds(900));
    BOOST_TEST(goes_on_after(microseconds(70)));
    BOOST_TEST(!goes_on_after(microseconds(20)));
}

BOOST_AUTO_TEST_CASE(a_handler_that_was_far_longer_than_most_is_looked_behind)
{
    BOOST_TEST(!goes_on_after(microseconds(400)));
    BOOST_TEST(w.turn.handlers() == 1u);
}

BOOST_AUTO_TEST_CASE(what_others_have_is_looked_for)
{
    pass(microseconds(20));
    s.injected.push(make(20), w.ready_now());
    BOOST_TEST(!takes_next());
    BOOST_TEST_REQUIRE(
        s.injected.pop_batch([](std::size_t) { return std::size_t{1}; }, [](auto const&) {}) == 1u);
    BOOST_TEST(takes_next());
    (void)acquire();
    BOOST_TEST(!goes_on_after(microseconds(20)));
}

BOOST_AUTO_TEST_CASE(it_is_alone_only_until_another_thread_joins)
{
    (void)s.sleepers.join([this](std::uint32_t others) { (void)s.runner.thread_joins(others); });
    BOOST_TEST(!goes_on_after(microseconds(20)));
}

BOOST_AUTO_TEST_CASE(a_turn_that_is_not_over_or_was_none_is_not_followed_by_one)
{
    pass(microseconds(20));
    BOOST_TEST(!takes_next_with(w.run_left, 1u));
    BOOST_TEST(!takes_next_with(w.tick_left, 0u));
    BOOST_TEST(!takes_next_with(w.turn_start, 0u));
    BOOST_TEST(!takes_next_with(w.turn_start, w.tick_left));
    BOOST_TEST(!takes_next_with(w.has_left, true));
    BOOST_TEST(!takes_next_with(w.behind_reactor, true));
    for (unsigned const duty : {worker::searching, worker::holds_driver, worker::spare,
             worker::orphaned, worker::timed, worker::recorded})
        BOOST_TEST(!takes_next_with(w.duties, duty));
    (void)w.lifo.put(make(30));
    BOOST_TEST(!takes_next());
    (void)w.lifo.take();
    w.asio.posted.push_back(make(31));
    BOOST_TEST(!takes_next());
    w.asio.posted.clear();
    s.measured.mode(timing::all);
    BOOST_TEST(!takes_next());
    s.measured.mode(timing::sampled);
    BOOST_TEST(w.ring.size() == 4u);
    BOOST_TEST(takes_next());
}

// At the same places of each round some would never be timed.
BOOST_AUTO_TEST_CASE(one_in_eight_is_timed_as_chance_says_and_begins_a_turn)
{
    auto& m = w.measured;
    unsigned timed = 0;
    std::size_t since_last = 0;
    std::size_t gaps[16]{};
    for (int i = 0; i != 8'000; ++i)
    {
        begin_round(7);
        w.count.handlers.add(1);
        m.want(false);
        m.fresh = false;
        unsigned const turn = turn_after(microseconds(20));
        BOOST_TEST_REQUIRE(m.sample_at > w.count.handlers.value());
        BOOST_TEST(turn <= m.sample_at - w.count.handlers.value());
        bool const is_timed = (m.wanted & m.is_timed) != 0;
        // From now on, and it is known how long it has been queued.
        BOOST_TEST(m.fresh == is_timed);
        BOOST_TEST(m.knows_since == is_timed);
        m.knows_since = false;
        ++since_last;
        if (!is_timed)
            continue;
        BOOST_TEST(static_cast<std::int64_t>(m.ended) ==
                   test::manual_clock::time.time_since_epoch().count());
        BOOST_TEST_REQUIRE(since_last < 16u);
        ++gaps[std::exchange(since_last, 0)];
        ++timed;
    }
    BOOST_TEST(timed >= 900u);
    BOOST_TEST(timed <= 1100u);
    for (std::size_t i = 1; i != 16; ++i)
        BOOST_TEST(gaps[i] >= 35u);
}

BOOST_AUTO_TEST_CASE(after_a_sleep_or_beside_another_worker_it_is_as_it_was)
{
    using measuring = weft::detail::measuring<test::manual_traits>;
    auto const goes_by_chance = [this](int us)
    {
        begin_round(7);
        (void)turn_after(microseconds(us));
        return w.measured.sample_at != 0;
    };
    BOOST_TEST(goes_by_chance(20));
    measuring::turn_ended(s, w, test::manual_clock::time);
    BOOST_TEST(w.measured.sample_at != 0u);
    measuring::sleeps(w, true);
    measuring::wakes(s, w, true);
    BOOST_TEST(w.measured.sample_at == 0u);
    w.drop(worker::timed);
    BOOST_TEST(goes_by_chance(20));
    handlers_take(microseconds(2));
    BOOST_TEST(!goes_by_chance(2));
    handlers_take(microseconds(20));
    BOOST_TEST(goes_by_chance(20));
    (void)acquire();
    measuring::turn_ended(s, w, test::manual_clock::time);
    BOOST_TEST(w.measured.sample_at == 0u);
}

// Calls that run a handler each go on with one turn, so that it may be the first look in a call.
BOOST_AUTO_TEST_CASE(the_time_inside_is_told_from_there_on)
{
    auto const inside = [this](microseconds from_now)
    {
        return w.measured.inside.read(
            [&] { return (test::manual_clock::time + from_now).time_since_epoch().count(); });
    };
    w.measured.inside.end(test::manual_clock::time.time_since_epoch().count());
    BOOST_TEST_REQUIRE(!w.measured.inside.lasts());
    auto const before = inside(microseconds(0));
    BOOST_TEST(goes_on_after(microseconds(20)));
    BOOST_TEST((inside(microseconds(7)) - before == microseconds(7)));
}

BOOST_AUTO_TEST_CASE(a_call_stands_for_others_up_to_there)
{
    auto& m = w.measured;
    m.calls_missed = 3;
    m.called_at = test::manual_clock::time.time_since_epoch().count();
    BOOST_TEST(goes_on_after(microseconds(20)));
    BOOST_TEST(m.called_at == 0);
    BOOST_TEST(m.calls_missed == 0u);
    // It was long: the next ones look themselves.
    BOOST_TEST(m.calls_to_miss == 0u);
}

BOOST_FIXTURE_TEST_CASE(
    turns_of_a_fixed_length_end_with_a_look_at_everything, lone_worker_with_fixed_turns)
{
    BOOST_TEST(!goes_on_after(microseconds(20)));
}

BOOST_AUTO_TEST_SUITE_END()
