// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/within_turn.hpp"

#include "sched/between_turns.hpp"
#include "sched/run_loop.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace
{

using within = weft::detail::within_turn<test::manual_traits>;
using std::chrono::microseconds;
using std::chrono::milliseconds;

struct sharing_worker : test::manual_scheduler
{
    sharing_worker() : w(acquire()), other(acquire())
    {
        (void)s.sleepers.join([](std::uint32_t) {});
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

    /// So many, which were ready before the last look into the reactor.
    void submit_before_look(int count)
    {
        for (int i = 0; i != count; ++i)
            s.submit(make(i));
        pass(microseconds(2));
        looked_into_reactor();
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
    submit_before_look(20);
    for (std::size_t i = 0; i != 3; ++i)
    {
        BOOST_TEST(goes_on_after(microseconds(99)));
        BOOST_TEST(op.op == &tasks[i]);
    }
    BOOST_TEST(!goes_on_after(microseconds(102)));
}

BOOST_AUTO_TEST_CASE(a_turn_ends_before_what_became_ready_after_the_last_look)
{
    submit_before_look(1);
    s.now.store(weft::detail::ready_time_at(test::manual_clock::now()));
    for (int i = 1; i != 6; ++i)
        s.submit(make(i));
    BOOST_TEST(goes_on_after(microseconds(30)));
    BOOST_TEST(op.op == &tasks[0]);
    BOOST_TEST(!goes_on_after(microseconds(30)));
}

BOOST_AUTO_TEST_CASE(a_turn_ends_when_fewer_are_left_than_two_for_each_that_runs)
{
    (void)s.sleepers.join([](std::uint32_t) {});
    submit_before_look(5);
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

// Whoever was woken for it may wait for a core (between_turns::wake_in_place_of_searchers()).
BOOST_AUTO_TEST_CASE(a_turn_ends_while_another_worker_sleeps)
{
    (void)s.sleepers.join([](std::uint32_t) {});
    submit_before_look(20);
    BOOST_TEST(goes_on_after(microseconds(30)));
    put_to_sleep(other);
    BOOST_TEST_REQUIRE(s.sleepers.parked() == 1u);
    BOOST_TEST(!goes_on_after(microseconds(30)));
    (void)s.sleepers.wake_up(other.index);
    BOOST_TEST(goes_on_after(microseconds(30)));
}

// Its thread may have lost the core. Of a turn as a whole it would be a seventh.
BOOST_AUTO_TEST_CASE(a_handler_that_is_far_longer_than_most_is_a_turn_of_its_own)
{
    static weft::detail::thread_usage usage;
    test::manual_clock::usage = &usage;
    int in_a_row = 0;
    int preempted = 0;
    for (int i = 0; i != 8; ++i)
        s.submit(make(0));
    while (preempted != 100)
    {
        submit_before_look(1);
        usage.cpu += microseconds(18);
        if (in_a_row == 18)
        {
            ++preempted;
            pass(milliseconds(2));
        }
        in_a_row = goes_on_after(microseconds(18)) ? in_a_row + 1 : 0;
        BOOST_TEST_REQUIRE(w.turn.unbiased_mean() <= microseconds(20));
    }
    test::manual_clock::usage = nullptr;
}

BOOST_AUTO_TEST_CASE(a_handler_before_which_somebody_was_woken_is_no_longer_for_that)
{
    submit_before_look(4);
    BOOST_TEST(goes_on_after(microseconds(5)));
    w.wakes.add(microseconds(500));
    BOOST_TEST(!goes_on_after(microseconds(505)));
    BOOST_TEST((w.turn.unbiased_mean() < microseconds(20)));
}

BOOST_AUTO_TEST_CASE(nor_are_those_before_one_that_is_a_turn_of_its_own)
{
    submit_before_look(4);
    w.wakes.add(microseconds(6));
    BOOST_TEST(goes_on_after(microseconds(10)));
    auto const before = w.turn.unbiased_mean();
    // The mean that two turns would give, of 6 us (2 have passed before the look) and of 2 ms.
    weft::detail::pace expected = w.turn;
    expected.record(1, microseconds(6), true);
    expected.record(1, milliseconds(2), true);
    BOOST_TEST(!goes_on_after(milliseconds(2)));
    BOOST_TEST((w.turn.unbiased_mean() > before));
    BOOST_TEST((w.turn.unbiased_mean() == expected.unbiased_mean()));
}

BOOST_AUTO_TEST_CASE(each_handler_may_complete_as_much_at_once_as_one_that_is_a_turn)
{
    s.submit(make(0));
    while (w.spend())
    {
    }
    BOOST_TEST(goes_on_after(microseconds(1)));
    BOOST_TEST(w.early_left == worker::most_early);
}

BOOST_AUTO_TEST_CASE(a_turn_of_shorter_handlers_ends_after_15_us)
{
    for (int i = 0; i != 5'000; ++i)
        w.turn.record(1, microseconds(8), true);
    BOOST_TEST_REQUIRE(w.turn.mean() < microseconds(10));
    submit_before_look(6);
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

namespace
{

// Two workers, one of which runs what there is, as in a program.
struct one_runs : test::manual_scheduler
{
    using loop = weft::detail::run_loop<test::manual_traits>;

    explicit one_runs(weft::timing how = weft::timing::off) : manual_scheduler(how)
    {
        w().tick_left = s.opts.tick_budget;
        for (int i = 0; i != 100; ++i)
            w().turn.record(1, microseconds(50));
    }

    worker& w()
    {
        return *level.worker_here();
    }

    /// Whether a handler has run.
    bool run_one()
    {
        test::task_entry op;
        if (!loop::next(s, level, op, wait_mode::until, {}))
            return false;
        loop::execute(s, level, op);
        return true;
    }

    test::threads_inside<test::manual_traits> threads{s, 2};
    scheduler::run_level& level{threads.become(1)};
};

struct one_is_timed : one_runs
{
    one_is_timed() : one_runs(weft::timing::all)
    {
    }
};

struct one_is_sampled : one_runs
{
    one_is_sampled() : one_runs(weft::timing::sampled)
    {
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(within_turn)

BOOST_FIXTURE_TEST_CASE(the_loop_looks_at_everything_once_in_a_turn, one_runs)
{
    for (int i = 0; i != 20; ++i)
        s.submit(make(i, [this] { pass(microseconds(50)); }));
    std::size_t looks = 0;
    for (int i = 0; i != 16; ++i)
    {
        auto const before = w().looked;
        BOOST_TEST_REQUIRE(run_one());
        looks += w().looked != before;
    }
    BOOST_TEST(looks >= 2u);
    BOOST_TEST(looks <= 4u);
}

BOOST_FIXTURE_TEST_CASE(how_long_each_was_queued_is_told_of_those_of_a_turn, one_is_timed)
{
    // They post the next one, and go on for 7 us.
    int left = 1'000;
    std::function<void()> const chain = [&]
    {
        if (--left != 0)
            s.submit(make(0, chain));
        pass(microseconds(7));
    };
    s.submit(make(0, chain));
    while (left != 0)
        BOOST_TEST_REQUIRE(run_one());
    auto const delay = s.snapshot().queue_delay;
    BOOST_TEST(delay.count() == 1'000u);
    BOOST_TEST(delay.quantile(0.1) >= microseconds(6));
    BOOST_TEST(delay.quantile(0.9) <= microseconds(9));
}

// Handlers of 50 us in a row, and the ends of their writes in a row.
BOOST_FIXTURE_TEST_CASE(one_in_four_of_a_turn_is_timed_be_it_long_or_short, one_is_sampled)
{
    std::chrono::nanoseconds truth{0};
    for (int round = 0; round != 200; ++round)
    {
        for (auto const time : {microseconds(50), microseconds(3)})
            for (int i = 0; i != 32; ++i)
                s.submit(make(0, [this, time] { pass(time); }));
        for (int i = 0; i != 64; ++i)
            BOOST_TEST_REQUIRE(run_one());
        truth += 32 * microseconds(53);
        ran.clear();
        tasks.clear();
    }
    auto const told = static_cast<double>(s.snapshot().run_time.total().count());
    BOOST_TEST(told > 0.95 * static_cast<double>(truth.count()));
    BOOST_TEST(told < 1.05 * static_cast<double>(truth.count()));
    BOOST_TEST(were_timed > 200u * 64 / 5);
    BOOST_TEST(were_timed < 200u * 64 / 3);
}

BOOST_FIXTURE_TEST_CASE(each_of_a_turn_is_timed_that_takes_0_1_ms, one_is_sampled)
{
    for (int i = 0; i != 100; ++i)
        w().turn.record(1, microseconds(120));
    for (int i = 0; i != 200; ++i)
        s.submit(make(0, [this] { pass(microseconds(120)); }));
    for (int i = 0; i != 200; ++i)
        BOOST_TEST_REQUIRE(run_one());
    BOOST_TEST(were_timed >= 150u);
}

BOOST_AUTO_TEST_SUITE_END()
