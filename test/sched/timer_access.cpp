// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/timer_access.hpp"

#include <weft/sched/timers.hpp>

#include "sched/between_turns.hpp"
#include "sched/light_look.hpp"
#include "sched/manual_scheduler.hpp"
#include "sched/within_turn.hpp"
#include "support/second_thread.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

using weft::detail::never;
using weft::detail::timer_access;
using namespace std::chrono_literals;

namespace
{

// A driver whose sleeper is to wake at a time.
struct timed_driver : test::task_driver
{
    bool wake_at(weft::detail::timer_ticks at)
    {
        wake = at;
        return has_alarm;
    }

    weft::detail::timer_ticks wake = never;
    bool has_alarm = false;
};

struct timed_clock : test::manual_clock
{
    static weft::detail::deadline at(weft::detail::timer_ticks ticks) noexcept
    {
        return weft::detail::deadline(weft::detail::deadline::duration(ticks));
    }
};

struct task_waits : test::task_link
{
    using wait = test::task;

    static void abort(test::task*) noexcept
    {
    }

    static void const* key(test::task* t) noexcept
    {
        return t;
    }
};

struct timed_thread_entry
{
    timed_thread_entry(test::task_driver&, test::task_slot&) noexcept
    {
    }
};

struct timed_traits : test::manual_traits
{
    using driver = timed_driver;
    using clock = timed_clock;
    using thread_entry = timed_thread_entry;
    using timers = weft::detail::timers<task_waits>;
};

using timed_shared = weft::detail::shared_state<timed_traits>;
using access_to_timers = timer_access<timed_traits>;

using timer = timed_traits::timers::timer;

struct timer_fixture
{
    timer_fixture() : s(weft::options{}), w(s.workers.acquire(s.sleepers))
    {
        s.driver = &driver;
    }

    ~timer_fixture()
    {
        for (timer* const t : {&early, &late})
            (void)s.timers.cancel(*t, all, [](test::task*) {});
    }

    weft::detail::timer_ticks ticks(std::chrono::microseconds from_now) const
    {
        return (timed_clock::now() + from_now).time_since_epoch().count();
    }

    void start(timer& t, test::task& wait, std::chrono::microseconds from_now)
    {
        (void)s.timers.add(t, false, 0, ticks(from_now), &wait);
    }

    static constexpr std::size_t all = static_cast<std::size_t>(-1);

    timed_driver driver;
    timed_shared s;
    timed_shared::worker& w;
    timer early, late;
    test::task first{[] {
    }},
        second{[] {
        }};
};

} // namespace

BOOST_FIXTURE_TEST_CASE(whose_time_has_come_is_in_the_ring, timer_fixture)
{
    start(early, first, 100us);
    BOOST_TEST(access_to_timers::take_expired(s, w) == 0u);
    BOOST_TEST(w.ring.empty());
    timed_clock::time += 100us;
    BOOST_TEST(access_to_timers::take_expired(s, w) == 1u);
    test::task_entry taken;
    weft::detail::ready_time since;
    BOOST_REQUIRE(w.owned_ring().pop(taken, since));
    BOOST_TEST(taken.op == &first);
    BOOST_TEST(access_to_timers::take_expired(s, w) == 0u);
}

BOOST_FIXTURE_TEST_CASE(who_sleeps_wakes_at_the_earliest_time, timer_fixture)
{
    start(early, first, 300us);
    weft::detail::deadline limit{};
    BOOST_TEST(access_to_timers::begin_sleep(s, limit, false));
    BOOST_TEST(driver.wake == ticks(300us));
    BOOST_TEST((limit == timed_clock::at(ticks(300us))));
    access_to_timers::end_sleep(s);
}

BOOST_FIXTURE_TEST_CASE(a_driver_that_keeps_the_time_is_told_no_limit_for_it, timer_fixture)
{
    driver.has_alarm = true;
    start(early, first, 300us);
    weft::detail::deadline limit{};
    BOOST_TEST(!access_to_timers::begin_sleep(s, limit, false));
    BOOST_TEST(driver.wake == ticks(300us));
    access_to_timers::end_sleep(s);

    // A later limit stays, for the driver ends the wait before that by itself.
    limit = timed_clock::now() + 500us;
    BOOST_TEST(access_to_timers::begin_sleep(s, limit, true));
    BOOST_TEST((limit == timed_clock::now() + 500us));
    access_to_timers::end_sleep(s);
}

BOOST_FIXTURE_TEST_CASE(an_earlier_limit_stays, timer_fixture)
{
    start(early, first, 300us);
    weft::detail::deadline limit = timed_clock::now() + 200us;
    BOOST_TEST(access_to_timers::begin_sleep(s, limit, true));
    BOOST_TEST(driver.wake == never);
    BOOST_TEST((limit == timed_clock::now() + 200us));
    access_to_timers::end_sleep(s);
}

BOOST_FIXTURE_TEST_CASE(without_waits_there_is_no_limit, timer_fixture)
{
    weft::detail::deadline limit{};
    BOOST_TEST(!access_to_timers::begin_sleep(s, limit, false));
    BOOST_TEST(driver.wake == never);
    access_to_timers::end_sleep(s);
}

