// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/measuring.hpp"

#include "sched/measurement.hpp"
#include "sched/sampling.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

namespace
{

using std::chrono::microseconds;
using std::chrono::milliseconds;
using weft::timing;

struct timed : test::manual_scheduler
{
    using manual_scheduler::manual_scheduler;

    /// Tasks that take so long each.
    void submit_tasks(int count, microseconds time)
    {
        for (int i = 0; i != count; ++i)
            s.submit(make(i, [this, time] { pass(time); }));
    }

    /// Outstanding work keeps the scheduler from stopping.
    std::size_t poll(std::size_t handlers = weft::detail::run_limits::unlimited)
    {
        return s.run({wait_mode::none, {}, handlers}, weft::detail::joins_as::passing);
    }

    void run_for(microseconds time)
    {
        s.run({wait_mode::until, test::manual_clock::time + time,
                  weft::detail::run_limits::unlimited},
            weft::detail::joins_as::passing);
    }
};

struct timed_all : timed
{
    timed_all() : timed(timing::all)
    {
    }
};

struct timed_sampled : timed
{
    timed_sampled() : timed(timing::sampled)
    {
    }
};

bool is_near(std::chrono::nanoseconds told, std::chrono::nanoseconds exact)
{
    return 8 * told >= 7 * exact && 8 * told <= 9 * exact;
}

} // namespace

BOOST_AUTO_TEST_SUITE(measuring)

BOOST_AUTO_TEST_CASE(off_measures_no_time)
{
    timed t(timing::off);
    t.submit_tasks(100, microseconds(100));
    t.run();
    weft::stats const stats = t.s.snapshot();
    BOOST_TEST(stats.total.handlers == 100u);
    BOOST_TEST(stats.run_time.count() == 0u);
    BOOST_TEST(stats.queue_delay.count() == 0u);
    BOOST_TEST(stats.total.inside.count() == 0);
    BOOST_TEST(t.s.measured.standing.last().count() == 0);
}

