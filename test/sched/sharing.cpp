// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/sharing.hpp"

#include "sched/manual_scheduler.hpp"
#include "support/second_thread.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>

namespace
{

using sharing_of = weft::detail::sharing<test::manual_traits>;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// What is submitted from outside goes to the queue of all.
struct scheduler_among_threads : test::second_thread, test::manual_scheduler
{
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(sharing, scheduler_among_threads)

BOOST_AUTO_TEST_CASE(all_of_a_ring_goes_to_all_and_the_oldest_of_all_is_taken)
{
    worker& w = acquire();
    s.submit(make(0));
    pass(milliseconds(1));
    for (int i = 1; i != 4; ++i)
        put(w, make(i));
    test::task_entry first;
    BOOST_TEST(sharing_of::share(s, w, &first));
    BOOST_TEST(first.op == &tasks[0]);
    BOOST_TEST(w.ring.empty());
    BOOST_TEST(s.injected.size() == 3u);
}

BOOST_AUTO_TEST_CASE(what_is_older_than_the_queue_of_all_goes_before_it)
{
    worker& w = acquire();
    put(w, make(0));
    pass(milliseconds(1));
    s.now.store(weft::detail::ready_time_at(test::manual_clock::now()), std::memory_order_relaxed);
    s.submit(make(1));
    pass(milliseconds(1));
    put(w, make(2));
    test::task_entry first;
    BOOST_TEST(sharing_of::share(s, w, &first));
    BOOST_TEST(first.op == &tasks[0]);
    BOOST_TEST(w.ring.empty());
    BOOST_TEST(s.injected.pop() == &tasks[1]);
    BOOST_TEST(s.injected.pop() == &tasks[2]);
}

// However short its handlers are beside its turn: its thread may lose the core.
BOOST_AUTO_TEST_CASE(nobody_takes_what_others_are_free_for)
{
    worker& w = acquire();
    acquire();
    for (int i = 0; i != 60; ++i)
        w.turn.record(1, microseconds(5));
    BOOST_TEST_REQUIRE(w.turn.handlers() == 4u);
    w.shares = true;
    for (int i = 0; i != 9; ++i)
        s.submit(make(i));
    pass(milliseconds(1));
    put(w, make(9));
    test::task_entry entry;
    BOOST_TEST(sharing_of::share(s, w, &entry));
    BOOST_TEST(entry.op == &tasks[0]);
    BOOST_TEST(weft::detail::work_search<test::manual_traits>::find_injected(s, w, entry));
    BOOST_TEST(entry.op == &tasks[1]);
    BOOST_TEST(w.ring.empty());
    BOOST_TEST(s.injected.size() == 8u);
}

namespace
{

struct beside_a_sleeper : scheduler_among_threads
{
    beside_a_sleeper()
    {
        join_and_sleep(sleeper);
        BOOST_TEST_REQUIRE(sleeper.sleep.enter_driver());
        for (int i = 0; i != 3; ++i)
            put(w, make(i));
    }

    ~beside_a_sleeper()
    {
        sleeper.sleep.leave_driver();
        (void)s.sleepers.wake_up(sleeper.index);
    }