BOOST_FIXTURE_TEST_CASE(the_end_takes_all, timer_fixture)
{
    start(early, first, 100us);
    start(late, second, 200us);
    std::size_t out = 0;
    BOOST_TEST(access_to_timers::take_all(s, [&](test::task*) { ++out; }) == 2u);
    BOOST_TEST(out == 2u);
}

BOOST_AUTO_TEST_CASE(a_scheduler_without_timers_asks_its_driver)
{
    using none = timer_access<test::manual_traits>;
    test::manual_scheduler f;
    weft::detail::deadline limit{};
    BOOST_TEST(none::may_have_events(f.s));
    BOOST_TEST(none::take_expired(f.s, f.acquire()) == 0u);
    BOOST_TEST(!none::begin_sleep(f.s, limit, false));
    BOOST_TEST(none::begin_sleep(f.s, limit, true));
}

namespace
{

// A worker that has just looked at the clock, beside one wait that was over a while ago.
struct busy_fixture : timer_fixture
{
    busy_fixture()
    {
        start(early, first, 100us);
        start(late, second, 200us);
    }

    void look(std::chrono::microseconds later)
    {
        timed_clock::time += later;
        w.turn_began = w.ready_now();
        w.looked = timed_clock::now();
        w.now.store(weft::detail::ready_time_at(w.looked));
    }