BOOST_FIXTURE_TEST_CASE(all_times_each_handler_and_how_long_it_was_queued, timed_all)
{
    submit_tasks(4, microseconds(100));
    run();
    weft::stats const stats = s.snapshot();
    BOOST_TEST(stats.run_time.count() == 4u);
    BOOST_TEST(stats.run_time.total().count() == 400'000);
    BOOST_TEST(is_near(stats.run_time.quantile(0), microseconds(100)));
    BOOST_TEST(is_near(stats.run_time.quantile(1), microseconds(100)));
    // 0, 100, 200 and 300 us, in steps of one.
    BOOST_TEST(stats.queue_delay.count() == 4u);
    BOOST_TEST(is_near(stats.queue_delay.total(), microseconds(600)));
    BOOST_TEST(is_near(stats.queue_delay.quantile(1), microseconds(300)));
}

BOOST_FIXTURE_TEST_CASE(
    all_tells_what_a_handler_queues_from_the_beginning_of_that_handler, timed_all)
{
    s.submit(make(1,
        [&]
        {
            for (int i = 0; i != 20; ++i)
                s.submit(make(i, [&] { pass(microseconds(1)); }));
            pass(milliseconds(3));
        }));
    run();
    weft::stats const stats = s.snapshot();
    BOOST_TEST(stats.run_time.count() == 21u);
    BOOST_TEST(is_near(stats.queue_delay.quantile(0.5), milliseconds(3)));
    BOOST_TEST(stats.run_time.total().count() == 3'020'000);
}

// As after a hook that takes long, before a steal at the last moment.
BOOST_FIXTURE_TEST_CASE(what_was_queued_after_the_last_look_of_its_worker_has_not_waited, timed_all)
{
    using measuring = weft::detail::measuring<test::manual_traits>;
    worker& w = acquire();
    measuring::joined(s, w, true);
    measuring::takes(w, weft::detail::ready_time_at(test::manual_clock::time + milliseconds(2500)));
    measuring::handler_begins(s, w, test::task_entry(make(0)));
    measuring::handler_ended(w);
    weft::stats const stats = s.snapshot();
    BOOST_TEST(stats.queue_delay.count() == 1u);
    BOOST_TEST(stats.queue_delay.total().count() == 0);
}

BOOST_FIXTURE_TEST_CASE(long_handlers_are_all_timed_by_samples, timed_sampled)
{
    submit_tasks(50, microseconds(200));
    run();
    weft::stats const stats = s.snapshot();
    BOOST_TEST(stats.run_time.count() >= 49u);
    BOOST_TEST(stats.run_time.count() <= 50u);
    BOOST_TEST(is_near(stats.run_time.quantile(0.5), microseconds(200)));
    // But for the first ones, before it is known how long they are.
    BOOST_TEST(were_timed >= 45u);
}

// Where a turn is a handler or two.
BOOST_FIXTURE_TEST_CASE(an_eighth_of_handlers_of_20_us_stands_for_all, timed_sampled)
{
    submit_tasks(1000, microseconds(20));
    run();
    weft::stats const stats = s.snapshot();
    BOOST_TEST(stats.run_time.count() >= 990u);
    BOOST_TEST(stats.run_time.count() <= 1000u);
    BOOST_TEST(stats.run_time.total().count() ==
               static_cast<std::int64_t>(20'000 * stats.run_time.count()));
    BOOST_TEST(were_timed >= 115u);
    BOOST_TEST(were_timed <= 135u);
}

// The first of a turn is not to be the same one of them always.
BOOST_FIXTURE_TEST_CASE(handlers_that_come_in_turn_are_timed_alike, timed_sampled)
{
    for (std::size_t const period : {2u, 3u, 5u, 7u})
        for (int const short_us : {1, 2, 4})
            BOOST_TEST_CONTEXT(period << " handlers, of " << short_us << " us all but one")
            {
                weft::stats const before = s.snapshot();
                std::chrono::nanoseconds truth{0};
                std::size_t left = 20'000;
                std::function<void()> const next = [&]
                {
                    auto const time = microseconds(left % period == 0 ? 4 * short_us : short_us);
                    truth += time;
                    pass(time);
                    if (--left != 0)
                        s.submit(make(0, next));
                };
                s.submit(make(0, next));
                run();
                s.stopped.store(false);
                auto const told = s.snapshot().run_time.total() - before.run_time.total();
                BOOST_TEST(static_cast<double>(told.count()) >= 0.95 * truth.count());
                BOOST_TEST(static_cast<double>(told.count()) <= 1.05 * truth.count());
            }
}

// Nor where the queue holds several, so that an only worker looks seldom.
BOOST_FIXTURE_TEST_CASE(handlers_of_several_chains_are_timed_alike, timed_sampled)
{
    using lengths = std::vector<int>;
    for (lengths const& chains : {lengths{5, 10, 20, 40}, lengths{40, 20, 10, 5},
             lengths{5, 5, 5, 100}, lengths{5, 5, 100, 5}, lengths{5, 100, 5, 5}, lengths{10, 90},
             lengths{1, 1, 1, 1, 1, 1, 50}, lengths{20, 20, 20, 95, 20, 20},
             lengths{60, 5, 5, 5, 5, 5, 5}, lengths{8, 8, 8, 12, 30}})
        BOOST_TEST_CONTEXT(chains.size() << " chains, " << chains[0] << ", " << chains[1] << " ...")
        {
            weft::stats const before = s.snapshot();
            std::chrono::nanoseconds truth{0};
            std::size_t left = 30'000;
            std::function<void(int)> const next = [&](int us)
            {
                truth += microseconds(us);
                pass(microseconds(us));
                if (left != 0 && --left != 0)
                    s.submit(make(0, [&next, us] { next(us); }));
            };
            for (int const us : chains)
                s.submit(make(0, [&next, us] { next(us); }));
            run();
            s.stopped.store(false);
            auto const told = s.snapshot().run_time.total() - before.run_time.total();
            BOOST_TEST(static_cast<double>(told.count()) >= 0.93 * truth.count());
            BOOST_TEST(static_cast<double>(told.count()) <= 1.07 * truth.count());
        }
}

// The first one is not to weigh more because its worker has slept.
BOOST_FIXTURE_TEST_CASE(after_a_sleep_each_handler_is_as_likely_to_be_timed, timed_sampled)
{
    using measuring = weft::detail::measuring<test::manual_traits>;
    worker& w = acquire();
    measuring::joined(s, w, true);
    for (auto const duration : {microseconds(2), microseconds(20)})
    {
        int samples[3] = {};
        for (int i = 0; i != 4000; ++i)
        {
            measuring::sleeps(w, true);
            measuring::wakes(s, w, true);
            w.begin_anew(1);
            for (int& times : samples)
            {
                measuring::handler_begins(s, w, test::task_entry(make(0)));
                w.count.handlers.add(1);
                times += w.has(worker::timed);
                pass(duration);
                if (w.is_watched())
                    measuring::handler_ended(w);
                // A turn of two, the second time.
                if (&times == &samples[1] && w.turn.handlers() > 1)
                    continue;
                w.turn.record(1, duration);
                measuring::turn_ended(s, w, test::manual_clock::time);
            }
        }
        BOOST_TEST_CONTEXT("handlers of " << duration.count() << " us")
        {
            int const expected = duration == microseconds(2) ? 1000 : 500;
            BOOST_TEST(samples[0] >= expected * 9 / 10);
            BOOST_TEST(samples[0] <= expected * 11 / 10);
            BOOST_TEST(samples[1] >= expected * 9 / 10);
            BOOST_TEST(samples[1] <= expected * 11 / 10);
            // In a turn of two the first one only.
            BOOST_TEST(samples[2] <= expected * 11 / 10);
        }
    }
}

// As a strand runs those that it holds.
BOOST_FIXTURE_TEST_CASE(handlers_that_one_runs_in_turn_have_its_time_together, timed_all)
{
    for (int i = 0; i != 2; ++i)
        s.submit(make(i,
            [&]
            {
                level().worker_here()->count.handlers.add(9);
                pass(microseconds(100));
            }));
    run();
    weft::stats const stats = s.snapshot();
    BOOST_TEST(stats.total.handlers == 20u);
    BOOST_TEST(stats.run_time.count() == 20u);
    BOOST_TEST(stats.run_time.total().count() == 200'000);
    BOOST_TEST(is_near(stats.run_time.quantile(1), microseconds(10)));
    // Those of the last one have not been told.
    BOOST_TEST(stats.queue_delay.count() == 11u);
}

BOOST_FIXTURE_TEST_CASE(a_sample_of_short_handlers_stands_for_all, timed_sampled)
{
    submit_tasks(5000, microseconds(1));
    run();
    weft::stats const stats = s.snapshot();
    BOOST_TEST(stats.total.handlers == 5000u);
    BOOST_TEST(stats.run_time.count() <= 5000u);
    BOOST_TEST(stats.run_time.count() >= 5000u - 127);
    // What came last may not have been told by any other.
    BOOST_TEST(stats.queue_delay.count() <= stats.run_time.count());
    BOOST_TEST(stats.queue_delay.count() >= 4000u);
    BOOST_TEST(is_near(stats.run_time.quantile(0.99), microseconds(1)));
    BOOST_TEST(
        stats.run_time.total().count() == static_cast<std::int64_t>(1000 * stats.run_time.count()));
}

BOOST_FIXTURE_TEST_CASE(what_is_behind_a_long_handler_waits_as_long_as_that, timed_sampled)
{
    s.submit(make(0,
        [&]
        {
            s.submit(make(1, [&] { pass(milliseconds(10)); }));
            // The first of the next turn is timed.
            for (int i = 2; i != 6; ++i)
                s.submit(make(i));
        }));
    run();
    auto const longest = s.snapshot().queue_delay.quantile(1);
    BOOST_TEST((longest >= milliseconds(9) && longest <= microseconds(11'250)));
}

BOOST_FIXTURE_TEST_CASE(a_continuation_has_not_been_queued, timed_all)
{
    s.submit(make(1,
        [&]
        {
            s.submit_continuation(make(2));
            pass(milliseconds(10));
        }));
    run();
    weft::stats const stats = s.snapshot();
    BOOST_TEST(stats.queue_delay.count() == 2u);
    BOOST_TEST(stats.queue_delay.total().count() == 0);
}

BOOST_FIXTURE_TEST_CASE(
    what_comes_from_outside_while_all_sleep_has_not_waited_since_then, timed_all)
{
    run();
    s.stopped.store(false);
    pass(std::chrono::seconds(30));
    s.submit(make(1));
    run();
    BOOST_TEST((s.snapshot().queue_delay.quantile(1) < milliseconds(1)));
}

BOOST_FIXTURE_TEST_CASE(time_asleep_in_the_reactor_is_not_busy, timed_sampled)
{
    s.work_started();
    submit_tasks(1, milliseconds(2));
    run_for(milliseconds(10));
    weft::worker_stats const total = s.snapshot().total;
    BOOST_TEST(is_near(total.inside, milliseconds(10)));
    BOOST_TEST(is_near(total.in_reactor, milliseconds(8)));
    BOOST_TEST(total.parked.count() == 0);
    // Nobody is inside any more.
    pass(milliseconds(50));
    BOOST_TEST(is_near(s.snapshot().total.inside, milliseconds(10)));
}

BOOST_FIXTURE_TEST_CASE(the_mode_is_followed_at_the_end_of_a_turn, timed_sampled)
{
    s.submit(make(1, [&] { s.time_handlers(timing::off); }));
    submit_tasks(300, microseconds(50));
    s.submit(make(1, [&] { s.time_handlers(timing::all); }));
    submit_tasks(200, microseconds(50));
    run();
    weft::stats const stats = s.snapshot();
    // But for those of the turns in which it was changed.
    BOOST_TEST(stats.run_time.count() >= 190u);
    BOOST_TEST(stats.run_time.count() <= 210u);
    BOOST_TEST(stats.total.inside < milliseconds(12));
}

BOOST_FIXTURE_TEST_CASE(a_handler_with_a_run_inside_is_not_timed_but_those_inside_are, timed_all)
{
    s.submit(make(1,
        [&]
        {
            submit_tasks(3, microseconds(100));
            run(3);
            pass(milliseconds(5));
        }));
    run();
    weft::stats const stats = s.snapshot();
    BOOST_TEST((stats.run_time.quantile(1) < milliseconds(1)));
    BOOST_TEST(stats.run_time.count() >= 3u);
}

BOOST_FIXTURE_TEST_CASE(blocking_is_counted_and_is_no_run_time, timed_all)
{
    s.workers.reserve(1, s.sleepers);
    s.submit(make(1,
        [&]
        {
            s.hand_off(level());
            pass(milliseconds(7));
            s.take_back(level());
        }));
    run();
    weft::stats const stats = s.snapshot();
    BOOST_TEST(stats.blocking_calls == 1u);
    BOOST_TEST(stats.blocked.count() == 7'000'000);
    BOOST_TEST(stats.total.inside.count() == 0);
    BOOST_TEST(stats.run_time.total().count() == 0);
}

BOOST_FIXTURE_TEST_CASE(
    a_queue_that_stands_is_told_from_one_that_is_empty_now_and_then, timed_sampled)
{
    bool stood = false;
    submit_tasks(200, milliseconds(5));
    s.submit(make(1, [&] { stood = s.measured.standing.last() > milliseconds(5); }));
    run();
    BOOST_TEST(stood);
    // One that begins to sleep.
    s.stopped.store(false);
    s.work_started();
    run_for(milliseconds(1));
    BOOST_TEST(s.measured.standing.last().count() == 0);
    for (int i = 0; i != 100; ++i)
    {
        submit_tasks(1, milliseconds(5));
        run_for(milliseconds(6));
        BOOST_TEST(s.measured.standing.last() <= milliseconds(5));
    }
}

// Few of them look at the clock; the least delay is not that of those few.
BOOST_FIXTURE_TEST_CASE(bursts_from_outside_that_are_absorbed_do_not_stand, timed_sampled)
{
    s.work_started();
    submit_tasks(1, milliseconds(5));
    poll(1);
    // One is queued at all times, so that nobody ever has nothing to do.
    submit_tasks(1, milliseconds(5));
    for (int burst = 0; burst != 100; ++burst)
    {
        submit_tasks(10, milliseconds(5));
        for (int i = 0; i != 10; ++i)
        {
            BOOST_TEST(poll(1) == 1u);
            // 5 ms, and the handler since whose beginning nobody has looked at the clock.
            BOOST_TEST(s.measured.standing.last() <= milliseconds(11));
        }
    }
}

// Nor is one that does not look at the clock taken to have waited while all slept.
BOOST_FIXTURE_TEST_CASE(what_comes_after_a_sleep_does_not_stand, timed_sampled)
{
    s.work_started();
    for (int i = 0; i != 100; ++i)
    {
        run_for(std::chrono::seconds(10));
        submit_tasks(2, milliseconds(150));
        BOOST_TEST(poll(2) == 2u);
        BOOST_TEST(s.measured.standing.last() <= milliseconds(1));
    }
}

BOOST_FIXTURE_TEST_CASE(nothing_stands_when_the_work_has_run_out, timed_sampled)
{
    bool stood = false;
    submit_tasks(200, milliseconds(5));
    s.submit(make(1, [&] { stood = s.measured.standing.last() > milliseconds(5); }));
    run();
    BOOST_TEST(stood);
    BOOST_TEST(s.measured.standing.last().count() == 0);
}

BOOST_FIXTURE_TEST_CASE(nothing_stands_for_who_polls_and_never_sleeps, timed_sampled)
{
    submit_tasks(200, milliseconds(5));
    BOOST_TEST(poll(199) == 199u);
    BOOST_TEST((s.measured.standing.last() > milliseconds(5)));
    BOOST_TEST(poll() == 1u);
    BOOST_TEST(s.measured.standing.last().count() == 0);
}

BOOST_AUTO_TEST_CASE(one_post_from_outside_in_sixteen_looks_at_the_clock)
{
    auto const looks = [](timing how)
    {
        timed t(how);
        std::size_t const before = test::manual_clock::looks;
        t.submit_tasks(1600, microseconds(1));
        return test::manual_clock::looks - before;
    };
    BOOST_TEST(looks(timing::off) == 0u);
    BOOST_TEST(looks(timing::all) == 1600u);
    BOOST_TEST(looks(timing::sampled) >= 90u);
    BOOST_TEST(looks(timing::sampled) <= 110u);
}

BOOST_FIXTURE_TEST_CASE(posts_that_looked_at_the_clock_stand_for_those_that_did_not, timed_sampled)
{
    for (int i = 0; i != 1000; ++i)
    {
        submit_tasks(1, microseconds(100));
        pass(microseconds(100));
    }
    run();
    weft::stats const stats = s.snapshot();
    BOOST_TEST(stats.queue_delay.count() <= 1000u);
    BOOST_TEST(stats.queue_delay.count() >= 950u);
    // Each was queued for as long as the posts took altogether.
    BOOST_TEST(is_near(stats.queue_delay.quantile(0), milliseconds(100)));
    BOOST_TEST(is_near(stats.queue_delay.quantile(1), milliseconds(100)));
}

BOOST_FIXTURE_TEST_CASE(
    posts_that_did_not_look_are_told_of_when_all_begin_to_be_timed, timed_sampled)
{
    s.work_started();
    submit_tasks(8, microseconds(100));
    BOOST_TEST(poll() == 8u);
    s.time_handlers(timing::all);
    submit_tasks(1, microseconds(100));
    BOOST_TEST(poll() == 1u);
    submit_tasks(1, microseconds(100));
    BOOST_TEST(poll() == 1u);
    BOOST_TEST(s.snapshot().queue_delay.count() >= 9u);
}

BOOST_FIXTURE_TEST_CASE(
    what_the_worker_has_queued_does_not_stand_for_posts_from_outside, timed_sampled)
{
    // All of outside wait for 10 ms, and what they post for nothing.
    for (int i = 0; i != 1000; ++i)
        s.submit(make(i,
            [this]
            {
                pass(microseconds(30));
                s.submit(make(1, [this] { pass(microseconds(30)); }));
            }));
    pass(milliseconds(500));
    run();
    weft::stats const stats = s.snapshot();
    BOOST_TEST(stats.run_time.count() >= 1990u);
    BOOST_TEST((stats.queue_delay.quantile(0.4) < milliseconds(100)));
    BOOST_TEST((stats.queue_delay.quantile(0.6) > milliseconds(450)));
}

BOOST_FIXTURE_TEST_CASE(one_short_call_in_fifteen_stands_for_the_others, timed_sampled)
{
    s.work_started();
    driver.has_events = false;
    std::size_t const before = test::manual_clock::looks;
    for (int i = 0; i != 1600; ++i)
    {
        submit_tasks(1, microseconds(2));
        BOOST_TEST(poll() == 1u);
        pass(milliseconds(1));
    }
    // And as many posts.
    BOOST_TEST(test::manual_clock::looks - before < 500u);
    weft::stats const stats = s.snapshot();
    BOOST_TEST(is_near(stats.total.inside, microseconds(3200)));
    BOOST_TEST(stats.run_time.count() <= 1600u);
    BOOST_TEST(stats.run_time.count() >= 1584u);
    BOOST_TEST(is_near(stats.run_time.quantile(0.99), microseconds(2)));
}

BOOST_FIXTURE_TEST_CASE(short_calls_that_look_for_events_are_measured_at_their_looks, timed_sampled)
{
    s.work_started();
    for (int i = 0; i != 1600; ++i)
    {
        submit_tasks(1, microseconds(2));
        BOOST_TEST(poll() == 1u);
        pass(milliseconds(1));
    }
    weft::stats const stats = s.snapshot();
    BOOST_TEST(is_near(stats.total.inside, microseconds(3200)));
    BOOST_TEST(stats.run_time.count() >= 1584u);
}

BOOST_FIXTURE_TEST_CASE(long_calls_all_look_at_the_clock, timed_sampled)
{
    s.work_started();
    for (int i = 0; i != 100; ++i)
    {
        submit_tasks(2, microseconds(200));
        BOOST_TEST(poll() == 2u);
        pass(milliseconds(1));
    }
    weft::stats const stats = s.snapshot();
    BOOST_TEST(stats.total.inside.count() == 40'000'000);
    BOOST_TEST(stats.run_time.count() >= 199u);
}

BOOST_FIXTURE_TEST_CASE(calls_with_many_handlers_are_measured_from_their_first_look, timed_sampled)
{
    s.work_started();
    for (int i = 0; i != 160; ++i)
    {
        submit_tasks(1000, microseconds(1));
        BOOST_TEST(poll() == 1000u);
        pass(milliseconds(1));
    }
    weft::stats const stats = s.snapshot();
    BOOST_TEST(is_near(stats.total.inside, milliseconds(160)));
}

BOOST_FIXTURE_TEST_CASE(who_sleeps_in_a_call_without_a_look_has_been_inside, timed_sampled)
{
    s.work_started();
    for (int i = 0; i != 5; ++i)
    {
        submit_tasks(1, microseconds(2));
        BOOST_TEST(poll() == 1u);
    }
    run_for(milliseconds(10));
    weft::worker_stats const total = s.snapshot().total;
    BOOST_TEST(is_near(total.in_reactor, milliseconds(10)));
    BOOST_TEST((total.inside >= total.in_reactor));
}

BOOST_FIXTURE_TEST_CASE(
    what_a_call_without_a_look_queues_has_waited_for_nothing_known, timed_sampled)
{
    s.work_started();
    for (int i = 0; i != 64; ++i)
    {
        submit_tasks(1, microseconds(2));
        BOOST_TEST(poll() == 1u);
        pass(std::chrono::seconds(1));
        s.submit(make(1, [this] { s.submit(make(2)); }));
        BOOST_TEST(poll() == 2u);
    }
    BOOST_TEST((s.snapshot().queue_delay.quantile(1) < milliseconds(1)));
}

BOOST_AUTO_TEST_SUITE_END()
