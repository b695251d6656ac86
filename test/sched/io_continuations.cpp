// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What a long handler has started and what completes at once: whether it continues the handler, and
// when what it finds ready in turn has its place.

#include "sched/manual_scheduler.hpp"
#include "sched/run_loop.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <initializer_list>
#include <vector>

namespace
{

using std::chrono::microseconds;
using std::chrono::milliseconds;

// One of two workers, whose handlers take as long as they are told to.
struct one_of_two : test::manual_scheduler
{
    using loop = weft::detail::run_loop<test::manual_traits>;

    explicit one_of_two(weft::options const& how = {}) : manual_scheduler(how)
    {
        w().tick_left = s.opts.tick_budget;
        become(microseconds(20));
        waiting_is_in_vain();
    }

    worker& w()
    {
        return *level.worker_here();
    }

    /// Handlers have taken so long in the mean.
    void become(std::chrono::nanoseconds duration)
    {
        mean = duration;
        for (int i = 0; i != 100; ++i)
            w().turn.record(1, duration);
        // The turn does not go on.
        pass(microseconds(20));
        test::task_entry op;
        (void)weft::detail::between_turns<test::manual_traits>::look_elsewhere(s, w(), op);
        w().run_left = 0;
    }

    /// A handler of 20 us that starts what completes at once.
    test::task* starts(int number, std::initializer_list<test::task*> posted)
    {
        return make(number,
            [this, all = std::vector<test::task*>(posted)]
            {
                pass(microseconds(20));
                for (test::task* t : all)
                    w().asio.posted.push_back(t);
            });
    }

    /// As one of two would run what there is.
    void run_all(std::size_t most = 100)
    {
        test::task_entry op;
        for (std::size_t i = 0; i != most && loop::next(s, level, op, wait_mode::none, {}); ++i)
            loop::execute(s, level, op);
    }

    /// Continuations of this kind do not gain by waiting.
    void waiting_is_in_vain(std::uint64_t kind = 1)
    {
        auto const place = s.gains_of_waiting.place_of(kind);
        for (int i = 0; i != 100; ++i)
            s.gains_of_waiting.note(place, true, false);
    }

    /// Runs a handler (0) that starts what completes at once (1), while another one (2) waits.
    void run_beside_another()
    {
        s.submit(starts(0, {make(1)}));
        s.submit(make(2));
        run_all();
    }

    // So short, though shared, that another pass through the queue of all costs something beside
    // them.
    static constexpr microseconds short_beside_pass{8};

    std::chrono::nanoseconds mean{0};
    test::threads_inside<test::manual_traits> threads{s, 2};
    scheduler::run_level& level{threads.become(1)};
};

struct beside_others : one_of_two
{
    static constexpr std::uint64_t completed_kind = 7;

    /// Whether what a handler has started and what has completed at once comes before so many that
    /// wait. It `finds` something if it waits, or `at_once`.
    bool comes_before(int waiting, bool finds, bool at_once = true)
    {
        ran.clear();
        auto* const found = make(3);
        auto* const completed = make(1,
            [this, found, finds, at_once]
            {
                bool const has_waited = ran.size() > 2;
                if (finds && (has_waited || at_once))
                    w().asio.posted.push_back(found);
            });
        completed->kind = completed_kind;
        s.submit(make(0,
            [this, completed]
            {
                // In the mean of all that run here it is as before.
                pass(mean * 5 / 2);
                w().asio.posted.push_back(completed);
                if (another_sleeps)
                    put_to_sleep(s.workers[0]);
            }));
        for (int k = 0; k != waiting; ++k)
        {
            // One after the other, as time tells.
            pass(microseconds(5));
            s.submit(make(2, [this] { pass(mean); }));
        }
        run_all();
        if (another_sleeps)
            (void)s.sleepers.wake_up(0);
        BOOST_TEST_REQUIRE(ran.size() >= static_cast<std::size_t>(waiting) + 2);
        return ran[1] == 1;
    }