    worker& w = acquire();
    worker& sleeper = acquire();
    test::task_entry first{nullptr};
};

} // namespace

// Which may get the core of this worker, and run all there is.
BOOST_FIXTURE_TEST_CASE(
    whoever_wakes_another_one_has_nothing_in_its_hands_meanwhile, beside_a_sleeper)
{
    std::size_t for_the_other = 0;
    driver.on_interrupt = [&]
    {
        for_the_other = s.injected.size();
    };
    BOOST_TEST(sharing_of::share(s, w, &first));
    BOOST_TEST(for_the_other == 3u);
    BOOST_TEST(first.op == &tasks[0]);
    BOOST_TEST(s.injected.size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(what_the_other_one_has_run_by_then_is_not_taken, beside_a_sleeper)
{
    driver.on_interrupt = [&]
    {
        while (s.injected.pop())
            ;
    };
    BOOST_TEST(!sharing_of::share(s, w, &first));
    BOOST_TEST(!first.op);
    BOOST_TEST(driver.interrupts == 1u);
}

BOOST_FIXTURE_TEST_CASE(who_wakes_nobody_takes_under_the_one_lock, beside_a_sleeper)
{
    // Somebody searches already.
    BOOST_TEST_REQUIRE(s.sleepers.commit_notify() == sleeper.index);
    BOOST_TEST(!s.sleepers.would_wake());
    BOOST_TEST(sharing_of::share(s, w, &first));
    BOOST_TEST(first.op == &tasks[0]);
    BOOST_TEST(driver.interrupts == 0u);
}

// A batch in the ring of one, as a worker takes it whose handlers have been short, and what the
// other queues meanwhile.
BOOST_AUTO_TEST_CASE(all_workers_together_serve_in_the_order_in_which_work_became_ready)
{
    worker& a = acquire();
    worker& b = acquire();
    constexpr std::size_t count = 9;
    for (std::size_t i = 0; i != count; ++i)
    {
        pass(microseconds(20));
        put(i % 3 == 0 ? a : b, make(static_cast<int>(i)));
    }
    test::task_entry first;
    BOOST_TEST(sharing_of::share(s, a, &first));
    BOOST_TEST(first.op == &tasks[0]);
    BOOST_TEST(sharing_of::share(s, b, &first));
    for (std::size_t i = 1; i != count; ++i)
    {
        BOOST_TEST(first.op == &tasks[i]);
        first.op = s.injected.pop();
    }
    BOOST_TEST(!first.op);
}

BOOST_AUTO_TEST_CASE(what_is_not_in_order_in_a_ring_comes_into_it)
{
    worker& w = acquire();
    auto const start = test::manual_clock::time;
    for (int const at : {3, 1, 2})
    {
        test::manual_clock::time = start + milliseconds(at);
        put(w, make(at));
    }
    BOOST_TEST(!sharing_of::share(s, w, nullptr));
    for (std::size_t const task : {1u, 2u, 0u})
        BOOST_TEST(s.injected.pop() == &tasks[task]);
}

BOOST_AUTO_TEST_CASE(the_only_entry_there_is_stays)
{
    worker& w = acquire();
    put(w, make(0));
    BOOST_TEST(!sharing_of::share(s, w, nullptr));
    BOOST_TEST(w.ring.size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_asio_has_posted_goes_to_all_and_not_through_the_ring)
{
    worker& w = acquire();
    w.shares = true;
    auto const pushed = w.owned_ring().pushed();
    s.submit(make(0));
    pass(milliseconds(1));
    w.asio.posted.push_back(make(1));
    test::task_entry first;
    BOOST_TEST(sharing_of::share(s, w, &first));
    BOOST_TEST(first.op == &tasks[0]);
    BOOST_TEST(w.owned_ring().pushed() == pushed);
    w.asio.posted.push_back(make(2));
    BOOST_TEST(!sharing_of::share(s, w, nullptr));
    BOOST_TEST(s.injected.pop() == &tasks[1]);
    BOOST_TEST(s.injected.pop() == &tasks[2]);
    BOOST_TEST(!w.asio.has_posted());
}

BOOST_AUTO_TEST_CASE(the_only_one_that_asio_has_posted_is_run_and_wakes_nobody)
{
    worker& w = acquire();
    w.shares = true;
    worker& asleep = acquire();
    (void)s.sleepers.join([](std::uint32_t) {});
    (void)s.sleepers.join([](std::uint32_t) {});
    (void)s.sleepers.commit_wait(
        asleep.index, s.sleepers.prepare_wait(), false, false, [] { return false; });
    w.asio.posted.push_back(make(0));
    test::task_entry first;
    BOOST_TEST(sharing_of::share(s, w, &first));
    BOOST_TEST(first.op == &tasks[0]);
    BOOST_TEST(s.injected.empty());
    BOOST_TEST(w.ring.empty());
    BOOST_TEST(s.sleepers.parked() == 1u);
    // What stays for others does.
    w.asio.posted.push_back(make(1));
    BOOST_TEST(!sharing_of::share(s, w, nullptr));
    BOOST_TEST(s.injected.size() == 1u);
    BOOST_TEST(s.sleepers.parked() == 0u);
    asleep.sleep.park();
}

BOOST_AUTO_TEST_CASE(what_asio_has_posted_is_behind_the_ring)
{
    for (int const posts : {1, 2})
    {
        test::manual_scheduler of_two;
        worker& w = of_two.acquire();
        w.shares = true;
        of_two.put(w, of_two.make(0));
        for (int i = 1; i <= posts; ++i)
            w.asio.posted.push_back(of_two.make(i));
        test::task_entry first;
        BOOST_TEST(sharing_of::share(of_two.s, w, &first));
        BOOST_TEST(first.op == &of_two.tasks[0]);
        for (std::size_t i = 1; i <= static_cast<std::size_t>(posts); ++i)
            BOOST_TEST(of_two.s.injected.pop() == &of_two.tasks[i]);
    }
}

BOOST_AUTO_TEST_CASE(handlers_of_100_us_are_long_unless_one_thread_is_inside)
{
    worker& w = acquire();
    w.turn.record(1, microseconds(100));
    BOOST_TEST(sharing_of::handlers_are_long(s, w));
    s.submit(make(0,
        [&]
        {
            here().turn.record(1, microseconds(100));
            BOOST_TEST(!sharing_of::handlers_are_long(s, here()));
        }));
    run();
}

// What overflows passes the queue of all in any case. What is all computed there is not waited for.
BOOST_AUTO_TEST_CASE(handlers_of_3_us_are_long_while_more_events_are_ready_than_rings_hold)
{
    worker& w = acquire();
    test::threads_inside<test::manual_traits> const two(s, 2);
    for (int i = 0; i != 60; ++i)
        w.turn.record(1, microseconds(3));
    BOOST_TEST(!sharing_of::handlers_are_long(s, w));
    auto const submit = [&](std::size_t count)
    {
        while (s.injected.size() != count)
            s.injected.push(make(0), w.ready_now());
    };
    submit(worker::many);
    BOOST_TEST(!sharing_of::handlers_are_long(s, w));
    s.vain_looks.end();
    BOOST_TEST(sharing_of::handlers_are_long(s, w));
    // Until clearly less is queued.
    w.shares = true;
    while (s.injected.size() != worker::many / 2)
        (void)s.injected.pop();
    BOOST_TEST(sharing_of::handlers_are_long(s, w));
    (void)s.injected.pop();
    BOOST_TEST(!sharing_of::handlers_are_long(s, w));
    w.shares = false;
    submit(worker::many - 1);
    BOOST_TEST(!sharing_of::handlers_are_long(s, w));
    submit(worker::many);
    for (int i = 0; i != 60; ++i)
        w.turn.record(1, microseconds(1));
    BOOST_TEST(!sharing_of::handlers_are_long(s, w));
}

// Or turns of which some are slow would be enough to share, and to go on with it.
BOOST_AUTO_TEST_CASE(handlers_of_3_us_are_not_long_for_long_because_some_were_slow)
{
    worker& w = acquire();
    for (int turn = 0; turn != 200; ++turn)
    {
        w.turn.record(5, 5 * microseconds(turn % 5 == 0 ? 8 : 2));
        BOOST_TEST_REQUIRE(!sharing_of::handlers_are_long(s, w));
    }
    w.turn.record(5, 5 * microseconds(100));
    BOOST_TEST_REQUIRE(sharing_of::handlers_are_long(s, w));
    w.shares = true;
    int handlers = 0;
    for (; sharing_of::handlers_are_long(s, w) && handlers != 10'000; ++handlers)
        w.turn.record(1, microseconds(3), true);
    BOOST_TEST(handlers > 100);
    BOOST_TEST(handlers < 2'000);
}

BOOST_AUTO_TEST_CASE(a_neighbour_of_who_shares_is_looked_at_every_40_us)
{
    worker& w = acquire();
    (void)acquire();
    w.turn.record(1, microseconds(100));
    w.shares = true;
    test::task_entry found;
    auto const looks_after = [&](microseconds time)
    {
        pass(time);
        w.looked = test::manual_clock::time;
        auto const before = w.looked_at_neighbour;
        (void)weft::detail::neighbours<test::manual_traits>::take_older(
            s, w, std::chrono::nanoseconds(0), found);
        return w.looked_at_neighbour != before;
    };
    BOOST_TEST(looks_after(microseconds(100)));
    BOOST_TEST(!looks_after(microseconds(35)));
    BOOST_TEST(looks_after(microseconds(5)));
}

BOOST_AUTO_TEST_SUITE_END()