    test::task queued{[] {
    }};
    test::task_entry op;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_busy_worker_runs_first_what_was_due_first, busy_fixture)
{
    look(50us);
    BOOST_TEST(!access_to_timers::take_due(s, w, &op));
    look(100us);
    BOOST_TEST(access_to_timers::take_due(s, w, &op));
    BOOST_TEST(op.op == &first);
    BOOST_TEST(w.ring.empty());
    look(100us);
    // The next one stays behind what has been in the ring for longer.
    look(-80us);
    BOOST_TEST(w.owned_ring().push(test::task_entry(&queued), w.ready_now()));
    look(40us);
    look(40us);
    BOOST_TEST(!access_to_timers::take_due(s, w, &op));
    BOOST_TEST(w.ring.size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(a_wait_that_is_over_ends_a_turn_of_a_worker_that_shares, busy_fixture)
{
    auto const turn_goes_on = [&]
    {
        w.shares = true;
        w.turn_start = 2;
        w.tick_left = 1;
        w.run_left = 0;
        s.injected.push(&queued, w.ready_now());
        bool const took = weft::detail::within_turn<timed_traits>::take_next(s, w, op);
        BOOST_TEST(s.injected.size() == (took ? 0u : 1u));
        return took;
    };
    look(99us);
    BOOST_TEST(turn_goes_on());
    look(1us);
    BOOST_TEST(!turn_goes_on());
    // And is there for the look that comes then.
    s.injected.pop();
    BOOST_TEST(access_to_timers::take_due(s, w, &op));
    BOOST_TEST(op.op == &first);
}

// Handlers of 20 us, of whose turns nothing else would be the end for 100 us.
BOOST_FIXTURE_TEST_CASE(a_turn_of_an_only_worker_is_over_when_the_next_wait_is, busy_fixture)
{
    (void)s.sleepers.join([this](std::uint32_t others) { (void)s.runner.thread_joins(others); });
    for (int i = 0; i != 60; ++i)
        w.turn.record(1, 20us);
    auto const next_turn = [&]
    {
        w.tick_left = s.opts.tick_budget;
        w.turn_start = w.tick_left + 1;
        w.run_left = 0;
        while (w.owned_ring().push(test::task_entry(&queued), w.ready_now()))
        {
        }
        s.polled.store(weft::detail::ready_time_at(timed_clock::now()));
        w.round_end = w.owned_ring().pushed();
        timed_clock::time += 20us;
        return weft::detail::light_look<timed_traits>::take_next(s, w, op) ? w.run_left + 1 : 0;
    };
    w.measured.mode = weft::timing::off;
    s.measured.mode(weft::timing::off);
    w.measured.switches = s.measured.switches();
    look(0us);
    // It is at 100 us.
    BOOST_TEST(next_turn() == 4u);
    timed_clock::time += 20us;
    w.looked = timed_clock::now();
    BOOST_TEST(next_turn() == 2u);
    BOOST_TEST(next_turn() == 1u);
    BOOST_TEST(next_turn() == 0u);
}

BOOST_FIXTURE_TEST_CASE(how_long_it_is_until_a_wait_is_over_may_be_known, busy_fixture)
{
    using access = access_to_timers;
    auto const left = [&]
    {
        return access::time_until_due(s, w, timed_clock::now());
    };
    BOOST_TEST((left() == 100us));
    timed_clock::time += 99us;
    BOOST_TEST((left() == 1us));
    timed_clock::time += 1us;
    BOOST_TEST((left() == 0us));
    BOOST_TEST(access::take_expired(s, w) == 1u);
    BOOST_TEST((left() == 100us));
    timed_clock::time += 200us;
    BOOST_TEST(access::take_expired(s, w) == 1u);
    BOOST_TEST((left() > std::chrono::hours(1)));
}

BOOST_FIXTURE_TEST_CASE(a_wait_is_over_by_the_steady_clock_where_the_workers_is_ahead, busy_fixture)
{
    look(99us);
    w.looked += 10us;
    BOOST_TEST(!access_to_timers::take_due(s, w, &op));
    BOOST_TEST(w.ring.empty());
    look(1us);
    BOOST_TEST(access_to_timers::take_due(s, w, &op));
    BOOST_TEST(op.op == &first);
}

BOOST_FIXTURE_TEST_CASE(what_the_last_handler_queued_does_not_go_before_it, busy_fixture)
{
    look(95us);
    BOOST_TEST(w.owned_ring().push(test::task_entry(&queued), w.ready_now()));
    look(20us);
    BOOST_TEST(access_to_timers::take_due(s, w, &op));
    BOOST_TEST(op.op == &first);
}

BOOST_FIXTURE_TEST_CASE(of_several_only_the_earliest_goes_first, busy_fixture)
{
    look(300us);
    BOOST_TEST(access_to_timers::take_due(s, w, &op));
    BOOST_TEST(op.op == &first);
    BOOST_TEST(w.ring.size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_continuation_lets_nothing_before_it, busy_fixture)
{
    look(300us);
    BOOST_TEST(!access_to_timers::take_due(s, w, nullptr));
    BOOST_TEST(w.ring.size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(what_was_injected_before_goes_first, busy_fixture)
{
    look(50us);
    s.injected.push(&queued, w.ready_now());
    look(50us);
    look(200us);
    BOOST_TEST(!access_to_timers::take_due(s, w, &op));
    BOOST_TEST(w.ring.size() == 2u);
    BOOST_TEST(s.injected.pop() == &queued);
}

BOOST_FIXTURE_TEST_CASE(a_single_runner_has_one_order_of_all, busy_fixture)
{
    (void)s.runner.thread_joins(0);
    look(300us);
    BOOST_TEST(!access_to_timers::take_due(s, w, &op));
    BOOST_TEST(w.ring.size() == 2u);
}

namespace
{

// The worker shares, and another one sleeps in the reactor.
struct beside_a_sleeper : busy_fixture
{
    beside_a_sleeper()
    {
        (void)s.sleepers.join([](std::uint32_t) {});
        BOOST_TEST_REQUIRE(s.driver_lock.try_take());
        (void)s.sleepers.commit_wait(
            sleeper.index, s.sleepers.prepare_wait(), false, true, [] { return false; });
        BOOST_TEST_REQUIRE(sleeper.sleep.enter_driver());
        w.shares = true;
        for (int i = 0; i != 60; ++i)
            w.turn.record(1, 20us);
    }

    ~beside_a_sleeper()
    {
        sleeper.sleep.leave_driver();
        (void)s.sleepers.wake_up(sleeper.index);
    }

    bool look_elsewhere()
    {
        return weft::detail::between_turns<timed_traits>::look_elsewhere(s, w, op);
    }

    test::second_thread const another{};
    timed_shared::worker& sleeper = s.workers.acquire(s.sleepers);
};

} // namespace

// Or it would be late by as long as the one that is woken keeps the core of who wakes it.
BOOST_FIXTURE_TEST_CASE(
    what_is_due_is_in_nobodys_hands_while_another_one_is_woken, beside_a_sleeper)
{
    look(120us);
    w.asio.posted.push_back(&queued);
    std::size_t for_the_other = 0;
    driver.on_interrupt = [&]
    {
        for_the_other = w.ring.size() + s.injected.size();
    };
    BOOST_TEST(look_elsewhere());
    BOOST_TEST(w.shares);
    BOOST_TEST(driver.interrupts == 1u);
    BOOST_TEST(for_the_other == 2u);
    BOOST_TEST(op.op == &first);
    BOOST_TEST(s.injected.pop() == &queued);
}

BOOST_FIXTURE_TEST_CASE(
    what_is_due_is_for_the_other_one_if_something_older_goes_first, beside_a_sleeper)
{
    auto& busy = s.workers.acquire(s.sleepers);
    (void)s.timers.cancel(late, all, [](test::task*) {});
    look(0us);
    BOOST_TEST(busy.owned_ring().push(test::task_entry(&queued), w.ready_now()));
    timed_clock::time += 2ms;
    BOOST_TEST(look_elsewhere());
    BOOST_TEST(op.op == &queued);
    BOOST_TEST(w.ring.size() == 1u);
    BOOST_TEST(driver.interrupts == 1u);
}

BOOST_FIXTURE_TEST_CASE(the_only_one_that_is_due_wakes_nobody, beside_a_sleeper)
{
    look(120us);
    BOOST_TEST(!look_elsewhere());
    BOOST_TEST(w.ring.size() == 1u);
    BOOST_TEST(driver.interrupts == 0u);
}
