// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/notifier.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace
{

using notifier_of = weft::detail::notifier<test::manual_traits>;
using manual_worker = test::manual_scheduler::worker;

using test::one_sleeps;

} // namespace

BOOST_FIXTURE_TEST_SUITE(notifier, one_sleeps)

BOOST_AUTO_TEST_CASE(work_that_is_published_wakes_a_sleeper)
{
    notifier_of::notify_one(s);
    BOOST_TEST(is_woken());
    asleep.sleep.park();
}

BOOST_AUTO_TEST_CASE(nobody_is_woken_while_somebody_searches)
{
    BOOST_TEST(s.sleepers.try_search());
    awake.take_on(manual_worker::searching);
    notifier_of::notify_one(s);
    BOOST_TEST(!is_woken());
}

BOOST_AUTO_TEST_CASE(the_last_searcher_wakes_a_sleeper_if_there_is_more)
{
    BOOST_TEST(s.driver_lock.try_take());
    BOOST_TEST(s.sleepers.try_search());
    awake.take_on(manual_worker::searching);
    put(asleep, make(0));
    notifier_of::end_search(s, awake);
    BOOST_TEST(!awake.has(manual_worker::searching));
    BOOST_TEST(is_woken());
}

BOOST_AUTO_TEST_CASE(the_last_searcher_wakes_nobody_for_nothing)
{
    BOOST_TEST(s.driver_lock.try_take());
    BOOST_TEST(s.sleepers.try_search());
    awake.take_on(manual_worker::searching);
    notifier_of::end_search(s, awake);
    BOOST_TEST(!is_woken());
}

BOOST_AUTO_TEST_CASE(a_free_driver_lock_wakes_a_sleeper)
{
    BOOST_TEST(s.driver_lock.try_take());
    awake.take_on(manual_worker::holds_driver);
    notifier_of::end_search(s, awake);
    BOOST_TEST(!s.driver_lock.taken());
    BOOST_TEST(is_woken());
}

namespace
{

constexpr std::chrono::nanoseconds patience = weft::detail::late_searcher::patience;

// One has been woken, and has not come: it waits for a core, behind a long handler. A third sleeps.
struct one_is_on_the_way : one_sleeps
{
    manual_worker& third = acquire();

    one_is_on_the_way()
    {
        join_and_sleep(third);
        notifier_of::notify_one(s);
        BOOST_TEST_REQUIRE(s.sleepers.parked() == 1u);
        BOOST_TEST_REQUIRE(s.sleepers.coming() == 1u);
    }

    ~one_is_on_the_way()
    {
        asleep.sleep.park();
        if (is_woken())
            third.sleep.park();
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_post_wakes_one_more_if_nobody_has_come_for_a_while, one_is_on_the_way)
{
    s.submit(make(0));
    pass(patience - std::chrono::microseconds(2));
    s.submit(make(1));
    BOOST_TEST(!is_woken());
    pass(std::chrono::microseconds(4));
    s.submit(make(2));
    BOOST_TEST(is_woken());
}

BOOST_FIXTURE_TEST_CASE(but_nobody_if_somebody_takes_what_there_is, one_is_on_the_way)
{
    s.submit(make(0));
    pass(2 * patience);
    s.now.store(
        weft::detail::ready_time_at(test::manual_clock::time), weft::detail::memory_order_relaxed);
    BOOST_TEST(s.injected.pop());
    s.submit(make(1));
    BOOST_TEST(!is_woken());
}

BOOST_FIXTURE_TEST_CASE(nor_if_who_was_woken_has_come, one_is_on_the_way)
{
    s.sleepers.wake_up(asleep.index);
    s.submit(make(0));
    pass(2 * patience);
    s.submit(make(1));
    BOOST_TEST(!is_woken());
}

namespace
{

// Two sleep, the lower one on CPU 0 and the other one on CPU 1, where the third is awake.
class two_sleep
{
public:
    explicit two_sleep(unsigned cores, weft::options const& how = {},
        std::chrono::nanoseconds of_handlers = std::chrono::nanoseconds(0))
        : on_cores_(cores), all_(how)
    {
        (void)all_.s.sleepers.join([](std::uint32_t) {});
        lower_.turn.record(4, of_handlers);
        other_.turn.record(4, of_handlers);
        (void)all_.s.sleepers.join([](std::uint32_t) {});
        (void)all_.s.sleepers.join([](std::uint32_t) {});
        all_.put_to_sleep(lower_);
        test::manual_traits::cpu = 1;
        all_.put_to_sleep(other_);
    }

    bool wakes_the_lower()
    {
        notifier_of::notify_one(all_.s);
        bool const lower = all_.s.sleepers.wake_up(lower_.index).claimed;
        BOOST_TEST(all_.s.sleepers.wake_up(other_.index).claimed != lower);
        return lower;
    }

private:
    test::manual_traits::on_cores on_cores_;
    test::manual_scheduler all_;
    manual_worker& awake_ = all_.acquire();
    manual_worker& lower_ = all_.acquire();
    manual_worker& other_ = all_.acquire();
};

} // namespace

BOOST_AUTO_TEST_CASE(with_more_threads_than_processors_who_went_to_sleep_on_the_wakers_cpu_is_woken)
{
    BOOST_TEST(!two_sleep(2).wakes_the_lower());
}

BOOST_AUTO_TEST_CASE(with_as_many_threads_as_processors_the_lowest_is_woken)
{
    BOOST_TEST(two_sleep(3).wakes_the_lower());
    BOOST_TEST(two_sleep(test::manual_traits::unknown).wakes_the_lower());
}

BOOST_AUTO_TEST_CASE(nobody_is_chosen_to_wait_behind_long_handlers)
{
    constexpr auto bound = notifier_of::long_to_wait;
    // Of four handlers, which count a sixteenth.
    BOOST_TEST(two_sleep(2, {}, 64 * bound).wakes_the_lower());
    BOOST_TEST(!two_sleep(2, {}, 63 * bound).wakes_the_lower());
}

BOOST_AUTO_TEST_CASE(nobody_is_chosen_whose_thread_can_run_nowhere_else)
{
    weft::options how;
    how.pin = true;
    BOOST_TEST(two_sleep(2, how).wakes_the_lower());
}

BOOST_AUTO_TEST_SUITE_END()