    bool another_sleeps = false;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(io_continuations, one_of_two)

BOOST_AUTO_TEST_CASE(the_end_of_a_write_comes_before_what_waits)
{
    BOOST_TEST_REQUIRE(w().shares);
    run_beside_another();
    BOOST_TEST(ran == (std::vector{0, 1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(it_comes_without_a_look_elsewhere_unless_such_ones_have_been_long)
{
    bool no_looks = false;
    for (auto const duration : {microseconds(8), microseconds(16)})
    {
        become(duration);
        for (bool const are_long : {false, true})
        {
            for (int i = 0; i != 100; ++i)
            {
                (void)w().continuations.expected(
                    1, weft::detail::waits::not_at_all, s.gains_of_waiting);
                w().continuations.begin(test::manual_clock::time, s.gains_of_waiting);
                pass(are_long ? milliseconds(1) : milliseconds(0));
                w().continuations.look(test::manual_clock::time, false, s.gains_of_waiting);
            }
            BOOST_TEST_REQUIRE(w().continuations.is_short() == !are_long);
            ran.clear();
            std::size_t at_end = 0;
            for (int i = are_long ? 32 : 1; i != 0; --i)
                s.submit(make(0,
                    [&]
                    {
                        pass(duration);
                        w().asio.posted.push_back(
                            make(1, [&] { no_looks = test::manual_clock::looks - at_end == 1; }));
                        at_end = test::manual_clock::looks;
                    }));
            // One of 32 is tried.
            while (ran.empty() || ran.back() != 1)
                run_all(1);
            // The clock is read for how long it takes.
            BOOST_TEST(no_looks != are_long);
            run_all();
        }
    }
}

// As the end of a write and that of a read whose data were there.
BOOST_AUTO_TEST_CASE(those_of_a_kind_that_has_been_long_wait_and_others_do_not)
{
    auto const continues = [this](std::uint64_t kind, microseconds duration)
    {
        become(short_beside_pass);
        ran.clear();
        auto* const completed = make(1, [this, duration] { pass(duration); });
        completed->kind = kind;
        s.submit(starts(0, {completed}));
        s.submit(make(2));
        run_all();
        BOOST_TEST_REQUIRE(ran.size() == 3u);
        return ran[1] == 1;
    };
    for (int i = 0; i != 100; ++i)
    {
        (void)continues(2, microseconds(50));
        (void)continues(3, microseconds(1));
    }
    int long_ones = 0;
    int short_ones = 0;
    for (int i = 0; i != 32; ++i)
    {
        long_ones += continues(2, microseconds(50));
        short_ones += continues(3, microseconds(1));
    }
    BOOST_TEST(long_ones == 1);
    BOOST_TEST(short_ones == 32);
}

// What the client sends next has come when its turn has.
BOOST_FIXTURE_TEST_CASE(
    it_waits_behind_others_as_long_as_that_lets_it_find_something, beside_others)
{
    become(short_beside_pass);
    for (int i = 0; i != 2; ++i)
    {
        BOOST_TEST(!comes_before(2, true));
        BOOST_TEST(comes_before(1, true));
        // One in 32 is watched.
        for (int k = 0; k != 32 * 40; ++k)
            (void)comes_before(2, false);
        BOOST_TEST(comes_before(2, false));
        BOOST_TEST(comes_before(1, false));
        // One in 32 waits.
        for (int k = 0; k != 32 * 40; ++k)
            (void)comes_before(2, true, false);
    }
}

// What it finds would have a place before all that comes while it would have waited.
BOOST_FIXTURE_TEST_CASE(
    it_waits_behind_a_single_long_one_though_it_would_find_something_at_once, beside_others)
{
    auto const seen = [this](bool finds)
    {
        for (int k = 0; k != 32 * 40; ++k)
            (void)comes_before(1, finds);
    };
    become(short_beside_pass);
    seen(true);
    // It does not gain.
    BOOST_TEST(comes_before(1, true));
    for (int i = 0; i != 2; ++i)
    {
        become(microseconds(20));
        BOOST_TEST(!comes_before(1, true));
        BOOST_TEST(comes_before(0, true));
        become(short_beside_pass);
        BOOST_TEST(comes_before(1, true));
        BOOST_TEST(comes_before(2, true));
        become(microseconds(20));
        seen(false);
        BOOST_TEST(comes_before(1, false));
        seen(true);
    }
}

// Whoever queues it would wake one that sleeps.
BOOST_FIXTURE_TEST_CASE(it_waits_beside_a_worker_that_sleeps_behind_many_only, beside_others)
{
    using queue = weft::detail::run_queue<test::manual_traits>;
    auto const many = static_cast<int>(queue::least_before_beside_sleeper);
    for (bool const sleeps : {false, true})
    {
        another_sleeps = sleeps;
        BOOST_TEST(!comes_before(many, true));
        BOOST_TEST(comes_before(many - 1, true) == sleeps);
    }
}

BOOST_FIXTURE_TEST_CASE(
    none_of_its_kind_waits_if_another_worker_has_seen_them_find_nothing, beside_others)
{
    BOOST_TEST(!comes_before(2, true));
    waiting_is_in_vain(completed_kind);
    BOOST_TEST(comes_before(2, true));
}

BOOST_AUTO_TEST_CASE(one_of_several_does_not)
{
    s.submit(starts(0, {make(2), make(3)}));
    s.submit(make(1));
    run_all();
    BOOST_TEST(ran == (std::vector{0, 1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(nor_does_it_beside_a_post_of_the_handler_whichever_was_first)
{
    for (bool const post_first : {true, false})
    {
        ran.clear();
        auto* const posted = make(2);
        auto* const completed = make(3);
        s.submit(make(0,
            [&, post_first]
            {
                pass(microseconds(20));
                if (post_first)
                    s.submit(posted);
                w().asio.posted.push_back(completed);
                if (!post_first)
                    s.submit(posted);
            }));
        s.submit(make(1));
        run_all();
        BOOST_TEST(ran == (post_first ? std::vector{0, 1, 2, 3} : std::vector{0, 1, 3, 2}),
            boost::test_tools::per_element());
    }
}

// It was started long before, by another handler perhaps.
BOOST_AUTO_TEST_CASE(nor_does_what_a_handler_has_cancelled)
{
    w().asio.cancelled = true;
    s.submit(starts(0, {make(2)}));
    s.submit(make(1));
    run_all();
    BOOST_TEST(ran == (std::vector{0, 1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(nor_beside_a_post_before_a_nested_run)
{
    auto* const completed = make(3);
    s.submit(make(0,
        [&]
        {
            s.submit(make(2));
            BOOST_TEST(run(1, wait_mode::none) == 1u);
            pass(microseconds(20));
            w().asio.posted.push_back(completed);
        }));
    s.submit(make(1));
    run_all();
    BOOST_TEST(ran == (std::vector{0, 1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(nor_beside_a_continuation)
{
    s.submit(make(0,
        [&]
        {
            pass(microseconds(20));
            s.submit_continuation(make(1));
            w().asio.posted.push_back(make(3));
        }));
    s.submit(make(2));
    run_all();
    BOOST_TEST(ran == (std::vector{0, 1, 2, 3}), boost::test_tools::per_element());
}

// Each read would be tried once more, before the client has answered.
BOOST_AUTO_TEST_CASE(nor_where_handlers_are_shared_and_short)
{
    for (int i = 0; i != 100; ++i)
        w().turn.record(1, microseconds(5));
    BOOST_TEST_REQUIRE(w().shares);
    run_beside_another();
    BOOST_TEST(ran == (std::vector{0, 2, 1}), boost::test_tools::per_element());
}

// Or clients that answer at once would be served twice as often as those whose events wait there.
BOOST_AUTO_TEST_CASE(nor_while_the_reactor_has_more_events_than_one_look_brings)
{
    s.more_is_ready.store(true);
    run_beside_another();
    BOOST_TEST(ran == (std::vector{0, 2, 1}), boost::test_tools::per_element());
}

// Nor does what is posted meanwhile wait for those events: as in Asio, it comes before them.
BOOST_AUTO_TEST_CASE(what_is_posted_comes_before_what_a_full_look_has_left_in_the_reactor)
{
    for (int i = 0; i != 10; ++i)
        s.injected.push(make(i,
                            [this, i]
                            {
                                pass(microseconds(20));
                                if (i == 5)
                                    s.injected.push(make(12), w().ready_now());
                            }),
            w().ready_now());
    for (int const i : {10, 11, 13})
        driver.events.emplace_back(make(i), 1);
    weft::detail::between_turns<test::manual_traits>::tick(s, w());
    BOOST_TEST(driver.events.size() == 1u);
    run_all();
    BOOST_TEST(ran == (std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(nor_where_handlers_are_short)
{
    for (int i = 0; i != 20 && w().shares; ++i)
        become(microseconds(1));
    BOOST_TEST_REQUIRE(!w().shares);
    auto* const completed = make(2);
    s.submit(make(0, [&] { w().asio.posted.push_back(completed); }));
    s.submit(make(1));
    // Both come into the ring at once.
    run_all();
    BOOST_TEST(ran == (std::vector{0, 1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_it_finds_ready_in_turn_goes_behind_what_waits)
{
    auto* const second = make(3);
    s.submit(starts(0, {make(1, [&, second] { w().asio.posted.push_back(second); })}));
    s.submit(make(2));
    run_all();
    BOOST_TEST(ran == (std::vector{0, 1, 2, 3}), boost::test_tools::per_element());
}

// Its data have come just now. What the reactor knows may have come long before.
BOOST_AUTO_TEST_CASE(and_behind_what_the_reactor_knows)
{
    auto* const second = make(4);
    s.submit(starts(0, {make(1, [&, second] { w().asio.posted.push_back(second); })}));
    s.submit(make(2));
    pass(microseconds(40));
    driver.events.emplace_back(make(3), 1);
    run_all();
    BOOST_TEST(ran == (std::vector{0, 1, 2, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(it_has_its_place_though_another_is_in_the_reactor)
{
    BOOST_TEST_REQUIRE(s.driver_lock.try_take());
    auto* const second = make(3);
    s.submit(starts(0, {make(1, [&, second] { w().asio.posted.push_back(second); })}));
    s.submit(make(2));
    pass(microseconds(40));
    run_all();
    BOOST_TEST(ran == (std::vector{0, 1, 2, 3}), boost::test_tools::per_element());
    s.driver_lock.release();
}

BOOST_AUTO_TEST_CASE(what_a_handler_has_started_is_run_where_handlers_are_long_no_more)
{
    auto* const first = make(1);
    auto* const second = make(2);
    s.submit(make(0,
        [&, first, second]
        {
            w().asio.posted.push_back(first);
            w().asio.posted.push_back(second);
            for (int i = 0; i != 1000; ++i)
                w().turn.record(1, std::chrono::nanoseconds(1));
            // The turn does not go on.
            pass(microseconds(16));
            BOOST_TEST(w().shares);
        }));
    run_all(2);
    BOOST_TEST(!w().shares);
    BOOST_TEST(ran == (std::vector{0, 1}), boost::test_tools::per_element());
    run_all();
    BOOST_TEST(ran == (std::vector{0, 1, 2}), boost::test_tools::per_element());
}

// Or a conversation that always finds data would keep the worker for itself.
BOOST_AUTO_TEST_CASE(a_conversation_has_two_handlers_in_a_row)
{
    int left = 20;
    std::function<void()> const step = [&]
    {
        pass(microseconds(20));
        if (--left != 0)
            w().asio.posted.push_back(make(0, step));
    };
    s.submit(make(0, step));
    for (int i = 0; i != 4; ++i)
        s.submit(make(1));
    run_all(6);
    BOOST_TEST(ran == (std::vector{0, 0, 1, 1, 1, 1}), boost::test_tools::per_element());
    run_all();
    BOOST_TEST(left == 0);
}

// Each step of a conversation does its work: all that waits would be late by one step more.
BOOST_AUTO_TEST_CASE(those_that_are_as_long_as_other_handlers_do_not_for_long)
{
    std::size_t before = 0;
    auto const comes_before = [&](microseconds duration, int rounds)
    {
        before = 0;
        for (int i = 0; i != rounds; ++i)
        {
            become(short_beside_pass);
            ran.clear();
            s.submit(starts(0, {make(1, [this, duration] { pass(duration); })}));
            s.submit(make(2));
            run_all();
            before += ran == std::vector{0, 1, 2};
        }
        return before;
    };
    BOOST_TEST(comes_before(microseconds(1), 100) == 100u);
    // A thread loses its core now and then.
    BOOST_TEST(comes_before(milliseconds(5), 1) == 1u);
    BOOST_TEST(comes_before(microseconds(1), 100) == 100u);
    BOOST_TEST(comes_before(microseconds(20), 6'400) <= 200u + 40u);
    BOOST_TEST(before >= 200u);
    // Those that are tried tell when they have become short.
    BOOST_TEST(comes_before(microseconds(1), 64 * 20) >= 64u);
    BOOST_TEST(comes_before(microseconds(1), 100) == 100u);
}

// Clients that send ahead always have it there.
BOOST_AUTO_TEST_CASE(a_look_into_the_reactor_for_what_it_finds_ready_is_repeated_less_often_in_vain)
{
    using looks = weft::detail::between_turns<test::manual_traits>;
    // So much that it is not time to look anyhow.
    for (int i = 0; i != 6; ++i)
        put(w(), make(i));
    pass(microseconds(2));
    auto const look = [&]
    {
        w().now.store(weft::detail::ready_time_at(test::manual_clock::time));
        looks::tick(s, w());
    };
    auto const is_due_after = [&](microseconds time)
    {
        pass(time);
        w().now.store(weft::detail::ready_time_at(test::manual_clock::time));
        return looks::reactor_is_due(s, w());
    };
    look();
    for (int const us : {30, 60, 120, 240, 480, 480})
    {
        BOOST_TEST(!is_due_after(microseconds(us - 5)));
        BOOST_TEST(!is_due_after(microseconds(7)));
        w().asio.posted.push_back(make(9));
        BOOST_TEST(!is_due_after(microseconds(0)));
        w().behind_reactor = true;
        BOOST_TEST(is_due_after(microseconds(0)));
        test::manual_clock::time -= microseconds(7);
        BOOST_TEST(!is_due_after(microseconds(0)));
        pass(microseconds(7));
        look();
        BOOST_TEST(!w().asio.has_posted());
        w().behind_reactor = false;
    }
    // None of what has been found waits for long.
    (void)s.injected.pop_batch([](std::size_t all) { return all; }, [](auto const&) {});
    driver.events.emplace_back(make(10), 1);
    look();
    w().asio.posted.push_back(make(9));
    w().behind_reactor = true;
    BOOST_TEST(is_due_after(microseconds(32)));
    run_all();
}

BOOST_AUTO_TEST_CASE(and_where_all_wait_for_long)
{
    using looks = weft::detail::between_turns<test::manual_traits>;
    auto const is_due_after = [&](microseconds time)
    {
        w().now.store(weft::detail::ready_time_at(test::manual_clock::time));
        s.polled.store(w().ready_now());
        pass(time);
        w().now.store(weft::detail::ready_time_at(test::manual_clock::time));
        w().behind_reactor = true;
        return looks::reactor_is_due(s, w());
    };
    for (int i = 0; i != 8; ++i)
        s.injected.push(make(i), weft::detail::ready_time_at(test::manual_clock::time));
    BOOST_TEST(!is_due_after(microseconds(25)));
    BOOST_TEST(is_due_after(microseconds(35)));
    pass(microseconds(3'200));
    BOOST_TEST(!is_due_after(microseconds(150)));
    BOOST_TEST(is_due_after(microseconds(250)));
    w().behind_reactor = false;
    run_all();
}

BOOST_AUTO_TEST_CASE(who_leaves_keeps_none_of_it)
{
    auto* const second = make(2);
    s.submit(starts(0, {make(1, [&, second] { w().asio.posted.push_back(second); })}));
    for (std::size_t handlers = 1; handlers != 3; ++handlers)
    {
        run_all(1);
        weft::detail::membership<test::manual_traits>::empty_hands(s, w());
        BOOST_TEST(w().lifo.empty());
        BOOST_TEST(!w().asio.has_posted());
        BOOST_TEST(w().ring.size() + s.injected.size() == 1u);
    }
}

// Which takes long, perhaps.
BOOST_AUTO_TEST_CASE(nor_does_who_reports_what_a_handler_has_thrown)
{
    weft::options how;
    one_of_two* self = nullptr;
    std::size_t for_others = 0;
    how.on_exception = [&](std::exception_ptr)
    {
        for_others = self->w().ring.size() + self->s.injected.size();
    };
    one_of_two reporting(how);
    self = &reporting;
    auto* const first = reporting.make(1);
    auto* const second = reporting.make(2);
    reporting.s.submit(reporting.make(0,
        [&, first, second]
        {
            reporting.pass(microseconds(20));
            reporting.w().asio.posted.push_back(first);
            reporting.w().asio.posted.push_back(second);
            throw 1;
        }));
    BOOST_TEST_REQUIRE(reporting.w().shares);
    reporting.run_all();
    BOOST_TEST(for_others == 2u);
    BOOST_TEST(reporting.ran == (std::vector{0, 1, 2}), boost::test_tools::per_element());
}

// One call after the other has no look after them.
BOOST_AUTO_TEST_CASE(how_long_they_are_is_known_to_who_leaves_after_them)
{
    bool known = false;
    for (int i = 0; i != 60 && !known; ++i)
    {
        s.submit(starts(0, {make(1, [&] { pass(milliseconds(5)); })}));
        run_all(2);
        weft::detail::membership<test::manual_traits>::leave(
            s, level, weft::detail::joins_as::passing);
        known = !s.workers[1].continuations.is_short();
        weft::detail::membership<test::manual_traits>::join(
            s, level, weft::detail::joins_as::passing);
        w().shares = true;
    }
    BOOST_TEST(known);
}

// Which goes on for long, perhaps.
BOOST_AUTO_TEST_CASE(a_handler_around_a_nested_run_keeps_none_of_it)
{
    auto* const second = make(2);
    s.submit(make(9,
        [&]
        {
            s.submit(starts(0, {make(1, [&, second] { w().asio.posted.push_back(second); })}));
            for (std::size_t handlers = 1; handlers != 3; ++handlers)
            {
                BOOST_TEST(run(1, wait_mode::none) == 1u);
                BOOST_TEST(w().lifo.empty());
                BOOST_TEST(!w().asio.has_posted());
                BOOST_TEST(w().ring.size() + s.injected.size() == 1u);
            }
        }));
    run_all(1);
}

// One in four pairs is: one of two does not stand for the other, whatever comes between pairs.
BOOST_AUTO_TEST_CASE(both_are_timed_and_stand_for_as_many)
{
    for (int const alone : {0, 1, 3})
        BOOST_TEST_CONTEXT("between two pairs: " << alone)
        {
            auto const timed = [&]
            {
                return w().measured.run_time.read();
            };
            auto const before = timed();
            for (int i = 0; i != 1000; ++i)
            {
                s.submit(starts(0, {make(1)}));
                for (int k = 0; k != alone; ++k)
                    s.submit(make(2, [&] { pass(microseconds(20)); }));
                run_all();
            }
            auto const expected = 1000 * (2 + alone);
            auto const handlers = static_cast<int>(timed().count() - before.count());
            BOOST_TEST(std::abs(handlers - expected) <= 20);
            // The second one of a pair takes no time.
            auto const long_ones = (timed().total() - before.total()) / microseconds(20);
            BOOST_TEST(std::abs(static_cast<int>(long_ones) - (expected - 1000)) <= 60);
        }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(io_continuations_by_options)

BOOST_AUTO_TEST_CASE(without_continuations_there_are_none_of_it)
{
    weft::options how;
    how.lifo_limit = 0;
    one_of_two t(how);
    t.s.submit(t.starts(0, {t.make(2)}));
    t.s.submit(t.make(1));
    t.run_all();
    BOOST_TEST(t.ran == (std::vector{0, 1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
